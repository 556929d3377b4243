/** What must hold in every run, each stated from outside: by what people said and what happened in the world. */
export const INVARIANTS = {
  work: 'the work under way is the work that the state wants',
  order: 'every subscriber gets every event once, in order and without a gap',
  fold: 'the journal, folded from scratch, gives the live state',
  views: 'the lists in the store say what the state says',
  consent: 'nothing runs without consent to exactly its arguments',
  once: 'every attempt runs at most once, and what is unsafe to repeat at most once over all lives',
  exclusion: 'conflicting calls never overlap in the world and keep request order',
  limits: 'no more runs at once, and no more attempts are made, than the limits say',
  acks: 'every command is acknowledged once, and the acknowledgement is true',
  durable: 'what was acknowledged survives a crash',
  lifecycle: 'facts follow one another as the life of a call allows, and every call ends exactly once',
  settles: 'every promise that was handed out settles',
  rest: 'the mailbox empties itself unless the journal keeps it waiting',
  ownership: 'a session has one owner, and a process that lost it writes nothing',
  leftovers: 'nothing is left behind: no timer, no rejection without a handler',
  faults: 'the engine never contradicts itself',
} as const;
export type Invariant = keyof typeof INVARIANTS;

/** Notes that something does not hold. It must not throw: most callers are called by the engine. */
export type Complain = (invariant: Invariant, what: string) => void;

export class Violation extends Error {
  constructor(
    readonly seed: number,
    readonly step: number,
    readonly invariant: Invariant,
    readonly what: string,
  ) {
    super(
      `Seed ${seed}, step ${step}: it does not hold that ${INVARIANTS[invariant]} [${invariant}]. ${what}\n` +
        `Replay: node scripts/simulate.mjs --seed ${seed} --verbose`,
    );
    this.name = 'Violation';
  }
}
