import { baseName } from '@countersign/kernel';
import type { CommandWord, WordValue } from '@countersign/protocol';
import { names } from '../words/options.js';
import { withoutStart } from '../words/word.js';
import { readFd, readFind, readXargs } from './argument-wrappers.js';
import { CODE_WRAPPERS } from './code-wrappers.js';
import { PLAIN_WRAPPERS, readPlainWrapper } from './plain-wrappers.js';
import { command, NEUTRAL, opaque, PLAIN, type Reading } from './reading.js';
import { readShell, SHELLS } from './shells.js';

/** Commands that change nothing outside of the shell that runs them (SEMANTICS 1.3, 3). */
const NEUTRAL_COMMANDS: ReadonlySet<string> = new Set(
  names(': true false test [ exit return break continue wait shift'),
);

/** What kind of command this is, and what it would run in its turn. `listed`: the names that its input consists of. */
export function readCommand(
  words: readonly CommandWord[],
  listed: readonly WordValue[] | null = null,
): Reading {
  const [first] = words;
  const program = first?.text ?? null;
  if (program === null) return opaque('which program it runs is known only when it runs');
  // In zsh `=rm` is the path of rm.
  if (first !== undefined && program.startsWith('=')) {
    return opaque('which program it runs is not known', [
      command([withoutStart(first, 1), ...words.slice(1)]),
    ]);
  }
  if (NEUTRAL_COMMANDS.has(program)) return NEUTRAL;
  const name = baseName(program);
  const reading = readKnown(words, name, name === program, listed);
  // A program of that name elsewhere may be anything: it needs a rule, whatever it seems to wrap.
  return name === program || reading.role.type !== 'neutral' ? reading : { ...reading, role: PLAIN.role };
}

function readKnown(
  words: readonly CommandWord[],
  name: string,
  isPlainName: boolean,
  listed: readonly WordValue[] | null,
): Reading {
  if (SHELLS.has(name)) return readShell(words, name, isPlainName);
  if (name === 'xargs') return readXargs(words, listed);
  if (name === 'find') return readFind(words);
  if (name === 'fd' || name === 'fdfind') return readFd(words);
  if (name === 'command' && isLookup(words)) return NEUTRAL;
  if (Object.hasOwn(CODE_WRAPPERS, name)) return CODE_WRAPPERS[name]?.(words) ?? PLAIN;
  const wrapper = Object.hasOwn(PLAIN_WRAPPERS, name) ? PLAIN_WRAPPERS[name] : undefined;
  return wrapper === undefined ? PLAIN : readPlainWrapper(words, wrapper);
}

/** `command -v name` only prints what the name means. */
function isLookup(words: readonly CommandWord[]): boolean {
  const option = words.slice(1).find(({ text }) => text !== '-p')?.text;
  return option === '-v' || option === '-V' || option === '-pv' || option === '-pV';
}
