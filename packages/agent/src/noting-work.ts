import type { SessionShell } from '@countersign/engine';
import type { AgentEvent, Ending } from './events.js';

/** The same events; meanwhile the store records that a model is at work, so that other processes can list the session as such. */
export async function* notingWork(
  session: Pick<SessionShell, 'noteModel'>,
  events: AsyncGenerator<AgentEvent, Ending>,
): AsyncGenerator<AgentEvent, Ending> {
  await session.noteModel(true);
  try {
    return yield* events;
  } finally {
    await session.noteModel(false);
  }
}
