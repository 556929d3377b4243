import type { Effect, Input, Session, Step } from '@countersign/kernel';
import { callIdOf, type Grant } from '@countersign/protocol';
import { cloneSession } from './world/clone-session.js';
import type { Kernel } from './world/kernel.js';
import { circumstancesOf, commit, type Moment, type Stimulus } from './world/moment.js';
import type { Fact } from './world/scene.js';
import type { Seen } from './world/seen.js';
import type { World } from './world/world.js';

/** The result of an input, before it is checked. */
export type Taken = {
  readonly session: Session;
  readonly store: ReadonlyMap<string, Grant>;
  readonly reply: Step;
  readonly facts: readonly Fact[];
  readonly work: readonly Effect[];
  readonly touched: readonly string[];
};

/** Hand an input to the kernel, as the shell does. The moment it came in stays as it was. */
export function take(world: World, kernel: Kernel, moment: Moment, input: Input): Taken {
  const session = cloneSession(moment.session);
  const store = storeBefore(moment, input);
  const facts: Fact[] = [];
  const reply = kernel.step(session, input, circumstancesOf(world, kernel, { ...moment, store }), (event) => {
    facts.push({ event, status: session.calls.get(callIdOf(event) ?? '')?.status ?? null });
  });
  const { touched } = session;
  session.touched = [];
  return { session, store, reply, facts, work: kernel.wanted(session), touched };
}

/** The moment after, once the observer has seen it. */
export function after(world: World, { session, store, work }: Taken, seen: Seen): Moment {
  return { session, store: world.commit === 'each' ? commit(session, store, seen) : store, seen, work };
}

/** The moment after something that the kernel does not see. */
export function afterOutside(moment: Moment, happened: Exclude<Stimulus['input'], Input>): Moment {
  if (happened !== 'commit') return { ...moment, seen: { ...moment.seen, policy: happened.rules } };
  const session = cloneSession(moment.session);
  return { ...moment, session, store: commit(session, moment.store, moment.seen) };
}

/** What another process revoked is gone from the store before we learn of it. */
function storeBefore({ store }: Moment, input: Input): ReadonlyMap<string, Grant> {
  if (input.type !== 'grants-gone') return store;
  return new Map([...store].filter(([id]) => !input.grantIds.includes(id)));
}
