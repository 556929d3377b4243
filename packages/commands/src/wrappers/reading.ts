import type { CommandConcern, CommandRole, CommandWord } from '@countersign/protocol';
import type { Language } from '../collect/bash-only.js';
import type { VariableUse } from '../collect/collector.js';

/** What a command turns out to be once its words are read. */
export type Reading = {
  readonly role: CommandRole;
  readonly concerns: readonly CommandConcern[];
  readonly runs: readonly Inner[];
};

/** What a command would run in its turn. */
export type Inner =
  | {
      readonly type: 'command';
      readonly words: readonly CommandWord[];
      readonly variables: readonly VariableUse[];
    }
  /** `language`: whose grammar reads it; null for that of the shell around. */
  | { readonly type: 'code'; readonly text: string; readonly language: Language | null };

export const PLAIN: Reading = { role: { type: 'command' }, concerns: [], runs: [] };
export const NEUTRAL: Reading = { role: { type: 'neutral' }, concerns: [], runs: [] };

/** What cannot be known, with whatever of it can be seen: a rule that denies that still denies. */
export const opaque = (why: string, seen: readonly Inner[] = []): Reading => ({
  role: { type: 'opaque', why },
  concerns: [],
  runs: seen,
});

export const command = (words: readonly CommandWord[], variables: readonly VariableUse[] = []): Inner => ({
  type: 'command',
  words,
  variables,
});

/** Words that a shell would join and evaluate. */
export const code = (words: readonly CommandWord[], language: Language | null = null): Inner => ({
  type: 'code',
  text: words.map(({ outline }) => outline).join(' '),
  language,
});

export const areFixed = (words: readonly CommandWord[]): boolean => words.every(({ text }) => text !== null);
