import type { Session } from '@countersign/kernel';
import { type Event, type Failure, isSettled, type SettledCall } from '@countersign/protocol';

export type TurnOutcome =
  | { readonly ok: true; readonly calls: readonly SettledCall[] }
  | { readonly ok: false; readonly failure: Failure };

type Collected = {
  readonly calls: SettledCall[];
  over: boolean;
  readonly waiters: ((outcome: TurnOutcome) => void)[];
};

/** Holds the results of calls of open turns, until the turn is over and waiting callers have them. */
export class TurnResults {
  readonly #turns = new Map<number, Collected>();

  /** Start from a session that was read back: some calls of its open turns may have ended in an earlier life. */
  restore(session: Session): void {
    const waiting = new Map(Array.from(this.#turns, ([turn, { waiters }]) => [turn, waiters]));
    this.#turns.clear();
    for (const { turn, ids } of session.turns) {
      const collected: Collected = { calls: [], over: false, waiters: waiting.get(turn) ?? [] };
      for (const id of ids) {
        const call = session.calls.get(id);
        if (call && isSettled(call)) put(collected, call);
      }
      this.#turns.set(turn, collected);
    }
  }

  observe(event: Event, session: Session): void {
    if (event.type === 'turn.started') this.#turns.set(event.turn, { calls: [], over: false, waiters: [] });
    if (event.type === 'turn.ended') {
      const collected = this.#turns.get(event.turn);
      if (collected) collected.over = true;
    }
    if (event.type !== 'call.succeeded' && event.type !== 'call.failed' && event.type !== 'call.cancelled')
      return;
    const call = session.calls.get(event.callId);
    const collected = call && this.#turns.get(call.request.turn);
    if (collected && isSettled(call)) put(collected, call);
  }

  /** What is over is also written down by now: hand it out and forget it. */
  release(): void {
    for (const [turn, { calls, over, waiters }] of this.#turns) {
      if (!over) return;
      this.#turns.delete(turn);
      for (const resolve of waiters) resolve({ ok: true, calls });
    }
  }

  /** The results of an open turn, once it is over. */
  wait(turn: number): Promise<TurnOutcome> {
    const collected = this.#turns.get(turn);
    if (!collected) return Promise.resolve({ ok: false, failure: { code: 'unknown_turn', turn } });
    return new Promise((resolve) => collected.waiters.push(resolve));
  }

  giveUp(failure: Failure): void {
    for (const { waiters } of this.#turns.values())
      for (const resolve of waiters) resolve({ ok: false, failure });
    this.#turns.clear();
  }
}

/** In request order; what follows up on a call takes its place. */
function put({ calls }: Collected, call: SettledCall): void {
  const { index, followUp, within } = call.request;
  // It went to the call that asked for it.
  if (within) return;
  // The places of calls that have not ended are still empty.
  const isFollowed = (other: SettledCall | undefined) => other?.request.callId === followUp?.callId;
  const place = followUp ? calls.findIndex(isFollowed) : index;
  calls[place] = call;
}
