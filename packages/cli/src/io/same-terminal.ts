import { fstatSync } from 'node:fs';
import type { Io } from './io.js';

type Stream = Io['stdin'] | Io['stdout'] | Io['stderr'];

/** Whether a person can be asked: what is written to standard error is read by who types. */
export const canAsk = ({ stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>): boolean =>
  stdin.isTTY === true && stderr.isTTY === true && isSameTerminal(stdin, stderr);

/** A question that is written to another terminal than the one with the keyboard is seen by nobody who could answer it. */
export function isSameTerminal(one: Stream, other: Stream): boolean {
  const [first, second] = [terminalOf(one), terminalOf(other)];
  return first === null || second === null || first === second;
}

/** /dev/tty, which is the terminal of the process, whichever that is. */
const CONTROLLING = (5 << 8) | 0;

/** The number of the terminal; null if that says nothing. */
function terminalOf(stream: Stream): number | null {
  if (!('fd' in stream) || typeof stream.fd !== 'number') return null;
  try {
    const { rdev } = fstatSync(stream.fd);
    return rdev === 0 || rdev === CONTROLLING ? null : rdev;
  } catch {
    return null;
  }
}
