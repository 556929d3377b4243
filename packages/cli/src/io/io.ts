import type { Readable, Writable } from 'node:stream';
import { visible, visibleJson } from '@countersign/display';

/** What a command reads and writes; handed in, so that nothing reaches for the process behind one's back. */
export type Io = {
  readonly stdin: Readable & {
    readonly isTTY?: boolean;
    readonly setRawMode?: (mode: boolean) => unknown;
  };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & {
    readonly isTTY?: boolean;
    readonly columns?: number;
    readonly rows?: number;
  };
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Calls back on each Ctrl-C; returns how to stop listening. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** What Ctrl-C does, for code that reads keys from the terminal itself. */
  readonly interrupt: () => void;
  /** While another program has the terminal, Ctrl-C is meant for it; returns how to take it back. */
  readonly ignoreInterrupts: () => () => void;
};

/** Words for a person. Ids, paths and names in them come from anywhere, so what could act on a terminal is shown instead. */
export const say = (io: Io, text: string) => io.stderr.write(`${visible(text)}\n`);
/** A line for a program, which in a terminal a person reads instead. */
export function printJson({ stdout }: Io, value: unknown): void {
  const json = JSON.stringify(value);
  stdout.write(`${stdout.isTTY ? visibleJson(json) : json}\n`);
}
