import type { HostEnvironment } from '@countersign/host';
import type { HookDefinition } from '../hook/hook.js';
import type { TrustedHooks } from '../trust/doubts.js';

/** What hooks of an event run with. */
export type HookContext = {
  readonly hooks: readonly HookDefinition[];
  /** Of these, what was trusted of those that come from a project; others of a project do not run. */
  readonly trusted: TrustedHooks;
  readonly sessionId: string;
  readonly transcriptPath: string;
  /** The project's directory, where hooks run. */
  readonly workspace: string;
  readonly plansDirectory: string;
  /** The environment of this program, and the names in it that hooks get although they look like secrets. */
  readonly environment: HostEnvironment;
  readonly pass: readonly string[];
  /** What else a tool is called: a matcher for such a name is one for the tool. Absent: nothing. */
  readonly aliasesOf?: (tool: string) => readonly string[];
  readonly signal: AbortSignal;
  /** Receives work that continues after the report. Closing the session waits for it. */
  readonly lingering: (work: Promise<void>) => void;
};
