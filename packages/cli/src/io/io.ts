import type { Readable, Writable } from 'node:stream';
import { visible, visibleJson } from '@countersign/display';
import type { EndListener } from './end-signals.js';

/** The streams, environment and signals of a command, passed in instead of read from `process`. */
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
  /** Calls back on Ctrl-C and on signals that end the program; returns how to stop listening. */
  readonly onInterrupt: (listener: EndListener) => () => void;
  /** What Ctrl-C does, for code that reads keys from the terminal itself. */
  readonly interrupt: () => void;
  /** Ignores Ctrl-C while another program uses the terminal; returns how to stop ignoring it. */
  readonly ignoreInterrupts: () => () => void;
};

/** Prints a message for the user. Ids, paths and names in it are untrusted, so control characters are made visible. */
export const say = (io: Pick<Io, 'stderr'>, text: string) => io.stderr.write(`${visible(text)}\n`);
/** Prints a JSON line. Control characters are escaped in a pipe, too: what reads it may print it, and JSON alone escapes only some. */
export function printJson({ stdout }: Io, value: unknown): void {
  stdout.write(`${visibleJson(JSON.stringify(value))}\n`);
}
