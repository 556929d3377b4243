import type { Session } from '@countersign/kernel';
import {
  type CallRequest,
  type Event,
  type Failure,
  isSettled,
  type SettledCall,
} from '@countersign/protocol';

export type TurnOutcome =
  | { readonly ok: true; readonly calls: readonly SettledCall[] }
  | { readonly ok: false; readonly failure: Failure };

type Waiter = (outcome: TurnOutcome) => void;

type Collected = {
  /** By place, in request order; the places of calls that have not ended are empty. */
  readonly calls: (SettledCall | undefined)[];
  /** Where the result of each call belongs: what follows up on a call takes its place. */
  readonly places: Map<string, number>;
  over: boolean;
  readonly waiters: Waiter[];
};

type CallWaiter = { readonly turn: number; readonly callIds: readonly string[]; readonly resolve: Waiter };

/** Holds the results of calls of open turns, until the turn is over and waiting callers have them. */
export class TurnResults {
  readonly #turns = new Map<number, Collected>();
  readonly #callWaiters = new Set<CallWaiter>();

  /** Start from a session that was read back: some calls of its open turns may have ended in an earlier life. */
  restore(session: Session): void {
    const waiting = new Map(Array.from(this.#turns, ([turn, { waiters }]) => [turn, waiters]));
    this.#turns.clear();
    for (const { turn, ids } of session.turns) {
      const collected = nothingYet(waiting.get(turn));
      for (const id of ids) {
        const call = session.calls.get(id);
        if (call) expect(collected, call.request);
        if (call && isSettled(call)) put(collected, call);
      }
      this.#turns.set(turn, collected);
    }
  }

  observe(event: Event, session: Session): void {
    switch (event.type) {
      case 'turn.started':
        this.#turns.set(event.turn, nothingYet());
        return;
      case 'turn.ended': {
        const collected = this.#turns.get(event.turn);
        if (collected) collected.over = true;
        return;
      }
      case 'call.requested': {
        const collected = this.#turns.get(event.request.turn);
        if (collected) expect(collected, event.request);
        return;
      }
      case 'call.succeeded':
      case 'call.failed':
      case 'call.cancelled': {
        const call = session.calls.get(event.callId);
        const collected = call && this.#turns.get(call.request.turn);
        if (collected && isSettled(call)) put(collected, call);
        return;
      }
      default:
    }
  }

  /** What is over is also written down by now: hand it out and forget it. */
  release(): void {
    for (const waiter of this.#callWaiters) this.#releaseCalls(waiter);
    for (const [turn, { calls, over, waiters }] of this.#turns) {
      if (!over) return;
      this.#turns.delete(turn);
      for (const resolve of waiters) resolve({ ok: true, calls: calls.filter((call) => call !== undefined) });
    }
  }

  /** The results of an open turn, once it is over. */
  wait(turn: number): Promise<TurnOutcome> {
    const collected = this.#turns.get(turn);
    if (!collected) return Promise.resolve({ ok: false, failure: { code: 'unknown_turn', turn } });
    return new Promise((resolve) => collected.waiters.push(resolve));
  }

  /** The results of these calls of an open turn, once they are over: others of the turn may continue. */
  waitForCalls(turn: number, callIds: readonly string[]): Promise<TurnOutcome> {
    return new Promise((resolve) => this.#callWaiters.add({ turn, callIds, resolve }));
  }

  giveUp(failure: Failure): void {
    for (const { resolve } of this.#callWaiters) resolve({ ok: false, failure });
    this.#callWaiters.clear();
    for (const { waiters } of this.#turns.values())
      for (const resolve of waiters) resolve({ ok: false, failure });
    this.#turns.clear();
  }

  #releaseCalls(waiter: CallWaiter): void {
    const { turn, callIds, resolve } = waiter;
    const collected = this.#turns.get(turn);
    const calls = callIds.flatMap((id) => collected?.calls[collected.places.get(id) ?? -1] ?? []);
    if (calls.length < callIds.length) return;
    this.#callWaiters.delete(waiter);
    resolve({ ok: true, calls });
  }
}

const nothingYet = (waiters: Waiter[] = []): Collected => ({
  calls: [],
  places: new Map(),
  over: false,
  waiters,
});

function expect({ calls, places }: Collected, { callId, index, followUp, within }: CallRequest): void {
  // Its result goes to the call that requested it.
  if (within) return;
  const place = (followUp && places.get(followUp.callId)) ?? index;
  places.set(callId, place);
  if (followUp) calls[place] = undefined;
}

function put({ calls, places }: Collected, call: SettledCall): void {
  const place = places.get(call.request.callId);
  if (place !== undefined) calls[place] = call;
}
