import type { CommandAnalysis } from '@countersign/protocol';
import { folderIn } from './effects.js';
import { pathUses } from './path-uses.js';
import { pathWords } from './path-words.js';

/** Paths that a command line names in so many words, whatever it does to them: there may be others. */
export type NamedPaths = {
  /** What it writes, removes or makes. */
  readonly written: readonly string[];
  /** What it is given, for whatever it does. */
  readonly given: readonly string[];
  /** Where it goes with `cd`: paths count from there, or from where it begins. */
  readonly folders: readonly string[];
};

export function namedPaths(analysis: CommandAnalysis): NamedPaths {
  const words = pathWords(analysis);
  const uses = pathUses(analysis);
  const named = (access: 'reads' | 'writes') => [
    ...new Set(uses.filter((use) => use.access === access).map(({ path }) => path)),
  ];
  const folders = analysis.units
    .filter(({ program }) => /^(?:cd|pushd)$/.test(program ?? ''))
    .map((unit) => folderIn(unit.words, words.pathIn));
  return { written: named('writes'), given: named('reads'), folders: [...new Set(folders)] };
}
