import { isGlob, matchesGlob } from '@countersign/kernel';
import type { PolicyDecision } from '@countersign/protocol';

/** The tools behind each alias, by their own names. Several may share one: `edit` is `write_file` or `replace`. */
export type ToolAliases = ReadonlyMap<string, readonly string[]>;

export const NO_ALIASES: ToolAliases = new Map();

/**
 * The tools that the names of a rule mean, by the names that policy sees. An
 * alias means every tool that answers to it: which one a call reaches is decided
 * by its arguments, and a rule has to hold for all of them.
 *
 * A pattern is kept, and where the rule denies or asks it reaches aliases too. A
 * pattern that allows does not: `s*` was not written to allow `shell`.
 */
export function toolsMeant(
  names: readonly string[],
  decision: PolicyDecision | null,
  aliases: ToolAliases,
): readonly string[] {
  return [
    ...new Set(
      names.flatMap((name) =>
        isGlob(name)
          ? [name, ...(decision === 'allow' ? [] : behindPattern(name, aliases))]
          : (aliases.get(name) ?? [name]),
      ),
    ),
  ];
}

const behindPattern = (pattern: string, aliases: ToolAliases): readonly string[] =>
  [...aliases].flatMap(([alias, tools]) => (matchesGlob(pattern, alias) ? tools : []));
