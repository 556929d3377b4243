import type { SessionHooks } from '@countersign/agent';
import type { Composed } from '../compose/compose.js';

/** Events of the session itself, with or without a model. */
const OF_SESSION: readonly string[] = ['SessionStart', 'SessionEnd', 'Notification'];

export type HooksHere = Pick<SessionHooks, 'asked'> & {
  /** To call when no question is open and no call runs. */
  readonly end: () => Promise<void>;
};

/** Runs the hooks for the start of a session; null if there are none, and then no agent code is loaded. */
export async function beginForHooks(
  composed: Pick<Composed, 'hooks' | 'settings'>,
  place: { readonly env: NodeJS.ProcessEnv; readonly workspace: string; readonly sessionId: string },
  source: 'startup' | 'resume',
  notify: (text: string) => void,
): Promise<HooksHere | null> {
  if (!composed.hooks.hooks.some(({ event }) => OF_SESSION.includes(event))) return null;
  const [{ SessionHooks }, { hooksOfAgent }] = await Promise.all([
    import('@countersign/agent'),
    import('../compose/hooks-of-agent.js'),
  ]);
  const lingering = new Set<Promise<void>>();
  const listening = await hooksOfAgent(composed, place, (work) => void lingering.add(work));
  if (!listening) return null;
  const hooks = new SessionHooks(listening);
  await hooks.start(source, notify);
  return {
    asked: (call) => hooks.asked(call),
    end: async () => {
      const message = await hooks.end('exit');
      if (message !== null) notify(message);
      await Promise.allSettled(lingering);
    },
  };
}
