import type { PolicyDecision } from '@countersign/protocol';
import { analyzeCommand } from '../analyze-command.js';

/** A regular expression, compiled by an engine that can not hang, and anchored as its rule wants it. */
export type CommandPattern = { test(text: string): boolean };

/** What a rule says of commands, made ready for matching. */
export type CommandRule = {
  readonly decision: PolicyDecision;
  /** null: every command. */
  readonly condition: CommandCondition | null;
  readonly allowRedirection: boolean;
};

export type CommandCondition =
  | { readonly type: 'prefix' | 'exact'; readonly words: readonly (readonly string[])[] }
  | { readonly type: 'regex'; readonly pattern: CommandPattern };

/** The text of a rule as the shell would split it. What is not one plain command is split at blanks. */
export function splitRuleText(text: string): readonly string[] {
  const { problem, units } = analyzeCommand(text);
  const words = units[0]?.words.map((word) => word.text) ?? [];
  const fixed = words.filter((word) => word !== null);
  const isPlain =
    problem === null && units[0]?.span.end === text.trimEnd().length && fixed.length === words.length;
  return isPlain && fixed.length > 0 ? fixed : text.split(/\s+/).filter((word) => word !== '');
}
