/**
 * What a session was opened with that decides what may run in it, beside the
 * rules that ship. It is a fact of the session: a process that resumes the session
 * has all of it, and may have more.
 */
export type SessionSetup = {
  /** Files of rules that were loaded. */
  readonly policies: readonly SetupFile[];
  /** Modules of tools that were loaded. */
  readonly tools: readonly SetupFile[];
  /** How commands without approval are confined; absent where the opener does not set it. */
  readonly sandbox?: SandboxSetting;
};

/** `hash` is of the content then. What the file holds now is what counts. */
export type SetupFile = { readonly path: string; readonly hash: string };

/** From the weakest to the strictest. */
export const SANDBOX_SETTINGS = ['off', 'on', 'required'] as const;
export type SandboxSetting = (typeof SANDBOX_SETTINGS)[number];

/** Something that a session was opened with, and that a process lacks that would resume it. */
export type SetupGap =
  | { readonly kind: 'policy' | 'tools'; readonly path: string }
  | { readonly kind: 'sandbox'; readonly was: SandboxSetting; readonly is: SandboxSetting };

/** What to add to a command line to close the gaps. */
export const setupOptions = (gaps: readonly SetupGap[]): string =>
  gaps
    .map((gap) => (gap.kind === 'sandbox' ? `--sandbox ${gap.was}` : `--${gap.kind} ${quoted(gap.path)}`))
    .join(' ');

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
