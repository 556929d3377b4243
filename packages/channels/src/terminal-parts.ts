import type { Readable, Writable } from 'node:stream';
import type { AwaitingCall, JsonObject } from '@countersign/protocol';

/** The terminal, and what the user can do in it besides answering. */
export type TerminalParts = {
  readonly stdin: Readable & { readonly setRawMode?: (mode: boolean) => unknown };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };
  readonly env: { readonly [name: string]: string | undefined };
  /** What Ctrl-C does. */
  readonly interrupt: () => void;
  /** Ignores Ctrl-C while another program uses the terminal; returns how to stop ignoring it. */
  readonly ignoreInterrupts: () => () => void;
  /** Opens the call in an editor, and calls `onOpen` when the editor opens. */
  readonly edit: (call: AwaitingCall, signal: AbortSignal, onOpen: OnEditorOpen) => Promise<Edited>;
  /** Receives lines typed while no question is open. */
  readonly onLine?: (line: string) => void;
};

/** Returns what to do when the editor is closed. */
type OnEditorOpen = (where: 'terminal' | 'window') => () => void;

type Edited =
  | { readonly ok: true; readonly args: JsonObject; readonly changed: boolean }
  | { readonly ok: false; readonly problem: string };
