import { EXIT } from './exit-codes.js';

/** Signals that ask the program to end: Ctrl-C, `kill` or a service manager, a terminal that was closed, and Ctrl-\. */
export const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
export type EndSignal = (typeof END_SIGNALS)[number];
export type EndListener = (signal: EndSignal) => void;

/** The Ctrl-C that ended another program in the terminal is also sent to us, and may arrive after its end. */
const LATE_INTERRUPT_MS = 100;

/** Longer than commands and tools are given to stop, and hooks to end. */
const ENDING_MS = 60_000;

/**
 * Passes the signals of this process to the command that runs. The handlers stay installed from the first listener on:
 * a closed terminal sends SIGHUP more than once, and a supervisor repeats SIGTERM; a repeated signal must not end the
 * program before it has ended its commands. Only a second Ctrl-C does that.
 */
export class EndSignals {
  readonly #listeners = new Set<EndListener>();
  #hasHandlers = false;
  #received: EndSignal | null = null;
  #isEndingSoon = false;
  /** The number of other programs that use the terminal. */
  #programsInTerminal = 0;

  /** Returns how to stop listening. */
  listen(listener: EndListener): () => void {
    if (!this.#hasHandlers) for (const signal of END_SIGNALS) process.on(signal, this.#receive);
    this.#hasHandlers = true;
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The output is gone: the same as a closed terminal, whose signal may arrive later. False if no command ever wanted to know. */
  hangUp(): boolean {
    if (this.#received === null && this.#listeners.size > 0) this.#pass('SIGHUP');
    if (this.#hasHandlers) this.#endSoon('SIGHUP');
    return this.#hasHandlers;
  }

  /** Ctrl-C received as a key: meant for this program, even if an editor had the terminal a moment ago. */
  interrupt(): void {
    if (this.#listeners.size === 0) process.kill(process.pid, 'SIGINT');
    else this.#pass('SIGINT');
  }

  /** While another program has the terminal, Ctrl-C is meant for it. Returns how to end that. */
  ignoreInterrupts(): () => void {
    this.#programsInTerminal++;
    // Without handlers of ours it would end this program.
    process.on('SIGQUIT', ignore);
    return () => {
      setTimeout(() => {
        this.#programsInTerminal--;
        process.off('SIGQUIT', ignore);
      }, LATE_INTERRUPT_MS);
    };
  }

  readonly #receive = (signal: NodeJS.Signals): void => {
    const known = END_SIGNALS.find((each) => each === signal);
    const isKey = known === 'SIGINT' || known === 'SIGQUIT';
    if (!known || (isKey && this.#programsInTerminal > 0)) return;
    if (this.#listeners.size > 0) this.#pass(known);
    else if (known === 'SIGINT') process.exit(EXIT.interrupted);
    if (known !== 'SIGINT') this.#endSoon(known);
  };

  /** What the command does to end is bounded: after that the signal does what it does by default. */
  #endSoon(signal: EndSignal): void {
    if (this.#isEndingSoon) return;
    this.#isEndingSoon = true;
    const end = () => {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    };
    setTimeout(end, ENDING_MS).unref();
  }

  #pass(signal: EndSignal): void {
    this.#received ??= signal;
    for (const listener of [...this.#listeners]) listener(signal);
  }
}

const ignore = () => {};
