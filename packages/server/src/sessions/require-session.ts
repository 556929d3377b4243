import type { Journal, SessionInfo } from '@countersign/engine';
import { Refusal } from '../contract/problems.js';

/** Throws a `Refusal` if there is no such session. One without events has no workspace, and nothing to resume. */
export async function requireSession(
  journal: Pick<Journal, 'session'>,
  sessionId: string,
): Promise<SessionInfo> {
  const info = await journal.session(sessionId);
  if (!info || info.seq === 0) throw new Refusal({ code: 'unknown_session', sessionId });
  return info;
}
