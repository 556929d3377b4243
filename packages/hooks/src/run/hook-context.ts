import type { HostEnvironment } from '@countersign/tools';
import type { HookDefinition } from '../hook.js';

/** What hooks of an event run with. */
export type HookContext = {
  /** Only such as may run: trust is judged before (see `contentHash`). */
  readonly hooks: readonly HookDefinition[];
  readonly sessionId: string;
  readonly transcriptPath: string;
  /** The project's directory, where hooks run. */
  readonly workspace: string;
  readonly plansDirectory: string;
  /** The environment of this program, and the names in it that hooks get although they look like secrets. */
  readonly environment: HostEnvironment;
  readonly pass: readonly string[];
  readonly signal: AbortSignal;
  /** Told of work that goes on after the report. Whoever closes the session waits for it. */
  readonly lingering: (work: Promise<void>) => void;
};
