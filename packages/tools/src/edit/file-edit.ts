import type { DecodedText, TextEncoding } from '@countersign/host';

/** What a tool makes of a file. */
export type FileEdit = {
  /** For the title of a question, e.g. `Write`. */
  readonly verb: string;
  /** Whether a file that is not there is one to be made. */
  readonly missing: 'create' | 'fail';
  /** A reason to ask first, whatever the file is. Absent: there is none. */
  readonly guarded?: string;
  /** All that `rewrite` depends on besides the file: edits with the same verb and parameters are the same edit. */
  readonly parameters: readonly (string | number | null)[];
  /**
   * The text that the file is to hold, computed from its current text (null: there is no file) and the parameters alone,
   * so that the run does what the plan showed.
   */
  readonly rewrite: (present: DecodedText | null, shown: string) => RewrittenText;
};

export type RewrittenText = {
  readonly text: string;
  readonly encoding: TextEncoding;
  readonly bom: boolean;
  /** Where the first change is, if that says more than the file alone. */
  readonly line: number | null;
  /** What was done, without the full stop. */
  readonly done: string;
  /** Unusual ways of the old file that the new one keeps, in words. */
  readonly kept: readonly string[];
  /** What a person should know before agreeing, and the model afterwards. */
  readonly remarks: readonly string[];
};
