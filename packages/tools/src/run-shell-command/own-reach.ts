import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { orNull } from '@countersign/host';
import type { CommandAnalysis, CommandUnit, DeclaredResource } from '@countersign/protocol';
import type { ShellOptions } from '../confined-command/options.js';
import { ownText } from './own-text.js';

/**
 * What of a command line leads to this program or its files although no word is
 * its name: a symlink, a pattern, the address of its server, text that names its
 * files. By the words alone it is recognised in `kernel/src/policy/command-line/own-program.ts`.
 */
export function ownReach(
  analysis: CommandAnalysis,
  directory: string,
  { program, ours, ownPorts }: Pick<ShellOptions, 'program' | 'ours' | 'ownPorts'>,
): DeclaredResource[] {
  const { units, text } = analysis;
  const ports = /\d/.test(text) ? ownPorts() : [];
  const named = ownText(analysis, directory, { ours, ports });
  const found: DeclaredResource[] = [];
  // As a write: a read that is guarded does not ask in yolo.
  const ask = (guarded: string) => found.push({ kind: 'fs.write', path: directory, scope: 'tree', guarded });
  if (named.runsUs || (program !== null && units.some((unit) => startsFrom(unit, directory, program))))
    found.push({ kind: 'opaque', why: 'run Countersign itself, by another name', ours: true });
  const pattern = units.map(patternForUs).find((each) => each !== null);
  if (pattern?.isCertain)
    found.push({ kind: 'opaque', why: `run what may be Countersign itself, ${pattern.word}`, ours: true });
  else if (pattern) ask(`${pattern.word} may expand to Countersign itself`);
  if (named.file !== null)
    found.push({
      kind: 'opaque',
      why: `touch ${named.file}, one of Countersign's own files (settings, permissions, records, keys of models)`,
      ours: true,
    });
  const port =
    ports.find((each) => namesAddress(units, each)) ?? (named.port?.isHere ? named.port.number : null);
  if (port !== null) found.push({ kind: 'net', host: `127.0.0.1:${port}`, access: 'write', ours: true });
  else if (named.port !== null) ask(`${named.port.number} is the port of Countersign's own server`);
  return found;
}

const OWN_NAMES = ['countersign', 'countersign.js', 'countersign.cjs', 'countersign.mjs'];

/** A command word that is a pattern, and could become our name; certain if it has letters of its own. */
function patternForUs({ words }: CommandUnit): { readonly word: string; readonly isCertain: boolean } | null {
  const [first] = words;
  if (first === undefined || first.text !== null || !/[*?[{(]/.test(first.source)) return null;
  const name = withoutOddParts(first.source.replace(/["'\\]/g, '')).replace(/^.*\//s, '');
  const pattern = new RegExp(`^${expressionOf(name)}$`, 'i');
  if (!OWN_NAMES.some((own) => pattern.test(own))) return null;
  return { word: `\`${first.source}\``, isCertain: /[a-z]/i.test(name) };
}

/** Ranges, braces within braces and extended patterns may stand for anything. */
const withoutOddParts = (source: string): string =>
  source.replace(/\{.*(?:\{|\.\.).*\}/s, '*').replace(/[?*+@!]\(.*\)/s, '*');

/** What a pattern of the shell stands for, as a regular expression; a brace or bracket that is not closed is itself. */
const expressionOf = (name: string): string =>
  name.replace(/\{([^{}]*)\}|\*+|\?|\[[^\]]+\]|[^]/g, (part, alternatives?: string) => {
    if (alternatives !== undefined) return `(?:${alternatives.split(',').map(expressionOf).join('|')})`;
    if (part.startsWith('*')) return '.*';
    return part === '?' || part.length > 1 ? '.' : part.replace(/[\\^$.+*?()[\]{}|]/, String.raw`\$&`);
  });

const WORDS_MAX = 4; // the program, options of an interpreter, and the script it is given

/** Whether one of the first words is a file of this program, by its real path. */
function startsFrom({ words }: CommandUnit, directory: string, program: string): boolean {
  return (
    words.slice(0, WORDS_MAX).some(({ text }, at) => {
      if (text === null || (at > 0 && text.startsWith('-')) || (at === 0 && !text.includes('/')))
        return false;
      const real = orNull(() => realpathSync(resolve(directory, text)));
      return real !== null && (real === program || dirname(real) === dirname(program));
    }) && isRun(words.map(({ text }) => text))
  );
}

/** Reading the program's file is not running it. */
const isRun = ([first]: readonly (string | null)[]): boolean =>
  first === undefined || first === null || first.includes('/') || RUNS_FILES.test(first);
const RUNS_FILES = /^(?:node|nodejs|deno|bun|tsx|ts-node|electron|bash|sh|zsh|dash|\.|source|exec)[\d.]*$/;

const LOOPBACK = String.raw`(?:127(?:\.\d{1,3}){1,3}|0x7f[\da-f]*|2130706433|0(?:\.0\.0\.0)?|localhost|[\w.-]+\.localhost|ip6-localhost|\[?(?:0{0,4}:){2,7}0{0,3}1?\]?|\[?::ffff:[\d.:a-f]+\]?)`;

/** `http://127.0.0.1:7446/`, `localhost 7446`, `/dev/tcp/localhost/7446`: this machine and the port, in words of one command. */
function namesAddress(units: CommandAnalysis['units'], port: number): boolean {
  const together = new RegExp(`(?:^|[^\\w.])${LOOPBACK}\\.?[:/ ]0*${port}(?!\\d)`, 'i');
  return units.some(({ words, redirects }) => {
    const line = [
      ...(PRINTERS.test(words[0]?.text ?? '') ? [] : words.map(({ outline }) => outline)),
      ...redirects.map(({ target }) => target?.outline ?? ''),
    ];
    return together.test(line.join(' '));
  });
}

const PRINTERS = /^(?:echo|printf|grep|egrep|fgrep|rg|gh|cat|ls)$/;
