import type { Session } from '@countersign/kernel';
import { type Event, isSettled, type SettledCall } from '@countersign/protocol';

type Waiting = {
  readonly within: string;
  readonly wireId: string;
  /** Known once the call was accepted. */
  callId: string | null;
  readonly settled: Promise<SettledCall | null>;
  readonly resolve: (call: SettledCall | null) => void;
};

/** Calls that running calls wait for. */
export class NestedCalls {
  readonly #waiting = new Set<Waiting>();
  /** Over, but not yet written down. */
  #over: (readonly [Waiting, SettledCall])[] = [];

  wait(within: string, wireId: string): Pick<Waiting, 'callId' | 'settled'> {
    let resolve: Waiting['resolve'] = () => {};
    const settled = new Promise<SettledCall | null>((done) => {
      resolve = done;
    });
    const waiting: Waiting = { within, wireId, callId: null, settled, resolve };
    this.#waiting.add(waiting);
    return waiting;
  }

  observe(event: Event, session: Session): void {
    if (this.#waiting.size === 0) return;
    if (event.type === 'call.requested') {
      const { within, wireId, callId } = event.request;
      const waiting = [...this.#waiting].find((each) => each.within === within && each.wireId === wireId);
      if (waiting) waiting.callId = callId;
      return;
    }
    if (!('callId' in event)) return;
    const call = session.calls.get(event.callId);
    const waiting = [...this.#waiting].find(({ callId }) => callId === event.callId);
    if (waiting && call && isSettled(call)) this.#over.push([waiting, call]);
  }

  release(): void {
    const over = this.#over;
    this.#over = [];
    for (const [waiting, call] of over) {
      this.#waiting.delete(waiting);
      waiting.resolve(call);
    }
  }

  giveUp(): void {
    for (const { resolve } of this.#waiting) resolve(null);
    this.#waiting.clear();
  }
}
