import { baseName } from '@countersign/kernel';
import type { CommandAnalysis, CommandWord } from '@countersign/protocol';
import { GIT_GLOBAL } from '../escapes/git.js';
import { optionValues, readArguments } from '../words/options.js';
import { pathWords } from './path-words.js';

/** A call of git in a command line, by the repository that it is about. */
export type GitCall = {
  /** Its sub-command; null if that is not known. */
  readonly command: string | null;
  /** The directories that it changes to, one after the other (`-C`). */
  readonly directories: readonly string[];
  /** The repository that it names; null for the one that it finds. */
  readonly gitDirectory: string | null;
  /** Whether which repository it means is known before it runs. */
  readonly isKnown: boolean;
};

/** Programs of the shipped rules that run git by themselves. */
const RUN_GIT = /^go$/;

export function gitCalls(analysis: CommandAnalysis): readonly GitCall[] {
  return analysis.units.flatMap(({ words, program, role }): GitCall[] => {
    const name = baseName(program ?? '');
    if (role.type === 'opaque') return [];
    if (RUN_GIT.test(name) && words[1]?.text === 'list') return [FOUND];
    return name === 'git' ? (readCall(words, analysis) ?? []) : [];
  });
}

const FOUND: GitCall = { command: 'status', directories: [], gitDirectory: null, isKnown: true };

function readCall(words: readonly CommandWord[], analysis: CommandAnalysis): GitCall[] | null {
  const { isSpelledOut, pathIn } = pathWords(analysis);
  const globals = readArguments(words, GIT_GLOBAL);
  const command = globals.find(({ type }) => type === 'operand')?.word.text ?? null;
  // Git prints its version and the place of its programs without a repository.
  if (
    command === null &&
    words.length === 2 &&
    /^--(?:version|exec-path|html-path)$/.test(words[1]?.text ?? '')
  )
    return null;
  const moves = optionValues(globals, /^-C$/);
  const given = optionValues(globals, /^--git-dir$/);
  // A variable may be set by the line itself, or for this command alone.
  const setsDirectory = /\bGIT_(?:DIR|COMMON_DIR|WORK_TREE|CONFIG\w*)\b/.test(analysis.text);
  const isKnown = [...moves, ...given].every(isSpelledOut) && !setsDirectory;
  const [gitDirectory = null] = given.slice(-1).map(pathIn);
  return [{ command, directories: moves.flatMap((word) => pathIn(word) ?? []), gitDirectory, isKnown }];
}
