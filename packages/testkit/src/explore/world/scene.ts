import type { Effect, Input, Session, Step } from '@countersign/kernel';
import type { Event, Status } from '@countersign/protocol';
import type { Seen } from './seen.js';
import type { World } from './world.js';

/** A fact as it was published, and the status its call had right after. */
export type Fact = { readonly event: Event; readonly status: Status | null };

/** One step, as far as anybody outside can see it. */
export type Scene = {
  readonly world: World;
  readonly before: Seen;
  readonly input: Input;
  readonly reply: Step;
  readonly facts: readonly Fact[];
  /** The work that the shell does from now on. */
  readonly work: readonly Effect[];
  /** What the tools that start now are handed. */
  readonly session: Pick<Session, 'calls'>;
};
