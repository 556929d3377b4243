/** Everything has a limit; these are the ones an embedder may change. */
export type EngineLimits = {
  /** Plans being made at once. They only read, but each may hold a file open. */
  readonly plansMax: number;
  /** Calls executing at once. */
  readonly runningMax: number;
  /** Starts of one call, retries and repeats after a crash included. */
  readonly attemptsMax: number;
  readonly backoffMs: (attempt: number) => number;
  /** A plan only looks; one that takes longer than this is stuck. */
  readonly planTimeoutMs: number;
  /** How long a call may run unless its tool says otherwise. */
  readonly runTimeoutMs: number;
  /** How long a tool may take to stop after its signal is aborted. */
  readonly stopGraceMs: number;
  /** The longest text of a result that is handed to a model; of more it gets head and tail. */
  readonly outputCharsMax: number;
};

const BACKOFF_FIRST_MS = 250;
const BACKOFF_MAX_MS = 10_000;

export const DEFAULT_LIMITS: EngineLimits = {
  plansMax: 64,
  runningMax: 64,
  attemptsMax: 3,
  backoffMs: (attempt) => Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 4 ** (attempt - 1)),
  planTimeoutMs: 30_000,
  runTimeoutMs: 10 * 60_000,
  stopGraceMs: 5_000,
  outputCharsMax: 80_000,
};
