import type { Toolbox } from '@countersign/engine';
import type { Policy } from '@countersign/kernel';
import type { Provider } from '@countersign/models';
import type { CommandIdentity } from '@countersign/protocol';
import type { AgentHooks } from './hooks/agent-hooks.js';
import type { SessionHooks } from './hooks/session-hooks.js';
import type { AgentLimits } from './limits.js';
import type { ServerResource } from './mentions/read-mentions.js';

export type AgentOptions = {
  readonly provider: Provider;
  readonly model: string;
  /** Made again for each request: it names the current mode. */
  readonly system: () => string;
  /** The real path of the directory that is worked in. */
  readonly workspace: string;
  readonly tools: Toolbox;
  readonly policy: Policy;
  readonly attended: 'somebody' | 'nobody';
  /** Awaited before tools are first declared to the model: some come only once their server has started. */
  readonly toolsReady?: () => Promise<void>;
  /** Which resource of an MCP server a word after `@` means (`@server:uri`); null if it means none. */
  readonly resourceFor?: (mention: string) => ServerResource | null;
  readonly limits?: Partial<AgentLimits>;
  readonly hooks?: AgentHooks | null;
  /** The hooks of the session itself: the first prompt waits for those of its start, and carries what they add. */
  readonly sessionHooks?: Pick<SessionHooks, 'started' | 'takeContext'>;
  /** The model is in a loop: whether it may continue. Absent: it stops. */
  readonly onLoop?: (what: string) => Promise<'continue' | 'stop'>;
};

export type PromptOptions = {
  readonly signal: AbortSignal;
  readonly by: string;
  readonly promptId: string;
  /** Of a message that its sender may send again: it is stored once. */
  readonly identity?: CommandIdentity;
  /** What a person typed of the prompt: files that it names with `@` are read first. Absent: none are. */
  readonly typed?: string;
};
