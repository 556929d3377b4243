import { join } from 'node:path';
import type { AgentHooks } from '@countersign/agent';
import { PLANS_DIRECTORY } from '@countersign/protocol';
import type { Composed } from './compose.js';

type Place = {
  readonly env: NodeJS.ProcessEnv;
  readonly workspace: string;
  readonly sessionId: string;
};

/** The configured hooks for agent events; null if there are none. */
export async function hooksOfAgent(
  { hooks: { hooks, trusted }, settings }: Pick<Composed, 'hooks' | 'settings'>,
  { env, workspace, sessionId }: Place,
  lingering: (work: Promise<void>) => void,
): Promise<AgentHooks | null> {
  const events = new Set(hooks.map(({ event }) => event));
  events.delete('BeforeTool');
  events.delete('AfterTool');
  if (events.size === 0) return null;
  const { runHooks } = await import('@countersign/hooks');
  const context = {
    hooks,
    trusted,
    sessionId,
    workspace,
    // There is no transcript file; the journal has the conversation.
    transcriptPath: '',
    plansDirectory: join(workspace, PLANS_DIRECTORY),
    environment: env,
    pass: settings.get('passEnvironment').value,
    lingering,
  };
  return {
    listens: (event) => events.has(event),
    run: (event, payload, signal) => runHooks(event, payload, { ...context, signal }),
  };
}
