import type { Policy } from '@countersign/kernel';
import type {
  ApprovalMode,
  CommandIdentity,
  Fact,
  Failure,
  Live,
  SessionSetup,
  SettledCall,
  StartRule,
} from '@countersign/protocol';
import type { FrontEnd, Journal } from '../journal/index.js';
import type { EngineLimits } from '../limits/limits.js';
import type { Delay, StartTimer } from '../limits/time.js';
import type { Classify } from '../planning/plan-call.js';
import type { CallHooks } from '../tool/call-hooks.js';
import type { Toolbox } from '../tool/toolbox.js';

export type OpenOptions = {
  readonly journal: Journal;
  readonly sessionId: string;
  /** 'known': it must exist. One that was deleted meanwhile is not made again. */
  readonly session?: 'new' | 'known';
  /** Of the command that starts the session, which may be sent again. */
  readonly identity?: CommandIdentity;
  /** Kept with the session, also after this process. */
  readonly frontEnd?: FrontEnd;
  /** Of a server: its id, the same across restarts, by which it finds its sessions again. */
  readonly serverId?: string;
  /** The workspace directory, with every symlink resolved. */
  readonly workspace: string;
  /** Omitted: manual for a new session, unchanged for one that is resumed. */
  readonly mode?: ApprovalMode;
  readonly tools: Toolbox;
  readonly policy: Policy;
  /** What was loaded for it: a process that resumes the session must have all of it. Omitted: nothing of its own. */
  readonly setup?: SessionSetup;
  readonly classify: Classify;
  /** Programs of the person's own that look at calls before and after. */
  readonly hooks?: CallHooks;
  readonly limits?: Partial<EngineLimits>;
  /**
   * A directory, real path, beneath which each session keeps what its calls leave: whole outputs, spools of commands.
   * Omitted: a temporary one, removed when the session is left, so that nothing can be found again after a crash.
   */
  readonly outputs?: string;
  readonly now?: () => number;
  readonly delay?: Delay;
  readonly timer?: StartTimer;
  /**
   * A front end in this process that wants facts as soon as they are written,
   * each with its call as it was right after it, and live output unthrottled.
   * Whatever it throws is reported as trouble and harms nothing.
   */
  readonly watcher?: Watcher;
  /** Called with failures that no caller waits for: a journal that fails, a bug of ours. */
  readonly onTrouble?: (failure: Failure) => void;
  /** Called when a journal that failed works again. */
  readonly onTroubleOver?: () => void;
};

export type Watcher = {
  readonly onFacts?: (facts: readonly Fact[]) => void;
  readonly onLive?: (live: Live) => void;
};

export type BatchOptions = {
  readonly start?: StartRule;
  readonly attended?: 'somebody' | 'nobody';
  /** `join`: the calls are independent of all others, run beside them unless they conflict, and come back when they are over. */
  readonly whenBusy?: 'queue' | 'reject' | 'join';
  readonly signal?: AbortSignal;
  /** Called with the number of the turn and the ids of the calls once they are accepted, before anything of them can be over. */
  readonly onTurn?: (turn: number, callIds: readonly string[]) => void;
};

export type BatchOutcome =
  | { readonly ok: true; readonly turn: number; readonly calls: readonly SettledCall[] }
  | { readonly ok: false; readonly failure: Failure };
