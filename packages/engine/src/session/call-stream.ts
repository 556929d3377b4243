import { setImmediate } from 'node:timers/promises';
import type { Input, InputOf, NewCall, Planned } from '@countersign/kernel';
import type { Ack, Failure, ModelMessage, WantedCall } from '@countersign/protocol';
import type { TurnOutcome } from '../notes/turn-results.js';
import { readBatch } from '../planning/requests.js';
import type { Toolbox } from '../tool/toolbox.js';
import type { BatchOptions, BatchOutcome } from './open-options.js';

/** What a stream of calls needs of its session. */
export type StreamHost = {
  readonly tools: Toolbox;
  readonly now: () => number;
  readonly submit: (input: Input, onTurn?: BatchOptions['onTurn']) => Promise<Ack>;
  /** What was planned of a turn that is not complete yet, by call id; forgotten once it is asked for. */
  readonly takePlanned: (turn: number) => ReadonlyMap<string, Planned>;
  readonly turnEnded: (turn: number) => Promise<TurnOutcome>;
  readonly cancelTurn: (turn: number) => void;
};

/**
 * The calls of one answer of a model, handed in as they come. Each is planned
 * and judged while the response is still being received; none is asked about or
 * started before it is complete.
 */
export class CallStream {
  readonly #host: StreamHost;
  readonly #options: BatchOptions;
  readonly #ids = new Set<string>();
  /** What has come and is not handed in yet. */
  #coming: NewCall[] = [];
  #soon: Promise<Ack> | null = null;
  /** What became of what was handed in last. One after the other: the first one's turn is that of the others. */
  #handed: Promise<Ack> = Promise.resolve(NOTHING_REFUSED);
  #turn: number | null = null;
  #outcome: Promise<TurnOutcome> | null = null;

  constructor(host: StreamHost, options: BatchOptions) {
    this.#host = host;
    this.#options = options;
  }

  get turn(): number | null {
    return this.#turn;
  }

  /** `failure`: the model got the call itself wrong, so that it fails where it stands. */
  add(wanted: WantedCall, failure: Failure | null = null): Promise<Ack> {
    const { tools, now } = this.#host;
    for (const call of readBatch([wanted], tools, now(), this.#ids))
      this.#coming.push({ ...call, failure: call.failure ?? failure });
    // The last call often comes in one piece with the end of the answer: then both are written down together.
    this.#soon ??= setImmediate().then(() => this.#handIn());
    return this.#soon;
  }

  /** Resolves when all that has come so far is written down. */
  async handedIn(): Promise<void> {
    await (this.#coming.length > 0 ? this.#soon : this.#handed);
  }

  /** The answer is complete. Resolves when all of its calls are over. */
  async end(message: ModelMessage | null): Promise<BatchOutcome> {
    this.#handed = this.#handInEnd(this.#handed, this.#takeComing(), message);
    const ended = await this.#handed;
    if (!ended.ok) return ended;
    const turn = this.#turn;
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
    await this.#handIn();
    const turn = this.#turn;
    if (turn === null) return;
    this.#host.takePlanned(turn);
    await this.#host.submit({ type: 'stream.broke', turn, by, at: this.#host.now() });
    await this.#outcome;
  }

  #handIn(): Promise<Ack> {
    const calls = this.#takeComing();
    if (calls.length > 0) this.#handed = this.#handInCalls(this.#handed, calls);
    return this.#handed;
  }

  #takeComing(): readonly NewCall[] {
    const calls = this.#coming;
    this.#coming = [];
    this.#soon = null;
    return calls;
  }

  async #handInCalls(before: Promise<Ack>, calls: readonly NewCall[]): Promise<Ack> {
    let ack = await before;
    for (const call of calls) if (ack.ok) ack = await this.#submit({ type: 'stream.call', call });
    return ack;
  }

  async #handInEnd(
    before: Promise<Ack>,
    calls: readonly NewCall[],
    message: ModelMessage | null,
  ): Promise<Ack> {
    const earlier = await before;
    if (!earlier.ok) return earlier;
    const turn = this.#turn;
    const planned = turn === null ? NOTHING_PLANNED : this.#host.takePlanned(turn);
    const ended = await this.#submit({ type: 'stream.ended', calls, message, planned });
    // A plan that ended in between was carried out on its own.
    if (turn !== null) this.#host.takePlanned(turn);
    return ended;
  }

  #submit(
    said: Omit<InputOf<'stream.call'>, keyof Speaking> | Omit<InputOf<'stream.ended'>, keyof Speaking>,
  ): Promise<Ack> {
    const { now, submit, turnEnded } = this.#host;
    const { start = 'as_granted', attended = 'somebody', onTurn } = this.#options;
    const speaking: Speaking = { turn: this.#turn, start, attended: attended === 'somebody', at: now() };
    return submit({ ...said, ...speaking }, (begun, callIds) => {
      this.#turn = begun;
      this.#outcome = turnEnded(begun);
      onTurn?.(begun, callIds);
    });
  }
}

type Speaking = Pick<InputOf<'stream.call'>, 'turn' | 'start' | 'attended' | 'at'>;

const NOTHING_REFUSED: Ack = { ok: true, seq: 0 };
const NOTHING_PLANNED: ReadonlyMap<string, Planned> = new Map();
