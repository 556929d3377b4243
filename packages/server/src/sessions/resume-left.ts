import { leftOpen } from '@countersign/attach';
import { type Journal, JournalError, type SessionInfo } from '@countersign/engine';
import { problemBody, Refusal } from '../contract/problems.js';
import type { ServerPorts } from './ports.js';
import type { ServedWorkspaces } from './served-workspaces.js';
import type { SessionHost } from './session-host.js';

/** What a start did with the sessions that earlier runs of this server left open. */
export type ResumedSessions = {
  readonly resumed: readonly string[];
  /** Beyond the limit: they are listed, and a person resumes them. */
  readonly left: number;
};

type Parts = {
  readonly ports: Pick<ServerPorts, 'serverId' | 'onTrouble'>;
  readonly journal: Journal;
  readonly host: SessionHost;
  readonly served: ServedWorkspaces;
};

/**
 * Resumes what earlier runs of this server left open, the last used sessions first, at most `sessionsMax` of them: opening
 * a session adopts commands that still run, plans and judges calls again that were not started, and lets a model that was
 * at work continue. Sessions in which only questions are open need no process until a person answers.
 */
export async function resumeLeft(parts: Parts, sessionsMax: number): Promise<ResumedSessions> {
  const { journal, host, ports } = parts;
  const resumed: string[] = [];
  let left = 0;
  for (const info of await leftByThisServer(parts)) {
    const { sessionId } = info;
    try {
      const open = await leftOpen(journal, info);
      const wasModelAtWork = info.lastOwner?.modelAtWork === true;
      if (!open || (open.running + open.queued === 0 && !(open.unanswered && wasModelAtWork))) continue;
      if (resumed.length < sessionsMax) {
        await host.resume(sessionId, wasModelAtWork ? 'continues' : 'rests');
        resumed.push(sessionId);
      } else left++;
    } catch (thrown) {
      const problem =
        thrown instanceof Refusal ? thrown.problem : thrown instanceof JournalError ? thrown.failure : null;
      if (problem === null) throw thrown;
      if (problem.code === 'shutting_down') break;
      const { message, hint } = problemBody(problem).error;
      ports.onTrouble(`The session ${sessionId} was left open and cannot be resumed: ${message} ${hint}`);
    }
  }
  return { resumed, left };
}

async function leftByThisServer({ ports, journal, served }: Parts): Promise<readonly SessionInfo[]> {
  const ours = (await journal.list()).filter(
    ({ owner, lastOwner }) => owner === null && lastOwner?.serverId === ports.serverId,
  );
  const workspaces = await served.among(ours.map(({ workspace }) => workspace));
  return ours
    .filter(({ workspace }) => workspaces.has(workspace))
    .toSorted((a, b) => b.updatedAt - a.updatedAt);
}
