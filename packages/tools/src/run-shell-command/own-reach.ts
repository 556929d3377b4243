import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { CommandAnalysis, CommandUnit, DeclaredResource } from '@countersign/protocol';
import type { ShellOptions } from './options.js';

/**
 * What of a command line leads to this program although it does not name it: a
 * symlink to its file, or the address of its server. By the words alone it is
 * recognised in `kernel/src/policy/command-line/own-program.ts`.
 */
export function ownReach(
  { units, text }: CommandAnalysis,
  directory: string,
  { program, ownPorts }: Pick<ShellOptions, 'program' | 'ownPorts'>,
): DeclaredResource[] {
  const found: DeclaredResource[] = [];
  if (program !== null && units.some((unit) => startsFrom(unit, directory, program)))
    found.push({ kind: 'opaque', why: 'run Countersign itself, by another name', ours: true });
  const port = /\d/.test(text) ? ownPorts().find((each) => namesAddress(units, each)) : undefined;
  if (port !== undefined) found.push({ kind: 'net', host: `127.0.0.1:${port}`, access: 'write', ours: true });
  return found;
}

const WORDS_MAX = 4; // the program, options of an interpreter, and the script it is given

/** Whether one of the first words is a file of this program, by its real path. */
function startsFrom({ words }: CommandUnit, directory: string, program: string): boolean {
  return (
    words.slice(0, WORDS_MAX).some(({ text }, at) => {
      if (text === null || (at > 0 && text.startsWith('-')) || (at === 0 && !text.includes('/')))
        return false;
      const real = realOf(resolve(directory, text));
      return real !== null && (real === program || dirname(real) === dirname(program));
    }) && isRun(words.map(({ text }) => text))
  );
}

/** Reading the program's file is not running it. */
const isRun = ([first]: readonly (string | null)[]): boolean =>
  first === undefined || first === null || first.includes('/') || RUNS_FILES.test(first);
const RUNS_FILES = /^(?:node|nodejs|deno|bun|tsx|ts-node|electron|bash|sh|zsh|dash|\.|source|exec)[\d.]*$/;

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

const LOOPBACK = String.raw`(?:127(?:\.\d{1,3}){1,3}|0x7f[\da-f]*|2130706433|0(?:\.0\.0\.0)?|localhost|[\w.-]+\.localhost|ip6-localhost|\[?(?:0{0,4}:){2,7}0{0,3}1?\]?|\[?::ffff:[\d.:a-f]+\]?)`;

/** `http://127.0.0.1:7446/`, `localhost 7446`, `/dev/tcp/localhost/7446`: this machine and the port, in words of one command. */
function namesAddress(units: CommandAnalysis['units'], port: number): boolean {
  const together = new RegExp(`(?:^|[^\\w.])${LOOPBACK}\\.?[:/ ]0*${port}(?!\\d)`, 'i');
  return units.some(({ words, redirects }) => {
    if (PRINTERS.test(words[0]?.text ?? '')) return false;
    const line = [
      ...words.map(({ outline }) => outline),
      ...redirects.map(({ target }) => target?.outline ?? ''),
    ];
    return together.test(line.join(' '));
  });
}

const PRINTERS = /^(?:echo|printf|grep|egrep|fgrep|rg|git|gh|cat|ls)$/;
