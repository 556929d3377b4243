import type { CommandAnalysis } from '@countersign/protocol';
import { folderIn } from './effects.js';
import { pathWords } from './path-words.js';

/** Where a command line goes with `cd` and `pushd`: paths count from there, or from where it begins. */
export function enteredFolders(analysis: CommandAnalysis): readonly string[] {
  const words = pathWords(analysis);
  const folders = analysis.units
    .filter(({ program }) => /^(?:cd|pushd)$/.test(program ?? ''))
    .map((unit) => folderIn(unit.words, words.pathIn));
  return [...new Set(folders)];
}
