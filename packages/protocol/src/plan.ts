import type { JsonObject } from './json/json.js';
import type { Need } from './reach/need.js';
import type { FileResource, Resource } from './reach/resource.js';

export const KINDS = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'communicate',
  'plan',
  'other',
] as const;
export type Kind = (typeof KINDS)[number];

/** A file the plan looked at and the run relies on. `before` is null when the file did not exist. */
export type Basis = { readonly path: string; readonly before: string | null; readonly after: string | null };

export type Location = { readonly path: string; readonly line?: number };

/** What a call would touch, determined before it runs. */
export type Plan = {
  readonly title: string;
  readonly kind: Kind;
  readonly resources: readonly Resource[];
  /** Files that a command line names and may touch: they count for rules with `paths` that deny or ask. Absent: none. */
  readonly named?: readonly FileResource[];
  readonly locations: readonly Location[];
  readonly basis: readonly Basis[];
  /** Access beyond the sandbox profile: the sandbox blocked earlier runs of this call. Absent: none. */
  readonly needs?: readonly Need[];
  /**
   * 'safe': running it twice does no more than running it once. 'unsafe': it is never run again, and after a crash it
   * may or may not have happened. 'resumable': never run again either, but what became of it can be found out.
   */
  readonly repeat: 'safe' | 'unsafe' | 'resumable';
  /** Keep this call after all earlier ones of its turn (`wait_for_previous`). */
  readonly after: 'conflicts' | 'everything';
  /** What rules may ask for by `toolAnnotations`: hints of the author of the tool. Absent: it has none. */
  readonly annotations?: JsonObject;
  /** The tool's own verdict, which counts where no rule names the tool; null if it has none. */
  readonly byDefault: 'allow' | 'ask_user' | null;
  /** Hash of call id, tool, tool definition, canonical arguments, basis and needs: what an answer is bound to. */
  readonly digest: string;
};
