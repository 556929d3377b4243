import { baseName } from '@countersign/kernel';
import type { CommandUnit } from '@countersign/protocol';
import { mayWrite } from './may-write.js';
import { subcommandOf, writesItsFiles } from './writers.js';

/** What a program does to a file that it is given; `both` where that is not known. */
export type Touch = 'reads' | 'writes' | 'both';

const ONLY_WRITES = /^(?:rm|rmdir|unlink|touch|truncate|shred|mkdir|mkfifo|chmod|chown|chgrp|tee|sponge)$/;
const COPIES = /^(?:cp|install|ln|dd)$/;
const TO_DIRECTORY = /^(?:-[a-zA-Z]*t|--target)/;

export function touchOf(
  unit: CommandUnit,
  { path, access, isTarget }: { path: string; access: 'reads' | 'writes'; isTarget: boolean },
): Touch {
  const name = baseName(unit.program ?? '');
  if (access === 'reads') return mayWrite(unit, path) ? 'both' : 'reads';
  if (ONLY_WRITES.test(name)) return 'writes';
  if (COPIES.test(name) && !unit.words.some(({ leading }) => TO_DIRECTORY.test(leading)))
    return isTarget ? 'writes' : 'reads';
  return 'both';
}

/** Programs that go through the folder they run in if they are given no other. */
const LISTS = /^(?:find|fd|fdfind|tree|du|rg)$/;
const TAKES_ALL = /^(?:mv|tar|rsync|zip|7z|find|fd|fdfind|tree|du|rg)$/;
const IF_RECURSIVE = /^(?:ls|rm|cp|chmod|chown|chgrp|scp)$/;
const RECURSIVE = /^(?:-[a-zA-Z]*[rRa]|--(?:rec|arch))/;
const GIT_TREES = /^(?:grep|ls-files|rm|mv|checkout|restore|clean|stash|archive)$/;

/** Whether a program also touches, or lists, what lies below a folder that it is given. */
export function goesBelow({ words, program }: CommandUnit): boolean {
  const name = baseName(program ?? '');
  if (TAKES_ALL.test(name)) return true;
  if (name === 'ls') return words.some(({ leading }) => /^(?:-[a-zA-Z]*R|--rec)/.test(leading));
  if (IF_RECURSIVE.test(name)) return words.some(({ leading }) => RECURSIVE.test(leading));
  if (name === 'git') return GIT_TREES.test(subcommandOf(words));
  return !ONLY_WRITES.test(name) && !COPIES.test(name) && writesItsFiles(name, words);
}

export const beginsHere = (unit: CommandUnit): boolean => {
  const name = baseName(unit.program ?? '');
  if (name === 'git') return /^(?:grep|ls-files)$/.test(subcommandOf(unit.words));
  return LISTS.test(name) || (name === 'ls' && goesBelow(unit));
};
