import type { Planned, PlanOutcome } from '@countersign/kernel';

/** Plans of a response that is still being received: kept until it is complete and the user may be asked. */
export class Previews {
  readonly #byTurn = new Map<number, Map<string, Planned>>();

  keep(turn: number, callId: string, outcome: PlanOutcome): void {
    if (!outcome.ok) return;
    const kept = this.#byTurn.get(turn) ?? new Map<string, Planned>();
    this.#byTurn.set(turn, kept.set(callId, outcome));
  }

  take(turn: number): ReadonlyMap<string, Planned> {
    const kept = this.#byTurn.get(turn);
    this.#byTurn.delete(turn);
    return kept ?? new Map();
  }
}
