import type { Ack, AnswerPayload, JsonObject, MessagePart, Outcome } from '@countersign/protocol';
import type { AgentStream, SessionStore } from '@countersign/react';
import type { ProgramCommand, PromptCommand } from './commands/slash-commands.js';
import type { Pending } from './dialogs/pending.js';
import type { Asked } from './dialogs/question-drawing.js';
import type { HistoryPort } from './input/history.js';

/** Everything beyond drawing and typing, which the program provides. */
export type TerminalPorts = {
  readonly store: SessionStore;
  readonly stream: AgentStream;
  /** The author of the answers. */
  readonly by: string;
  /** The folder that is worked in, for people. */
  readonly place: string;
  /** Null: no model responds to prompts; the reason is one line. */
  readonly model: () => string | null;
  readonly noModel: string;
  readonly spending: () => { readonly tokens: number; readonly dollars: number | null };
  readonly history: HistoryPort;
  /** Paths of the workspace, ignored ones omitted. */
  readonly listFiles: () => Promise<readonly string[]>;
  /** Other arguments for a waiting call, made in the person's editor. `onTerminal` is called when that needs the terminal. */
  readonly editCall: (pending: Pending, onTerminal: OnTerminal) => Promise<Edited>;
  readonly elsewhere: Elsewhere;
  /** Slash commands that need more than the screen knows. */
  readonly commands: readonly ProgramCommand[];
  readonly prompts: PromptPort;
  /** Opens the next session beside this one. Resolves to null, or to the reason why it cannot be opened. */
  readonly openNext: (next: NextSession) => Promise<string | null>;
};

/** Prompts of MCP servers, called by a slash and a name. */
export type PromptPort = {
  /** Those that there are now. */
  readonly list: () => readonly PromptCommand[];
  readonly say: (name: string, rest: string) => Promise<SaidPrompt>;
};
export type SaidPrompt =
  | { readonly type: 'said'; readonly parts: readonly MessagePart[] }
  | { readonly type: 'problem'; readonly text: string }
  | { readonly type: 'unknown' };

/** Hands the terminal over until the function that it resolves to is called. */
export type OnTerminal = () => Promise<() => void>;

export type Edited =
  | { readonly ok: true; readonly args: JsonObject; readonly changed: boolean }
  | { readonly ok: false; readonly problem: string };

/** Questions of other sessions on this machine. */
export type Elsewhere = {
  readonly list: () => Promise<readonly Waiting[]>;
  /** Calls `onChange` soon after anything changed in other sessions. Returns how to stop. */
  readonly watch: (onChange: () => void) => () => void;
  readonly answer: (waiting: Waiting, outcome: Outcome, payload?: AnswerPayload) => Promise<Ack>;
};
export type Waiting = Asked & { readonly sessionId: string; readonly callId: string; readonly tool: string };

/** The session that the user wants next. */
export type NextSession =
  | { readonly type: 'new session' }
  | { readonly type: 'resume'; readonly sessionId: string };

/** Why the screen is left. */
export type Ending = { readonly type: 'quit' } | NextSession;
