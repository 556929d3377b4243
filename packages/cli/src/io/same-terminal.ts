import { fstatSync } from 'node:fs';
import type { Io } from './io.js';

type Stream = Io['stdin'] | Io['stdout'] | Io['stderr'];

/** Whether the user can be asked: standard input and standard error must be the same terminal. */
export const canAsk = ({ stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>): boolean =>
  stdin.isTTY === true && stderr.isTTY === true && isSameTerminal(stdin, stderr);

/** A question on another terminal than the keyboard's would not be seen by the user who types. */
export function isSameTerminal(one: Stream, other: Stream): boolean {
  const [first, second] = [terminalOf(one), terminalOf(other)];
  return first === null || second === null || first === second;
}

/** The device number of /dev/tty, the controlling terminal. */
const CONTROLLING = (5 << 8) | 0;

/** The device number of the terminal; null if unknown. */
function terminalOf(stream: Stream): number | null {
  if (!('fd' in stream) || typeof stream.fd !== 'number') return null;
  try {
    const { rdev } = fstatSync(stream.fd);
    return rdev === 0 || rdev === CONTROLLING ? null : rdev;
  } catch {
    return null;
  }
}
