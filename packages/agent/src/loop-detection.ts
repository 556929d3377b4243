import { canonicalJson, type SettledCall } from '@countersign/protocol';

const SAME_CALL_MAX = 5;
const CYCLE_CALLS_MAX = 4;
const CYCLES_MAX = 3;
const REMEMBERED_MAX = CYCLE_CALLS_MAX * CYCLES_MAX;

/**
 * Notices that an agent is in a loop: one call again and again with
 * the same result, or a few of them in the same order. What gives another
 * result each time, as looking at a running program does, is no circle.
 */
export class LoopDetection {
  #latest: string[] = [];

  /** What goes round, in words; null as long as nothing does. */
  observe(calls: readonly SettledCall[]): string | null {
    for (const call of calls) {
      this.#latest = [...this.#latest, deedOf(call)].slice(-REMEMBERED_MAX);
      const length = this.#lengthOfCycle();
      if (length !== null) {
        this.#latest = [];
        return length === 1
          ? `${call.request.name} was called ${SAME_CALL_MAX} times with the same arguments and the same result`
          : `the same ${length} calls were made ${CYCLES_MAX} times in the same order, with the same results`;
      }
    }
    return null;
  }

  #lengthOfCycle(): number | null {
    if (this.#repeats(1, SAME_CALL_MAX)) return 1;
    for (let length = 2; length <= CYCLE_CALLS_MAX; length++)
      if (this.#repeats(length, CYCLES_MAX)) return length;
    return null;
  }

  #repeats(length: number, times: number): boolean {
    const tail = this.#latest.slice(-length * times);
    if (tail.length < length * times) return false;
    const isCycle = tail.every((deed, index) => deed === tail[index % length]);
    return isCycle && (length === 1 || new Set(tail.slice(0, length)).size > 1);
  }
}

function deedOf(call: SettledCall): string {
  const { name, args } = call.request;
  return canonicalJson([name, args, outcomeOf(call)]);
}

function outcomeOf(call: SettledCall) {
  switch (call.status) {
    case 'success':
      return call.result.llmContent;
    case 'error':
      return [call.failure.code, call.partial?.output ?? ''];
    case 'cancelled':
      return call.reason.type;
  }
}
