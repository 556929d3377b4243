import type { CommandAnalysis } from '@countersign/protocol';

/** The name of every command that a person is asked about, once each, in the order in which they stand. */
export function rootCommands({ units }: CommandAnalysis): readonly string[] {
  const named = units.filter(({ words }) => words.length > 0);
  const telling = named.filter(({ role }) => role.type !== 'neutral');
  const shown = telling.length > 0 ? telling : named;
  return [...new Set(shown.map(({ program, words }) => program ?? words[0]?.source ?? '?'))];
}
