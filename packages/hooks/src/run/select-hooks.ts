import { EVENTS, type EventTraits, type HookEvent, type HookPayloads } from '../hook/events.js';
import type { HookDefinition, HookSource } from '../hook/hook.js';
import { PRECEDENCE } from '../settings/in-force.js';
import type { HookContext } from './hook-context.js';

export type Selection = { readonly hooks: readonly HookDefinition[]; readonly sequential: boolean };

/** The order in which they run and are reported, as in Gemini CLI. */
const ORDER: { readonly [S in HookSource]: number } = { project: 0, user: 1, system: 2, extension: 3 };

export function selectHooks<E extends HookEvent>(
  event: E,
  payload: HookPayloads[E],
  { hooks, aliasesOf }: Pick<HookContext, 'hooks' | 'aliasesOf'>,
): Selection {
  const traits: EventTraits<E> = EVENTS[event];
  const subject = traits.subject(payload);
  const matching = hooks
    .filter((hook) => hook.event === event)
    .filter(({ matcher }) => subject === null || isFor(matcher, subject, aliasesOf))
    .toSorted((a, b) => ORDER[a.source] - ORDER[b.source]);
  // One group that has to take turns makes all of them take turns.
  return { hooks: withoutRepeats(matching), sequential: matching.some(({ sequential }) => sequential) };
}

/** Whether a matcher is for a tool, by any name that the tool answers to; words of other events have but one. */
export const isFor = (
  matcher: HookDefinition['matcher'],
  subject: string,
  aliasesOf: HookContext['aliasesOf'],
): boolean =>
  matcher === null || [subject, ...(aliasesOf?.(subject) ?? [])].some((name) => matcher.test(name));

/** The same name and command is the same hook. Of two, the one of the source with more precedence counts: a project cannot weaken it. */
function withoutRepeats(hooks: readonly HookDefinition[]): readonly HookDefinition[] {
  const kept = new Map<string, HookDefinition>();
  for (const hook of hooks) {
    const key = `${hook.name ?? ''}:${hook.command}`;
    const other = kept.get(key);
    if (other === undefined || PRECEDENCE[hook.source] > PRECEDENCE[other.source]) kept.set(key, hook);
  }
  return [...kept.values()];
}
