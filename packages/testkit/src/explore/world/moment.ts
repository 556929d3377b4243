import type { Circumstances, Effect, Input, Policy, Session } from '@countersign/kernel';
import type { Grant } from '@countersign/protocol';
import type { Kernel } from './kernel.js';
import { nothingSeen, type Seen } from './seen.js';
import { POLICIES, type PolicyName, policyNamed } from './truth.js';
import type { World } from './world.js';

/** One state of a world: the kernel's, the store's, and what an observer knows. */
export type Moment = {
  readonly session: Session;
  /** Grants in force, as the store last told. */
  readonly store: ReadonlyMap<string, Grant>;
  readonly seen: Seen;
  /** What the shell is at. */
  readonly work: readonly Effect[];
};

/** What happens next: an input, the store writes what was decided, or the rules change (no input reports that). */
export type Stimulus = {
  readonly input: Input | 'commit' | { readonly rules: PolicyName };
  /** One of those that must come some time: work that ends, a question that is answered. */
  readonly fair: boolean;
};

export const beginning = (world: World, kernel: Kernel): Moment => ({
  session: kernel.emptySession('s'),
  store: new Map(world.grants.map((grant) => [grant.id, grant])),
  seen: nothingSeen(world),
  work: [],
});

/** Rules as each kernel understands them. */
const policies = new WeakMap<Kernel, ReadonlyMap<PolicyName, Policy>>();

export function circumstancesOf(
  { runningMax, attemptsMax, hooksAfter }: World,
  kernel: Kernel,
  { store, seen }: Moment,
): Circumstances {
  const limits = { starts: 'allowed' as const, runningMax, attemptsMax, backoffMs: () => 10 };
  return {
    policy: policyOf(kernel, seen.policy),
    grants: store,
    commandsOf: () => null,
    hooksListen: ({ name }) => hooksAfter.includes(name),
    limits,
  };
}

function policyOf(kernel: Kernel, name: PolicyName): Policy {
  const known = policies.get(kernel) ?? new Map(POLICIES.map((each) => [each, policyNamed(each, kernel)]));
  policies.set(kernel, known);
  return known.get(name) ?? policyNamed(name, kernel);
}

/** Whether anything was decided that the store does not know yet. */
export const isCommitted = ({ session, store, seen }: Moment): boolean =>
  session.added.length === 0 &&
  session.claims.length === 0 &&
  ![...seen.grants].some(([id, { gone }]) => gone && store.has(id));

/** What the shell does once facts are on disk: the store knows the grants, and the session forgets about them. */
export function commit(
  session: Session,
  store: ReadonlyMap<string, Grant>,
  seen: Seen,
): ReadonlyMap<string, Grant> {
  const { added, claims } = session;
  const gone = [...seen.grants].filter(([id, grant]) => grant.gone && store.has(id));
  if (added.length === 0 && claims.length === 0 && gone.length === 0) return store;
  const written = new Map(store);
  for (const grant of added) written.set(grant.id, grant);
  for (const id of claims) {
    const grant = written.get(id);
    if (grant && grant.uses !== null) written.set(id, { ...grant, uses: grant.uses - 1 });
  }
  for (const [id] of gone) written.delete(id);
  added.length = 0;
  claims.length = 0;
  return written;
}
