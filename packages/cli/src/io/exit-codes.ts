/** The exit codes of the program. Documented in `countersign help`; scripts rely on them. */
export const EXIT = {
  /** All calls succeeded. */
  ok: 0,
  /** At least one call did not succeed, or an answer was refused. */
  notAll: 1,
  /** The command line or its input was not understood. */
  usage: 2,
  /** The program ends while calls wait for an approval; they are kept and can be resumed. */
  waiting: 3,
  /** The store, a policy file or a tool module cannot be used. */
  setup: 4,
  /** The agent was stopped by a limit: turns, budget, or a loop. The number is Gemini CLI's. */
  limit: 53,
  /** Ended by a signal: SIGINT (Ctrl-C), SIGTERM, SIGHUP or SIGQUIT (Ctrl-\). `serve` is stopped by these and exits with 0. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
