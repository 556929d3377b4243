import type { Journal } from '@countersign/engine';
import { CommandFailure, usage } from '../io/failure-text.js';
import { chosenWorkspace, realWorkspace } from '../options/places.js';
import { newSessionId } from '../options/session-id.js';
import type { HeadlessOptions } from './headless-options.js';

export type ChosenSession = {
  readonly sessionId: string;
  readonly workspace: string;
  readonly session: 'new' | 'known';
};

type SessionRequest = Pick<HeadlessOptions, 'workspace' | 'continueLast' | 'resume' | 'sessionId'>;

/** A new session, or the one to continue. */
export async function chooseSession(options: SessionRequest, journal: Journal): Promise<ChosenSession> {
  if (options.continueLast) {
    const workspace = await chosenWorkspace(options.workspace);
    const sessionId = await lastConversation(journal, workspace);
    if (sessionId === null)
      throw usage(`No conversation has been held in ${workspace} yet`, 'countersign -p "…" without -c');
    return { sessionId, workspace, session: 'known' };
  }
  if (options.resume !== undefined) {
    const known = await journal.session(options.resume);
    if (!known) throw new CommandFailure({ code: 'unknown_session', sessionId: options.resume });
    const workspace = await (known.workspace
      ? realWorkspace(known.workspace)
      : chosenWorkspace(options.workspace));
    return { sessionId: options.resume, workspace, session: 'known' };
  }
  const workspace = await chosenWorkspace(options.workspace);
  const sessionId = options.sessionId ?? newSessionId(Date.now());
  const known = await journal.session(sessionId);
  if (known && known.seq > 0) throw usage(`The session ${sessionId} already exists`, `--resume ${sessionId}`);
  return { sessionId, workspace, session: 'new' };
}

/** Sessions of `countersign exec` have no conversation to continue. */
async function lastConversation(journal: Journal, workspace: string): Promise<string | null> {
  for (const { sessionId, workspace: of } of await journal.list()) {
    if (of === workspace && (await journal.messages([sessionId])).length > 0) return sessionId;
  }
  return null;
}
