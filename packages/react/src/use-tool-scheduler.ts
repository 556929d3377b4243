import type { Ack, SettledCall, WantedCall } from '@countersign/protocol';
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import type { SessionStore } from './session-store.js';
import type { TrackedToolCall } from './tracked-calls.js';

/**
 * The calls, and functions to request more, to mark results as submitted, and to cancel all.
 *
 * @example
 * ```ts
 * const cancel = ([, , , cancelAll]: ToolScheduler) => cancelAll();
 * ```
 */
export type ToolScheduler = readonly [
  calls: readonly TrackedToolCall[],
  schedule: (calls: WantedCall | readonly WantedCall[]) => Promise<Ack>,
  markToolsAsSubmitted: (callIds: readonly string[]) => void,
  cancelAll: () => Promise<Ack>,
];

/**
 * A listener for completed calls, and the name under which calls are cancelled.
 *
 * @example
 * ```ts
 * const options: ToolSchedulerOptions = { by: 'me', onComplete: (calls) => show(calls.length) };
 * ```
 */
export type ToolSchedulerOptions = {
  /** Called with the calls of a turn once all have ended; with each only once, however often the component is mounted. */
  readonly onComplete?: (calls: readonly (SettledCall & TrackedToolCall)[]) => void;
  /** The name under which calls are cancelled. */
  readonly by?: string;
};

/**
 * The calls of a session, and a function to request more. Also exported as `useReactToolScheduler`.
 *
 * @example
 * ```ts
 * function Calls() {
 *   const [calls, schedule] = useToolScheduler(store); // or useReactToolScheduler, the same function
 *   show(schedule);
 *   return calls.map(({ request, status }) => `${request.name}: ${status}`);
 * }
 * ```
 */
export function useToolScheduler(
  store: SessionStore,
  { onComplete, by = 'person' }: ToolSchedulerOptions = {},
): ToolScheduler {
  const calls = useSyncExternalStore(
    store.subscribe,
    () => store.tracked.all,
    () => store.tracked.all,
  );
  const latest = useRef(onComplete);
  latest.current = onComplete;
  useEffect(() => {
    if (!latest.current) return;
    const over = store.tracked.take();
    if (over.length > 0) latest.current(over);
  }, [store, calls]);
  const schedule = useCallback(
    (wanted: WantedCall | readonly WantedCall[]) =>
      store.client.send({ type: 'call', calls: isList(wanted) ? wanted : [wanted], attended: 'somebody' }),
    [store],
  );
  const markToolsAsSubmitted = useCallback(
    (callIds: readonly string[]) => store.markSubmitted(callIds),
    [store],
  );
  const cancelAll = useCallback(
    () => store.client.send({ type: 'cancel', target: { type: 'all' }, by }),
    [store, by],
  );
  return [calls, schedule, markToolsAsSubmitted, cancelAll];
}

const isList = (wanted: WantedCall | readonly WantedCall[]): wanted is readonly WantedCall[] =>
  Array.isArray(wanted);
