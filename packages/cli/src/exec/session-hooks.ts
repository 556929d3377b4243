import type { SessionHooks } from '@countersign/agent';
import type { Composed } from '../compose/compose.js';

/** Those that are about a session as such, whether or not a model speaks in it. */
const OF_SESSION: readonly string[] = ['SessionStart', 'SessionEnd', 'Notification'];

export type HooksHere = Pick<SessionHooks, 'asked'> & {
  /** Once nothing more is asked and nothing runs. */
  readonly end: () => Promise<void>;
};

/** Begins a session for the hooks that want to know; null where there are none, and then nothing of an agent is loaded. */
export async function beginForHooks(
  composed: Pick<Composed, 'hooks' | 'settings'>,
  place: { readonly env: NodeJS.ProcessEnv; readonly workspace: string; readonly sessionId: string },
  source: 'startup' | 'resume',
  tell: (text: string) => void,
): Promise<HooksHere | null> {
  if (!composed.hooks.hooks.some(({ event }) => OF_SESSION.includes(event))) return null;
  const [{ SessionHooks, emittingMessages }, { hooksOfAgent }] = await Promise.all([
    import('@countersign/agent'),
    import('../compose/hooks-of-agent.js'),
  ]);
  const lingering = new Set<Promise<void>>();
  const listening = await hooksOfAgent(composed, place, (work) => void lingering.add(work));
  if (!listening) return null;
  const hooks = new SessionHooks(emittingMessages(listening, tell));
  await hooks.start(source, new AbortController().signal);
  return {
    asked: (call) => hooks.asked(call),
    end: async () => {
      await hooks.end('exit');
      await Promise.allSettled(lingering);
    },
  };
}
