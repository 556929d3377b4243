import type { Agent, EndReason, LiveSession } from '@countersign/agent';
import type { FunctionDeclaration, Journal } from '@countersign/engine';
import type { ApprovalMode, CommandIdentity, Failure, JsonObject } from '@countersign/protocol';
import type { AnswerOf } from '../contract/operations.js';

/** What is needed to resume a session. */
export type OpenRequest = {
  readonly journal: Journal;
  readonly sessionId: string;
  readonly workspace: string;
  /** 'known': one that is resumed, in the mode that it had. */
  readonly session: 'new' | 'known';
  readonly mode?: ApprovalMode;
  /** Of the command that starts it, which may be sent again. */
  readonly identity?: CommandIdentity;
};

export type OpenedSession = {
  readonly live: LiveSession;
  /** The agent for messages, or why there is none, which may change: a model is started, a key is set. */
  readonly agent: () => Promise<AgentFound>;
  /** Runs the hooks for the start of the session; `notify` receives messages of hooks for users. */
  readonly begin: (notify: (text: string) => void) => Promise<void>;
  /** Runs the hooks for its end, too. */
  readonly leave: (reason: LeaveReason) => Promise<unknown>;
};
/** 'exit': it was deleted, or the server stops. 'other': it is idle, or another process has it. */
export type LeaveReason = Extract<EndReason, 'exit' | 'other'>;
export type AgentFound =
  | { readonly ok: true; readonly agent: Agent }
  | { readonly ok: false; readonly failure: Failure };
export type Opening =
  | { readonly ok: true; readonly opened: OpenedSession }
  | { readonly ok: false; readonly failure: Failure };

/** A call that is to be judged without being run. */
export type SupposedCall = {
  readonly tool: string;
  readonly args: JsonObject;
  readonly interactive: boolean;
};
export type Judge = {
  readonly check: (call: SupposedCall) => Promise<AnswerOf<'checkPolicy'>['verdicts'][number]>;
  readonly explain: (call: SupposedCall) => Promise<AnswerOf<'explainPolicy'>>;
};

/** A scripted model in a temporary folder, for users without any model. */
export type Demonstrations = {
  /** Creates the folder; returns it with the first prompt. */
  readonly prepare: () => Promise<{ readonly workspace: string; readonly prompt: string }>;
  readonly isOne: (workspace: string) => Promise<boolean>;
};

/** What the program provides to a server: the server itself knows neither settings nor policy files. */
export type ServerPorts = {
  readonly journal: Journal;
  /** The same across restarts: by it the server finds what it left open. `openSession` records it with each session. */
  readonly serverId: string;
  readonly openSession: (request: OpenRequest) => Promise<Opening>;
  /** Copies the history of a session, up to the turn of a call or all turns that have ended, into a new one. */
  readonly forkSession: (
    from: string,
    to: string,
    callId: string | null,
    identity: CommandIdentity | null,
  ) => Promise<Failure | null>;
  /** Ends commands that run for a session which no process owns. Returns why the session cannot be owned, if so. */
  readonly endCommands: (sessionId: string) => Promise<Failure | null>;
  /** Removes the files that calls of a deleted session have left outside the store. */
  readonly removeKept: (sessionId: string) => Promise<void>;
  /** The model that sessions would work with; null if there is none. */
  readonly model: () => Promise<string | null>;
  /** Real paths: sessions are begun, and calls made, in these and what lies beneath them. */
  readonly workspaces: readonly string[];
  readonly demonstrations: Demonstrations;
  readonly judgeFor: (workspace: string, mode: ApprovalMode | null) => Promise<Judge>;
  readonly toolsOf: (workspace: string) => Promise<readonly FunctionDeclaration[]>;
  readonly filesOf: (
    workspace: string,
    signal: AbortSignal,
  ) => Promise<{ readonly files: readonly string[]; readonly complete: boolean }>;
  readonly now: () => number;
  /** For the operator: errors of background work. */
  readonly onTrouble: (text: string) => void;
  readonly version: string;
};
