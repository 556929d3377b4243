/** What a grant permits: exactly this and nothing that merely looks like it. */
export type GrantPattern =
  /** Any edit of ordinary files inside the workspace. */
  | { readonly kind: 'edits' }
  | { readonly kind: 'tool'; readonly tool: string }
  /** Commands of exactly these words, or that begin with them; one row of words for each. */
  | {
      readonly kind: 'command';
      readonly match: 'exact' | 'prefix';
      readonly commands: readonly (readonly string[])[];
      /** Where they run, relative to the workspace; omitted for its root, and by earlier versions. */
      readonly directory?: string;
    }
  /** The tool as the server described it when it was shown; `definition` is the hash of that. */
  | {
      readonly kind: 'mcp-tool';
      readonly server: string;
      readonly tool: string;
      readonly definition?: string;
    }
  | { readonly kind: 'mcp-server'; readonly server: string }
  | { readonly kind: 'host'; readonly tool: string; readonly host: string };

export type GrantScope = 'session' | 'project' | 'user';

/**
 * A permission ("always allow"), made by answering a question.
 * It turns ask into allow and never beats a deny.
 */
export type Grant = {
  readonly id: string;
  readonly pattern: GrantPattern;
  readonly scope: GrantScope;
  /** The session id, the workspace path, or '' for the whole user. */
  readonly scopeKey: string;
  /** How many more calls it may allow; null for no limit. */
  readonly uses: number | null;
  /** Milliseconds since 1970; null for never. */
  readonly expiresAt: number | null;
  readonly by: string;
  readonly at: number;
};
