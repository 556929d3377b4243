import type { Journal } from '@countersign/engine';
import type { Config } from '../config/config.js';
import type { ToolRegistry } from '../tools/tool-registry.js';
import type {
  AllToolCallsCompleteHandler,
  ConfirmHandler,
  OutputUpdateHandler,
  ToolCallsUpdateHandler,
} from '../types/call-types.js';
import type { EditorType } from '../types/enums.js';

/**
 * The argument of `CoreToolScheduler` and `Scheduler`.
 *
 * @example
 * ```ts
 * const options: CoreToolSchedulerOptions = { toolRegistry: registry, whenBusy: 'queue', start: 'as_granted' };
 * ```
 */
export type CoreToolSchedulerOptions = {
  /** The tools there are, or a promise of them. The only option that is required. */
  readonly toolRegistry: ToolRegistry | Promise<ToolRegistry>;
  readonly config?: Config;
  /** Gets the whole current display of a running call, not a delta. */
  readonly outputUpdateHandler?: OutputUpdateHandler;
  /** Gets the completed calls of a batch, in request order, once. */
  readonly onAllToolCallsComplete?: AllToolCallsCompleteHandler;
  /** Gets frozen snapshots; no status is skipped. */
  readonly onToolCallsUpdate?: ToolCallsUpdateHandler;
  /** Asked once per question, again after a modification. A rejection leaves the question open. */
  readonly confirmHandler?: ConfirmHandler;
  /** Which editor opens for `modify_with_editor`; undefined: the question stays, with a notice. */
  readonly getPreferredEditor?: () => EditorType | undefined;
  /** What a second batch does while one is active. */
  readonly whenBusy?: 'queue' | 'reject';
  /** `together`: nothing starts until every call of the batch is decided. */
  readonly start?: 'together' | 'as_granted';
  /** What `schedule` waits for. */
  readonly resolveWhen?: 'accepted' | 'completed';
  /** Where facts are kept: in memory, or `sqlite(path)` to survive a restart. */
  readonly journal?: Journal | Promise<Journal>;
  readonly sessionId?: string;
  /** Receives errors of handlers and of the journal. If omitted, they are process warnings. */
  readonly onTrouble?: (trouble: Error) => void;
};
