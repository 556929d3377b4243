import type { Session, Turn } from '@countersign/kernel';

/** Calls are shared: they are replaced, never changed. */
export function cloneSession(session: Session): Session {
  return {
    ...session,
    turns: session.turns.map((turn) => ({
      ...turn,
      ids: [...turn.ids],
      nested: [...turn.nested],
      ready: [...turn.ready],
      conflicts: cloneConflicts(turn.conflicts),
    })),
    calls: new Map(session.calls),
    waiting: new Set(session.waiting),
    added: [...session.added],
    claims: [...session.claims],
    revoked: new Set(session.revoked),
    touched: [...session.touched],
  };
}

function cloneConflicts(conflicts: Turn['conflicts']): Turn['conflicts'] {
  return {
    groups: conflicts.groups.map((group) => ({ ...group, waiters: [...group.waiters] })),
    lanes: new Map(Array.from(conflicts.lanes, ([key, lane]) => [key, { ...lane }])),
    entries: new Map(
      Array.from(conflicts.entries, ([id, entry]) => [id, { ...entry, memberOf: [...entry.memberOf] }]),
    ),
    everything: conflicts.everything,
    places: conflicts.places,
  };
}
