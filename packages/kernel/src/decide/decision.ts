import type { Event, Failure } from '@countersign/protocol';

/** New facts, and for a refused command, why. A stale report gives neither. */
export type Decision = {
  readonly events: readonly Event[];
  readonly refusal: Failure | null;
  /** The command says again what is already recorded. */
  readonly repeated?: true;
};

export const facts = (events: readonly Event[]): Decision => ({ events, refusal: null });
export const refuse = (failure: Failure, events: readonly Event[] = []): Decision => ({
  events,
  refusal: failure,
});
export const repeated: Decision = { events: [], refusal: null, repeated: true };
/** A report about something that is over, or about older arguments. */
export const STALE: Decision = { events: [], refusal: null };
