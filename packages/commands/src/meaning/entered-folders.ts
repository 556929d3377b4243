import { baseName } from '@countersign/kernel';
import type { CommandAnalysis, CommandWord } from '@countersign/protocol';
import { names, optionValues, readArguments } from '../words/options.js';
import { pathWords } from './path-words.js';

/** Where a command line goes with `cd` and `pushd`: paths count from there, or from where it begins. */
export type EnteredFolders = {
  /** As written, one after the other. */
  readonly moves: readonly string[];
  /** Whether every one of them is a fixed path, so that nothing else can be entered. */
  readonly isKnown: boolean;
  /** Whether a loop or a function may make the same move several times. */
  readonly mayRepeat: boolean;
};

const REPEATS = /\b(?:for|while|until|select|function)\b|\(\s*\)/;

/** Variables and options by which a fixed word leads elsewhere. */
const LEADS_ELSEWHERE = /\b(?:CDPATH|cdable_vars|OLDPWD)\b/;

export function enteredFolders(analysis: CommandAnalysis): EnteredFolders {
  const { isSpelledOut, pathIn } = pathWords(analysis);
  const targets = analysis.units.flatMap(({ program, words }): (CommandWord | null)[] =>
    /^(?:cd|pushd)$/.test(program ?? '') ? [targetOf(words)] : wrapperTargets(baseName(program ?? ''), words),
  );
  const isFixed = (word: CommandWord | null): boolean =>
    word === null || (isSpelledOut(word) && !mayBeSeveral(word) && !word.outline.startsWith('-'));
  const isKnown = targets.every(isFixed) && (targets.length === 0 || !LEADS_ELSEWHERE.test(analysis.text));
  const moves = targets.map((word) => (word === null ? '~' : (pathIn(word) ?? '')));
  return { moves, isKnown, mayRepeat: REPEATS.test(analysis.text) };
}

/** The word that names the folder; null if none does, which means home. */
function targetOf(words: readonly CommandWord[]): CommandWord | null {
  const given = words.slice(1);
  const at = given.findIndex(({ text }) => !/^-(?:[LPen@]+|-)$/.test(text ?? ''));
  return given[at] ?? null;
}

/** `env -C folder program`, and the same of sudo. */
function wrapperTargets(name: string, words: readonly CommandWord[]): CommandWord[] {
  if (name !== 'env' && name !== 'sudo') return [];
  const valued = name === 'env' ? 'uCS' : 'ugpCcrtTUhDR';
  const tokens = readArguments(words, {
    valued,
    valuedLong: names('unset chdir user group host prompt'),
    stopsAtOperand: true,
  });
  const option = name === 'env' ? /^(?:-C|--c.*)$/ : /^(?:-D|--chd.*)$/;
  return optionValues(tokens, option);
}

/** Patterns and braces, of which bash makes the names of folders. */
const mayBeSeveral = ({ text, outline }: CommandWord): boolean =>
  text === null && /[*?[{]|[@+!]\(/.test(outline);
