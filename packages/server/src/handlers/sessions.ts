import { randomBytes } from 'node:crypto';
import type { Ack, CommandIdentity, MessagePart } from '@countersign/protocol';
import { Refusal } from '../contract/problems.js';
import { MadeSessions } from '../sessions/made-sessions.js';
import type { Handlers, Parts } from './handler.js';
import { identityOf, identityOfCalls, idFor, withIdentity } from './identity.js';

const SESSIONS_PER_PAGE = 50;

export function sessionHandlers({ ports, journal, changes, host, list }: Parts) {
  const made = new MadeSessions(journal);
  return {
    listSessions: ({ query }) =>
      list.page({
        limit: query.limit ?? SESSIONS_PER_PAGE,
        cursor: query.cursor ?? null,
        workspace: query.workspace ?? null,
      }),

    createSession: async ({ body, scope: { workspace }, who }) => {
      const identity = identityOf('createSession', body, who.name);
      const { sessionId = idOfNew(identity), mode } = body;
      await made.once(sessionId, identity, () =>
        host.create({ sessionId, workspace, ...(mode && { mode }), ...withIdentity(identity) }),
      );
      return list.one(sessionId);
    },

    startDemonstration: async ({ body, who }) => {
      const identity = identityOf('startDemonstration', body, who.name);
      const sessionId = idOfNew(identity);
      await made.once(sessionId, identity, async () => {
        const { workspace, prompt } = await ports.demonstrations.prepare();
        await host.create({ sessionId, workspace, mode: 'manual', ...withIdentity(identity) });
        await sendMessage(sessionId, [{ text: prompt }], who.name, null);
      });
      return list.one(sessionId);
    },

    showSession: ({ parameters }) => list.one(parameters.sessionId),

    deleteSession: async ({ parameters: { sessionId }, query: { key = null }, who }) => {
      if (key !== null && (await isDeletedBy({ sessionId, by: who.name, key }))) return { sessionId };
      await host.delete(sessionId, { by: who.name, key });
      changes.deleted(sessionId);
      await ports.removeKept(sessionId);
      return { sessionId };
    },

    resumeSession: async ({ parameters: { sessionId } }) => {
      await host.resume(sessionId);
      return list.one(sessionId);
    },

    forkSession: async ({ parameters: { sessionId }, body, who }) => {
      const identity = identityOf('forkSession', body, who.name);
      const to = identity ? idFor(identity, sessionId) : newSessionId(ports.now());
      await made.once(to, identity, async () => {
        const failure = await ports.forkSession(sessionId, to, body.callId ?? null, identity);
        if (failure) throw new Refusal(failure);
      });
      changes.look();
      return list.one(to);
    },

    sendMessage: async ({ parameters: { sessionId }, body, who, exchange: { gone } }) => {
      const parts = 'text' in body ? [{ text: body.text }] : body.parts;
      const identity = identityOf('sendMessage', body, who.name);
      return { promptId: await sendMessage(sessionId, parts, who.name, identity, gone) };
    },

    issueCalls: async ({ parameters: { sessionId }, body, who, exchange: { gone } }) => {
      const { calls, start } = body;
      // Over HTTP no call counts as typed by the user: it asks like a call of a model.
      const asked = calls.map((call) => ({ ...call, origin: 'client' as const }));
      const wanted = { type: 'call', calls: asked, attended: 'somebody', ...(start && { start }) } as const;
      const identity = identityOfCalls(body, who.name);
      const command = { ...wanted, ...withIdentity(identity) };
      const ack = await host.use(sessionId, {
        here: async ({ session, work }) => {
          await work.begun;
          return session.send(command, gone);
        },
        elsewhere: command,
        gone,
      });
      return { seq: ack.seq, turn: ack.turn ?? 0, callIds: [...(ack.callIds ?? [])] };
    },

    cancel: async ({ parameters: { sessionId }, body, who, exchange: { gone } }) => {
      const { target } = body;
      const identity = identityOf('cancel', body, who.name);
      const held = host.held(sessionId);
      const isNew = identity === null || !held?.session.replyTo(identity);
      // First, or the model would receive its cancelled calls and continue.
      if (target.type === 'all' && isNew) held?.work.cancel();
      const command = { type: 'cancel', target, by: who.name, ...withIdentity(identity) } as const;
      return acknowledged(await host.send(sessionId, command, gone));
    },

    setMode: async ({ parameters: { sessionId }, body, who, exchange: { gone } }) => {
      const identity = identityOf('setMode', body, who.name);
      const command = { type: 'set-mode', mode: body.mode, by: who.name, ...withIdentity(identity) } as const;
      return acknowledged(await host.send(sessionId, command, gone));
    },
  } satisfies Partial<Handlers>;

  async function sendMessage(
    sessionId: string,
    parts: readonly MessagePart[],
    by: string,
    identity: CommandIdentity | null,
    gone?: AbortSignal,
  ): Promise<string> {
    const promptId = `${sessionId}#${identity ? idFor(identity, sessionId) : randomBytes(4).toString('hex')}`;
    await host.use(sessionId, {
      here: async ({ session, work }): Promise<Ack> => {
        const earlier = identity && session.replyTo(identity);
        if (earlier) return earlier;
        const failure = await work.sendMessage({ parts, by, promptId, ...withIdentity(identity) });
        return failure ? { ok: false, failure } : { ok: true, seq: session.seq };
      },
      elsewhere: { type: 'prompt', parts, by, promptId, ...withIdentity(identity) },
      ...(gone && { gone }),
    });
    return promptId;
  }

  function idOfNew(identity: CommandIdentity | null): string {
    return identity ? idFor(identity, 'sessions') : newSessionId(ports.now());
  }

  /** The deletion is the last that is known of a session, so a new one of the same id begins without keys. */
  async function isDeletedBy(command: {
    readonly sessionId: string;
    readonly by: string;
    readonly key: string;
  }): Promise<boolean> {
    const { sessionId, by, key } = command;
    if ((await journal.session(sessionId)) !== null) return false;
    const deletions = (await journal.deletions()).filter((each) => each.sessionId === sessionId);
    return deletions.some((each) => each.by === by && each.key === key);
  }
}

export const acknowledged = ({ seq, repeated }: Extract<Ack, { ok: true }>) => ({
  seq,
  repeated: repeated === true,
});

/** Sorts by age, and is short enough to type. */
const newSessionId = (now: number): string => `${now.toString(36)}-${randomBytes(3).toString('hex')}`;
