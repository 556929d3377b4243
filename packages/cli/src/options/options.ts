import { fileURLToPath } from 'node:url';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { APPROVAL_MODES, type ApprovalMode } from '@countersign/protocol';
import { messageOf, usage } from '../io/failure-text.js';

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<T extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: T; allowPositionals: true; strict: true }>
>;

/** Reads the options of a command; an error names the option and the help page. */
export function readOptions<T extends Options>(
  command: string,
  args: readonly string[],
  options: T,
): Parsed<T> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (thrown) {
    const said = messageOf(thrown);
    const option = /^Option '(?:-\w, )?(-[\w-]+).*argument is ambiguous/.exec(said)?.[1];
    if (option !== undefined)
      throw usage(
        `${command}: the value after ${option} begins with "-", so it would be read as an option`,
        `${option}${option.startsWith('--') ? '=' : ''}VALUE, or countersign help ${command}`,
      );
    throw usage(`${command}: ${firstSentence(said)}`, `countersign help ${command}`);
  }
}

const firstSentence = (text: string) => text.split('. ')[0]?.replace(/\.$/, '') ?? text;

/** The names of modes in other programs. */
export const MODE_SPELLINGS: ReadonlyMap<string, ApprovalMode> = new Map([
  ['default', 'manual'],
  ['autoEdit', 'auto_edit'],
  ['auto', 'yolo'],
]);

export function readMode(given: string | undefined): ApprovalMode | undefined {
  if (given === undefined) return undefined;
  const mode = MODE_SPELLINGS.get(given) ?? APPROVAL_MODES.find((known) => known === given);
  if (!mode) throw usage(`"${given}" is not an approval mode`, `--mode ${APPROVAL_MODES.join(' | ')}`);
  return mode;
}

export function readChoice<T extends string>(
  option: string,
  given: string | undefined,
  choices: readonly T[],
): T | undefined {
  if (given === undefined) return undefined;
  const choice = choices.find((known) => known === given);
  if (!choice) throw usage(`"${given}" is not a value of ${option}`, `${option} ${choices.join(' | ')}`);
  return choice;
}

export const readSandbox = (given: string | undefined) =>
  readChoice('--sandbox', given, ['off', 'on', 'required'] as const);

const PORT_MAX = 65_535;

export function readPort(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN;
  if (!(port <= PORT_MAX))
    throw usage(`"${given}" is not a port`, `--port 0 to ${PORT_MAX}; 0 for any free port`);
  return port;
}

/** An empty value is nearly always an unset variable, and would put the store into the current directory. */
export function readStore(given: string | undefined): string | undefined {
  if (given === '') throw usage('--store is empty', '--store DIR, or omit it for the default location');
  if (given === undefined) return given;
  const scheme = /^(file|memory|postgres|postgresql):/.exec(given)?.[1];
  if (scheme === 'file') return pathIn(given);
  if (scheme === 'memory') return IN_MEMORY;
  if (scheme !== undefined)
    throw usage('--store: there are no journals on PostgreSQL yet', '--store DIR, file:DIR or memory:');
  return given;
}

/** The value for a store in memory, which ends with this process. */
export const IN_MEMORY = ':memory:';
export const isKept = (store: string | undefined): boolean => store !== IN_MEMORY;

/** `file:DIR` is relative to the working directory, `file:///DIR` is absolute. */
function pathIn(url: string): string {
  const path = url.slice('file:'.length);
  if (path === '') throw usage(`--store ${url} names no directory`, '--store file:DIR');
  if (!path.startsWith('//')) return path;
  try {
    return fileURLToPath(url);
  } catch (thrown) {
    throw usage(
      `--store ${url}: ${messageOf(thrown)}`,
      '--store file:///DIR with a directory of this machine',
    );
  }
}

/** Extra arguments are an error, and are not ignored. */
export function expectNoMore(command: string, words: readonly string[]): void {
  if (words.length > 0)
    throw usage(`${command}: "${words.join(' ')}" is one argument too many`, `countersign help ${command}`);
}
