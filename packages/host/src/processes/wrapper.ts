import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { once } from '../once.js';
import { type CommandFiles, pidFileOf, writeScript } from './command-files.js';
import type { CommandEnvironment } from './environment.js';
import { bootId } from './process-table.js';

export type Confine = {
  /** Turns a command's words into those that run it confined. */
  readonly words: (argv: readonly string[]) => readonly string[];
  /**
   * What it reads instead of input: its descriptors reach past the sandbox, so that the machine's own /dev/null would not
   * be safe from a command that may change its mode.
   */
  readonly input: string;
  /** What is different for a confined command. */
  readonly environment: CommandEnvironment;
};

const WAIT_THROUGH_SIGNALS = 'trap : HUP INT QUIT USR1 USR2 TERM';

/**
 * Runs a command and outlives the process that started it. Its first act is to create
 * the file that says so; where that exists already, the start was called off
 * and nothing is run. It waits through signals, so that its last act, writing
 * down how the command ended, is omitted only if it is killed.
 */
const BEGIN = `set -C
echo "$$ $2" 2>/dev/null >"$1" || exit 125
${WAIT_THROUGH_SIGNALS}
shift 2
`;

/**
 * In a subshell, so that the shell's own message about the end ("Killed")
 * goes where the exit code goes, and not into the output.
 */
const RUN = '(exec "$@" 2>&1); echo "exit $?" >&2';

/**
 * A sandbox distinguishes neither a signal from a code nor its own complaints
 * from the command's. So it is kept out of the output, and a shell inside does the same.
 */
const RUN_CONFINED = '(exec "$@"); echo "exit $?" >&2';
const RUN_INSIDE = `${WAIT_THROUGH_SIGNALS}
(exec "$@" 2>&1); exit $?`;

/**
 * Output passes through a process whose files the system limits: a command that floods it is ended by the closed pipe,
 * at exactly this size, also when the program that started it is gone. The limit cannot be the command's own, whose other
 * files may be larger. A command that opens /dev/stdout again would also empty a file that stood behind it.
 */
const throughPipe = (run: string, bytesMax: number) => `{ ${WAIT_THROUGH_SIGNALS}; ${run}; } |
{ trap '' HUP INT QUIT USR1 USR2 TERM XFSZ; ulimit -f ${Math.ceil(bytesMax / LIMIT_UNIT_BYTES)}; exec cat 2>/dev/null; }`;
/** What `ulimit -f` of a POSIX shell counts in. */
const LIMIT_UNIT_BYTES = 512;

export type Start = {
  readonly files: CommandFiles;
  /** Which try this is; see `pidFileOf`. */
  readonly number: number;
  readonly command: string;
  readonly directory: string;
  readonly environment: CommandEnvironment;
  /** null for a command that may do all that we may. */
  readonly confine: Confine | null;
  /** The open file that takes all output. */
  readonly output: number;
  /** The size at which the output ends, and with it the command. */
  readonly outputBytesMax: number;
};

/** A leader of its own session: no terminal of ours reaches it, nor a signal that is meant for us. */
export function startWrapper(start: Start): ChildProcess {
  const { files, confine } = start;
  const run = confine === null ? RUN : RUN_CONFINED;
  const script = BEGIN + throughPipe(run, start.outputBytesMax);
  const pidFile = pidFileOf(files, start.number);
  // A process with the name of that file among its arguments is a supervisor: it only waits for the command.
  const argv = confine?.words(['/bin/sh', '-c', RUN_INSIDE, pidFile, ...shellFor(start)]) ?? shellFor(start);
  // The first start of a call is the first thing to happen in its directory; anything else is another call's.
  const exit = openSync(files.exit, start.number === 1 ? 'ax' : 'a', 0o600);
  let input: number | null = null;
  try {
    input = openSync(confine?.input ?? '/dev/null', 'r');
    return spawn('/bin/sh', ['-c', script, 'sh', pidFile, bootId(), ...argv], {
      cwd: start.directory,
      env: start.environment,
      stdio: [input, start.output, exit],
      detached: true,
    });
  } finally {
    if (input !== null) closeSync(input);
    closeSync(exit);
  }
}

/** Linux takes no single argument longer than 128 KB. */
const ARGUMENT_BYTES_MAX = 120_000;

function shellFor({ files, command }: Start): string[] {
  const isLong = Buffer.byteLength(command) > ARGUMENT_BYTES_MAX;
  return isLong ? [shell(), writeScript(files, command)] : [shell(), '-c', command];
}

const shell = once(
  (): string =>
    ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((path) => existsSync(path)) ?? '/bin/sh',
);
