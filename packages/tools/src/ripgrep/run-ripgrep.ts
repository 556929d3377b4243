import { errnoOf, type HeldDirectory } from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';
import { type Ripgrep, startRipgrep } from './confined-ripgrep.js';
import { CHOICE_VARIABLE } from './find-ripgrep.js';

export type RipgrepWork = {
  readonly ripgrep: Ripgrep;
  /** The tree to work on: where it runs, so that no path can be exchanged meanwhile. */
  readonly directory: HeldDirectory;
  readonly args: readonly string[];
  readonly signal: AbortSignal;
  /** Takes what is printed, as it comes. After `enough` ripgrep is ended. */
  readonly take: (printed: Buffer) => 'more' | 'enough';
};

export type RipgrepEnd = {
  /** null if it was ended early. */
  readonly exitCode: number | null;
  /** What it complained about, as far as that was kept. */
  readonly complaints: string;
};

const COMPLAINTS_CHARS_MAX = 100_000; // one line for each unreadable directory; a thousand are enough

/** Of every run: nothing that lies in the environment or the workspace changes what is done. */
const ALWAYS = [
  '--no-config',
  '--color=never',
  '--no-follow',
  '--hidden',
  '--null',
  '--no-ignore-messages',
  '--no-ignore-dot',
  '--no-ignore-exclude',
  '--no-ignore-global',
  // Ignore files in directories above the workspace do not apply to it.
  '--no-ignore-parent',
  '--no-require-git',
];

export async function runRipgrep(work: RipgrepWork): Promise<RipgrepEnd> {
  const { ripgrep, directory, signal, take } = work;
  signal.throwIfAborted();
  const child = startRipgrep(ripgrep, directory.at('.'), [...ALWAYS, ...work.args, '--', './']);
  let isEndedByUs = false;
  const end = () => {
    isEndedByUs = true;
    child.kill('SIGKILL'); // it has nothing to tidy up
  };
  signal.addEventListener('abort', end);
  let complaints = '';
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.stdout?.on('data', (printed: Buffer) => {
        if (isEndedByUs) return;
        try {
          if (take(printed) === 'enough') end();
        } catch (error) {
          end();
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        complaints += text.slice(0, COMPLAINTS_CHARS_MAX - complaints.length);
      });
      child.on('error', (error) => reject(unusable(ripgrep.program, error)));
      child.on('close', (code, byWhat) => {
        // Bubblewrap reports a signal by an exit code.
        if (code !== null && code > SIGNALLED && !isEndedByUs)
          reject(failed(`ripgrep was terminated by signal ${code - SIGNALLED}`));
        else if (code !== null || isEndedByUs) resolve(code);
        else reject(failed(`ripgrep was terminated by ${byWhat}`));
      });
    });
    signal.throwIfAborted();
    if (complaints.startsWith(NOT_CONFINED))
      throw failed(`ripgrep cannot be confined: ${firstOf(complaints)}`);
    return { exitCode, complaints };
  } finally {
    signal.removeEventListener('abort', end);
  }
}

const SIGNALLED = 128;

/** The prefix of bubblewrap's error messages; it prints nothing else. */
const NOT_CONFINED = 'bwrap: ';

const firstOf = (complaints: string): string => complaints.split('\n')[0] ?? '';

const unusable = (program: string, error: Error): ToolFailure =>
  failed(`ripgrep (${program}) cannot be started: ${errnoOf(error) ?? error.message}`);

/** A failure of ripgrep itself, with how to search without it. */
export const failed = (what: string): ToolFailure =>
  new ToolFailure({
    code: 'execution_failed',
    message: `${what}. Set ${CHOICE_VARIABLE}=none to search without it.`,
  });

/** What could not be read, according to its error messages. Names with line breaks lose all but their last part. */
export function unreadableIn(complaints: string): string[] {
  const named = complaints.matchAll(/^(?:rg: )?(?:\.\/)?(.*): .*\(os error \d+\)$/gm);
  return [...named].map(([, path]) => path ?? '');
}

/** For an option that takes a glob: exactly this name, right below the directory. */
export const globForName = (name: string): string => `/${name.replace(/[\\*?[\]{}!# ]/g, '\\$&')}`;

const EXCLUDED_MAX = 500; // what is not omitted is only visited for nothing

/** Options that keep ripgrep from going into directories of these names. */
export const globsToExclude = (names: readonly string[], where: 'here' | 'anywhere'): string[] =>
  names
    .slice(0, EXCLUDED_MAX)
    .map((name) => (where === 'here' ? `--glob=!${globForName(name)}` : `--glob=!${name}`));
