import type { PolicyDecision } from '@countersign/protocol';

/** What a rule says of commands, made ready for matching. */
export type CommandRule = {
  readonly decision: PolicyDecision;
  /** null: every command. */
  readonly condition: CommandCondition | null;
  readonly allowRedirection: boolean;
};

/**
 * Words as the shell would split them, or a regular expression on words joined
 * by one blank, compiled by an engine that cannot hang and anchored as its rule
 * wants it.
 */
export type CommandCondition =
  | { readonly type: 'prefix' | 'exact'; readonly words: readonly (readonly string[])[] }
  | { readonly type: 'regex'; readonly pattern: { readonly source?: string; test(text: string): boolean } };
