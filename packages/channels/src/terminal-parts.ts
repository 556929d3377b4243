import type { Readable, Writable } from 'node:stream';
import type { AwaitingCall, JsonObject } from '@countersign/protocol';

/** The terminal, and what a person can do in it besides answering. */
export type TerminalParts = {
  readonly stdin: Readable & { readonly setRawMode?: (mode: boolean) => unknown };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };
  readonly env: { readonly [name: string]: string | undefined };
  /** What Ctrl-C does. */
  readonly interrupt: () => void;
  /** While another program has the terminal, Ctrl-C is meant for it; returns how to take it back. */
  readonly ignoreInterrupts: () => () => void;
  /** Lets the person change the call in an editor, which `onOpen` is told of when it opens. */
  readonly edit: (call: AwaitingCall, signal: AbortSignal, onOpen: OnEditorOpen) => Promise<Edited>;
  /** Told of what is typed while nothing is asked. */
  readonly onLine?: (line: string) => void;
};

/** Returns what to do when the editor is closed. */
type OnEditorOpen = (where: 'terminal' | 'window') => () => void;

type Edited =
  | { readonly ok: true; readonly args: JsonObject; readonly changed: boolean }
  | { readonly ok: false; readonly problem: string };
