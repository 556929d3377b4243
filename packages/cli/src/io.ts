import type { Readable, Writable } from 'node:stream';

/** What a command reads and writes; handed in, so that nothing reaches for the process behind one's back. */
export type Io = {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Calls back on each Ctrl-C; returns how to stop listening. */
  readonly onInterrupt: (listener: () => void) => () => void;
};

export const say = (io: Io, text: string) => io.stderr.write(`${text}\n`);
export const printJson = (io: Io, value: unknown) => io.stdout.write(`${JSON.stringify(value)}\n`);
