import { baseName } from '@countersign/kernel';
import type { CommandAnalysis, CommandUnit, CommandWord } from '@countersign/protocol';
import { folderIn } from './effects.js';
import { type PathWords, pathWords } from './path-words.js';
import { looksOnly } from './read-only.js';

/** Paths that a command line names in so many words, whatever it does to them: there may be others. */
export type NamedPaths = {
  /** What it writes, removes or makes. */
  readonly written: readonly string[];
  /** What it is given, for whatever it does. */
  readonly given: readonly string[];
  /** Where it goes with `cd`: paths count from there, or from where it begins. */
  readonly folders: readonly string[];
};

/** Programs that are given files in order to change them. */
const WRITERS =
  /^(?:cp|mv|rm|rmdir|unlink|ln|tee|touch|truncate|shred|install|mkdir|mkfifo|chmod|chown|chgrp|dd|rsync|sed|patch|tar|unzip)$/;

export function namedPaths(analysis: CommandAnalysis): NamedPaths {
  const words = pathWords(analysis);
  const written = new Set<string>();
  const given = new Set<string>();
  const folders = new Set<string>();
  for (const unit of analysis.units) {
    for (const { effect, target } of unit.redirects) {
      if (target === null || effect === 'none' || effect === 'network') continue;
      add(target, words, effect === 'writes' ? written : given);
    }
    if (/^(?:cd|pushd)$/.test(unit.program ?? '')) folders.add(folderIn(unit.words, words.pathIn));
    const into = WRITERS.test(baseName(unit.program ?? '')) ? written : given;
    for (const word of argumentsOf(unit)) add(word, words, into);
  }
  return { written: [...written], given: [...given], folders: [...folders] };
}

function add(word: CommandWord, { isSpelledOut, pathIn }: PathWords, paths: Set<string>): void {
  const path = isSpelledOut(word) ? pathIn(word) : null;
  // `dd if=… of=…`
  if (path !== null) paths.add(path.replace(/^(?:if|of)=/, ''));
}

/** What is only printed is no path. */
const argumentsOf = ({ standing, words }: CommandUnit): readonly CommandWord[] => {
  const isForPrinting = standing.type === 'command' && looksOnly(words) === 'at-nothing';
  return standing.type === 'neutral' || isForPrinting ? [] : words.slice(1);
};
