import { patternInWords } from '@countersign/kernel';
import type { Grant } from '@countersign/protocol';
import { invalidCursor, Refusal } from '../contract/problems.js';
import { callStory } from '../sessions/call-story.js';
import type { ServedSessions } from '../sessions/served-workspaces.js';
import { requireAsAsked } from './answer-outside.js';
import type { Handlers, Parts } from './handler.js';
import { identityOf, withIdentity } from './identity.js';
import { acknowledged } from './sessions.js';

const APPROVALS_PER_PAGE = 50;

export function approvalHandlers({ journal, inbox, host, ports, served }: Parts) {
  return {
    listApprovals: async ({ query: { limit = APPROVALS_PER_PAGE, cursor = '0', sessionId = null } }) => {
      if (!/^\d{1,15}$/.test(cursor)) throw invalidCursor();
      // The list is in memory, and must not be given out for a store that is gone: any read fails then.
      await journal.session(sessionId ?? '');
      const page = inbox.page(Number(cursor), limit, sessionId);
      return { ...page, approvals: [...page.approvals], next: page.next === null ? null : String(page.next) };
    },

    showApproval: async ({ query: { sessionId, callId } }) => {
      const [row] = await journal.approvals({ sessionId, callId });
      if (row) {
        const story = await callStory(journal, sessionId, callId);
        return { ...row, served: await served.has(await served.workspaceOf(sessionId)), story };
      }
      const answer = await journal.answerOf(sessionId, callId);
      throw new Refusal(
        answer ? { code: 'already_answered', callId, ...answer } : { code: 'unknown_call', callId },
      );
    },

    answerApproval: async ({ body, scope: { outside }, who, exchange: { gone } }) => {
      if (outside !== null) await requireAsAsked(body, outside, journal);
      const { sessionId, ...answer } = body;
      const identity = identityOf('answerApproval', answer, who.name);
      const command = { type: 'answer', ...answer, by: who.name, ...withIdentity(identity) } as const;
      return acknowledged(await host.send(sessionId, command, gone));
    },

    listGrants: async ({ scope }) => {
      const inForce = await grantsInForce();
      const isOurs = await servedBy(inForce, scope);
      return {
        grants: inForce.filter(isOurs).map((grant) => ({ ...grant, text: patternInWords(grant.pattern) })),
      };
    },

    revokeGrant: async ({ body, who, scope, exchange: { gone } }) => {
      const { grantId } = body;
      const identity = identityOf('revokeGrant', body, who.name);
      const grant = (await grantsInForce()).find(({ id }) => id === grantId);
      // Where the grant was revoked is not known here, and it stays revoked: a repeated request has what it wants.
      if (!grant && identity && (await journal.revoked([grantId])).length > 0) return { grantId };
      if (!grant) throw new Refusal({ code: 'unknown_grant', grantId });
      if (!(await servedBy([grant], scope))(grant)) throw await refusalOf(grant);
      const sessionId = await sessionFor(grant, scope);
      // Stored in a session that the grant is for, if one is left; every open session is notified, in any process.
      const command = { type: 'revoke-grant', grantId, by: who.name, ...withIdentity(identity) } as const;
      if (sessionId) await host.send(sessionId, command, gone);
      else {
        const revoked = await journal.revokeGrant({
          type: 'grant.revoked',
          grantId,
          by: who.name,
          at: ports.now(),
        });
        if (!revoked.ok) throw new Refusal(revoked.failure);
      }
      return { grantId };
    },
  } satisfies Partial<Handlers>;

  async function grantsInForce(): Promise<readonly Grant[]> {
    const now = ports.now();
    return (await journal.grants('all')).filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  }

  /** Preferably one that is open here, so that no other needs to be resumed. */
  async function sessionFor({ scope, scopeKey }: Grant, ours: ServedSessions): Promise<string | undefined> {
    const sessions = (await journal.list()).filter(
      (each) =>
        ours.has(each.sessionId) &&
        { session: each.sessionId === scopeKey, project: each.workspace === scopeKey, user: true }[scope],
    );
    return (sessions.find(({ sessionId }) => host.held(sessionId)) ?? sessions[0])?.sessionId;
  }

  /** A grant of a session elsewhere names the session; one of a project, the folder. */
  async function refusalOf({ scope, scopeKey }: Grant): Promise<Refusal> {
    const workspace = scope === 'session' ? (await journal.session(scopeKey))?.workspace : scopeKey;
    return served.refusal(workspace ?? scopeKey);
  }

  /** A folder is served whether or not a session is left in it. A grant of scope `user` is in force in every folder. */
  async function servedBy(
    grants: readonly Grant[],
    ours: ServedSessions,
  ): Promise<(grant: Grant) => boolean> {
    const folders = grants.flatMap(({ scope, scopeKey }) => (scope === 'project' ? [scopeKey] : []));
    const servedFolders = await served.among(folders);
    return ({ scope, scopeKey }) =>
      ({ session: ours.has(scopeKey), project: servedFolders.has(scopeKey), user: true })[scope];
  }
}
