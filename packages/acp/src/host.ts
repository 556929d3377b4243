import type { McpServer } from '@agentclientprotocol/sdk';
import type { Agent, LiveSession } from '@countersign/agent';
import type { Recorded, Toolbox } from '@countersign/engine';
import type { Failure, MessagePart } from '@countersign/protocol';

/** What the protocol adapter needs of the program. The adapter itself knows no settings, policies or stores. */
export type Host = {
  readonly version: string;
  /** Opens a session with an agent, with the same rules, hooks and settings as every other front end. */
  readonly open: (request: OpenRequest) => Promise<Opened>;
  /** The sessions of a folder, or all, that have a conversation; the last one used first. */
  readonly list: (cwd: string | null) => Promise<readonly KnownSession[]>;
  /** Why no model can be reached; null if one can. */
  readonly modelProblem: () => Promise<Failure | null>;
  /** Diagnostics for the operator of the program; not part of the protocol. */
  readonly say: (text: string) => void;
};

export type OpenRequest = {
  readonly cwd: string;
  /** One that is to be resumed; null for a new one. */
  readonly sessionId: string | null;
  /** Servers that the editor wants the session to have. */
  readonly mcpServers: readonly McpServer[];
};

export type Opened =
  | {
      readonly ok: true;
      readonly agent: Agent;
      readonly live: LiveSession;
      readonly tools: Toolbox;
      readonly workspace: string;
      readonly commands: Commands;
      /** All facts of the session so far. */
      readonly past: () => Promise<readonly Recorded[]>;
      /** Runs the hooks for the start of the session; `notify` receives messages of hooks for the user. */
      readonly begin: (notify: (text: string) => void) => Promise<void>;
      /** Leaves the session; resolves to messages of its hooks, or null. */
      readonly leave: () => Promise<string | null>;
    }
  | { readonly ok: false; readonly failure: Failure };

/** Slash commands: prompts that MCP servers offer. */
export type Commands = {
  readonly list: () => readonly Command[];
  /** Returns how to stop listening. */
  readonly onChanged: (changed: () => void) => () => void;
  readonly say: (name: string, typed: string, signal: AbortSignal) => Promise<SaidCommand>;
};
export type Command = { readonly name: string; readonly args: string; readonly help: string };
export type SaidCommand =
  | { readonly type: 'said'; readonly parts: readonly MessagePart[] }
  | { readonly type: 'problem'; readonly text: string }
  | { readonly type: 'unknown' };

export type KnownSession = {
  readonly sessionId: string;
  readonly workspace: string;
  /** The beginning of its first message; null if it has none. */
  readonly title: string | null;
  readonly updatedAt: number;
};

export type { McpServer };
