import type { Readable, Writable } from 'node:stream';
import { visible } from './terminal/visible.js';

/** What a command reads and writes; handed in, so that nothing reaches for the process behind one's back. */
export type Io = {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Calls back on each Ctrl-C; returns how to stop listening. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** What Ctrl-C does, for whoever takes the keys of the terminal. */
  readonly interrupt: () => void;
};

/** Words for a person. Ids, paths and names in them come from anywhere, so what could act on a terminal is shown instead. */
export const say = (io: Io, text: string) => io.stderr.write(`${visible(text)}\n`);
export const printJson = (io: Io, value: unknown) => io.stdout.write(`${JSON.stringify(value)}\n`);
