import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { constants as os } from 'node:os';
import { join } from 'node:path';
import { errnoOf } from '../paths/file-failure.js';

/** What is known of a command on disk, so that another process can take over: wrapper.ts writes them. */
export type CommandFiles = {
  readonly directory: string;
  /** All that the command printed, in the order in which it did. */
  readonly output: string;
  readonly exit: string;
};

export const commandFiles = (directory: string): CommandFiles => ({
  directory,
  output: join(directory, 'output'),
  exit: join(directory, 'exit'),
});

/** Each try to start a command has a file of its own to announce itself in. All but the last try were called off. */
export const pidFileOf = ({ directory }: CommandFiles, start: number): string =>
  join(directory, `pid-${start}`);

export function makeDirectory({ directory }: CommandFiles): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
}

/** Open for the command to add to and for us to read. */
export const openOutput = ({ output }: CommandFiles): number => openSync(output, 'a+', 0o600);

export type Exit = {
  readonly code: number;
  /** The signal that ended it, where it is certain: a command may also choose to end with 128 + n. */
  readonly signal: string | null;
};

/** How the command ended; null if it has not, as far as is written. */
export function readExit({ exit }: CommandFiles): Exit | null {
  const lines = readIfThere(exit)?.split('\n') ?? [];
  // What is not followed by a line break may not be all of it.
  const [, digits] = /^exit (\d+)$/.exec(lines.at(-2) ?? '') ?? [];
  if (digits === undefined) return null;
  const code = Number(digits);
  // The shell prints a word of its own ("Killed") only if it really was a signal.
  const isSignal = code > SIGNAL_BASE && lines.length > 2;
  return { code, signal: isSignal ? signalName(code - SIGNAL_BASE) : null };
}

/** When the exit code was written down: the leader waits for the command, and writes nothing after that. */
export const exitedAt = ({ exit }: CommandFiles): number => Math.round(statSync(exit).mtimeMs);

/** The error of a sandbox that could not be set up; null if the command was started. */
export function readRefusal({ exit }: CommandFiles): string | null {
  const [, complaint = null] = /^bwrap: (.+)\nexit 1\n$/.exec(readIfThere(exit) ?? '') ?? [];
  return complaint;
}

/** Shells report a command that a signal ended with this and the signal's number. */
export const SIGNAL_BASE = 128;

/** `SIGKILL` for 9; null if the system has no such signal. */
export const signalName = (number: number): string | null =>
  Object.entries(os.signals).find(([, value]) => value === number)?.[0] ?? null;

export type Announcement =
  | { readonly type: 'none' }
  /** The file exists, but the process id is not written yet. */
  | { readonly type: 'unfinished' }
  | { readonly type: 'called off' }
  | { readonly type: 'process'; readonly pid: number; readonly boot: string };

const CALLED_OFF = 'called off';

export function readAnnouncement(pidFile: string): Announcement {
  const text = readIfThere(pidFile);
  if (text === null) return { type: 'none' };
  if (text === `${CALLED_OFF}\n`) return { type: 'called off' };
  const [, pid, boot] = /^(\d+) (.*)\n$/.exec(text) ?? [];
  return pid === undefined || boot === undefined
    ? { type: 'unfinished' }
    : { type: 'process', pid: Number(pid), boot };
}

/**
 * Makes sure that a start which has not announced itself never will: the file
 * can be created once. False if the command was faster.
 */
export function callOff(pidFile: string): boolean {
  try {
    const file = openSync(pidFile, 'wx', 0o600);
    writeSync(file, `${CALLED_OFF}\n`);
    closeSync(file);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** A command too long to be an argument. */
export function writeScript({ directory }: CommandFiles, text: string): string {
  const path = join(directory, 'command');
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

const NOTE_BYTES_MAX = 4_096; // such files hold a line or two; longer ones were not written by us

/** The end of a short file; null if there is none. */
function readIfThere(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    const bytes = Buffer.allocUnsafe(NOTE_BYTES_MAX);
    const count = readSync(
      file,
      bytes,
      0,
      NOTE_BYTES_MAX,
      Math.max(0, fstatSync(file).size - NOTE_BYTES_MAX),
    );
    return bytes.toString('utf8', 0, count);
  } finally {
    closeSync(file);
  }
}
