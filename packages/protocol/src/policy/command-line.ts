/** A half-open range of UTF-16 units in the text of the command line. */
export type Span = { readonly start: number; readonly end: number };

/** What a command line would run, as far as that is known without running it. */
export type CommandAnalysis = {
  readonly text: string;
  /** Why no program can be given this text at all; null for nearly every text. */
  readonly invalid: string | null;
  /** Why the text is not, or not wholly, understood as bash; null when it is. Then `units` may be incomplete. */
  readonly problem: string | null;
  readonly hiddenCharacters: readonly HiddenCharacter[];
  /** Text in quotes that bash would evaluate once more, and so run what it holds. */
  readonly evaluations: readonly CommandEvaluation[];
  /** Every command anywhere in the text, outer before inner. Branches that may not be taken count. */
  readonly units: readonly CommandUnit[];
};

export type CommandEvaluation = { readonly why: string; readonly span: Span };

/** One command: a simple command of bash, or what a wrapper such as `timeout` or `bash -c` would run. */
export type CommandUnit = {
  /** The command word and its arguments; empty for a bare assignment or redirection. */
  readonly words: readonly CommandWord[];
  /** The command word; null when there is none or it is not fixed. */
  readonly program: string | null;
  readonly role: CommandRole;
  /** The wrappers it was reached through, outermost first. */
  readonly via: readonly string[];
  readonly span: Span;
  readonly redirects: readonly CommandRedirect[];
  /** Whether its input comes from a pipe, a here-document or a here-string. */
  readonly input: 'own' | 'given';
  readonly concerns: readonly CommandConcern[];
};

export type CommandRole =
  /** Runs a program or builtin: needs a rule that allows it. */
  | { readonly type: 'command' }
  /** Changes nothing (`true`, an ordinary assignment), or only runs what is judged on its own (`env`). */
  | { readonly type: 'neutral' }
  /** What it runs cannot be known. */
  | { readonly type: 'opaque'; readonly why: string };

export type CommandRedirect = {
  readonly operator: string;
  /** null for here-documents. */
  readonly target: CommandWord | null;
  readonly effect: 'writes' | 'reads' | 'network' | 'none';
  readonly span: Span;
};

/** What keeps a rule that allows a program from allowing this use of it. */
export type CommandConcern =
  | { readonly type: 'redirect'; readonly to: 'file' | 'network'; readonly why: string; readonly span: Span }
  | { readonly type: 'variable'; readonly name: string; readonly why: string; readonly span: Span }
  /** An option or argument that makes the program do more than its kind; `word` is what a rule must name to allow it. */
  | { readonly type: 'escape'; readonly word: string | null; readonly why: string; readonly span: Span }
  /** A shell that takes code from its input or from a start-up file. */
  | { readonly type: 'code'; readonly why: string; readonly span: Span };

/** One argument of a command, as far as it is known before the command runs. */
export type CommandWord = {
  /** What the program is given; null when that is known only when it runs. */
  readonly text: string | null;
  /** How every word it can become begins; '' when that is not known. */
  readonly leading: string;
  /** Whether it is one word, or can become several or none (globs, braces, unquoted variables). */
  readonly count: 'one' | 'any';
  /** `text`, with a variable in the place of each part that is not known. */
  readonly outline: string;
  /** As written. */
  readonly source: string;
  readonly span: Span;
  /** Every path or pattern that a word which is not fixed can be; absent when that is known only when it runs. */
  readonly values?: readonly WordValue[];
};

export type WordValue =
  | { readonly type: 'path'; readonly path: string }
  /** Bash replaces it by the names of the files that match. */
  | { readonly type: 'pattern'; readonly path: string }
  /** The names of files below a folder, as another program lists them. */
  | {
      readonly type: 'below';
      readonly path: string;
      /** Which names are listed, as a pattern; null for all. */
      readonly name: string | null;
      readonly hidden: boolean;
      /** Whether a name with blanks or quotes becomes several words, which can be anything. */
      readonly splits: boolean;
    };

/** A character that a person who reads the command does not see, or that changes what they see. */
export type HiddenCharacter = { readonly codePoint: number; readonly span: Span };
