import type { Concern, Standing } from '../unit.js';
import type { VariableUse } from '../walk/collector.js';
import type { Word } from '../word.js';

/** What a command turns out to be once its words are read. */
export type Reading = {
  readonly standing: Standing;
  readonly concerns: readonly Concern[];
  readonly runs: readonly Inner[];
};

/** What a command would run in its turn. */
export type Inner =
  | { readonly type: 'command'; readonly words: readonly Word[]; readonly variables: readonly VariableUse[] }
  | { readonly type: 'code'; readonly text: string };

export const PLAIN: Reading = { standing: { type: 'command' }, concerns: [], runs: [] };
export const NEUTRAL: Reading = { standing: { type: 'neutral' }, concerns: [], runs: [] };

/** What can not be known, with whatever of it can be seen: a rule that denies that still denies. */
export const opaque = (why: string, seen: readonly Inner[] = []): Reading => ({
  standing: { type: 'opaque', why },
  concerns: [],
  runs: seen,
});

export const command = (words: readonly Word[], variables: readonly VariableUse[] = []): Inner => ({
  type: 'command',
  words,
  variables,
});

/** Words that a shell would join and evaluate. */
export const code = (words: readonly Word[]): Inner => ({
  type: 'code',
  text: words.map(({ outline }) => outline).join(' '),
});

export const areFixed = (words: readonly Word[]): boolean => words.every(({ text }) => text !== null);
