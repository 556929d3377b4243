import type { Input, Planned } from '@countersign/kernel';
import type { Ack, Failure, ModelMessage, WantedCall } from '@countersign/protocol';
import type { Toolbox } from '../toolbox.js';
import type { BatchOptions, BatchOutcome } from './open-options.js';
import { readBatch } from './requests.js';
import type { TurnOutcome } from './turn-results.js';

/** What a stream of calls needs of its session. */
export type StreamHost = {
  readonly tools: Toolbox;
  readonly now: () => number;
  readonly submit: (input: Input, onTurn?: (turn: number) => void) => Promise<Ack>;
  /** What was planned of a turn that is not complete yet, by call id; forgotten once it is asked for. */
  readonly takePlanned: (turn: number) => ReadonlyMap<string, Planned>;
  readonly turnEnded: (turn: number) => Promise<TurnOutcome>;
  readonly cancelTurn: (turn: number) => void;
};

/**
 * The calls of one answer of a model, handed in as they come. Each is planned
 * and judged while the model goes on speaking; none is asked about or started
 * before the answer has come to its end.
 */
export class CallStream {
  readonly #host: StreamHost;
  readonly #options: BatchOptions;
  readonly #ids = new Set<string>();
  #turn: number | null = null;
  #outcome: Promise<TurnOutcome> | null = null;
  /** One after the other: the first one's turn is that of the others. */
  #adding: Promise<Ack> | null = null;

  constructor(host: StreamHost, options: BatchOptions) {
    this.#host = host;
    this.#options = options;
  }

  get turn(): number | null {
    return this.#turn;
  }

  /** `failure`: the model got the call itself wrong, so that it fails where it stands. */
  add(wanted: WantedCall, failure: Failure | null = null): Promise<Ack> {
    const before = this.#adding;
    const add = () => this.#add(wanted, failure);
    this.#adding = before ? before.then((ack) => (ack.ok ? add() : ack)) : add();
    return this.#adding;
  }

  /** The answer is complete. Resolves when all of its calls are over. */
  async end(message: ModelMessage | null): Promise<BatchOutcome> {
    const added = await this.#adding;
    if (added && !added.ok) return added;
    const turn = this.#turn;
    const at = this.#host.now();
    const planned = turn === null ? NOTHING_PLANNED : this.#host.takePlanned(turn);
    const ended = await this.#host.submit({
      type: 'stream.ended',
      turn,
      message: message && { ...message, turn },
      planned,
      at,
    });
    // A plan that ended in between was carried out on its own.
    if (turn !== null) this.#host.takePlanned(turn);
    if (!ended.ok) return ended;
    if (turn === null || !this.#outcome) return { ok: true, turn: turn ?? 0, calls: [] };
    const { signal } = this.#options;
    const cancel = () => this.#host.cancelTurn(turn);
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel);
    const outcome = await this.#outcome;
    signal?.removeEventListener('abort', cancel);
    return outcome.ok ? { ok: true, turn, calls: outcome.calls } : outcome;
  }

  /** The answer broke off: what was asked for in it is not carried out. */
  async breakOff(by: string): Promise<void> {
    await this.#adding;
    const turn = this.#turn;
    if (turn === null) return;
    this.#host.takePlanned(turn);
    await this.#host.submit({ type: 'stream.broke', turn, by, at: this.#host.now() });
    await this.#outcome;
  }

  async #add(wanted: WantedCall, failure: Failure | null): Promise<Ack> {
    const { tools, now, submit, turnEnded } = this.#host;
    const { start = 'as_granted', attended = 'somebody', onTurn } = this.#options;
    const at = now();
    const [read] = readBatch([wanted], tools, at, this.#ids);
    const call = read && { ...read, failure: read.failure ?? failure };
    if (!call) return { ok: false, failure: { code: 'invalid_request', problem: 'it is no call' } };
    const turn = this.#turn;
    const somebody = attended === 'somebody';
    return submit({ type: 'stream.call', turn, call, start, attended: somebody, at }, (begun) => {
      this.#turn = begun;
      this.#outcome = turnEnded(begun);
      onTurn?.(begun);
    });
  }
}

const NOTHING_PLANNED: ReadonlyMap<string, Planned> = new Map();
