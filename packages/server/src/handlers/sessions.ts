import { randomBytes } from 'node:crypto';
import type { Ack, MessagePart } from '@countersign/protocol';
import { Refusal } from '../contract/problems.js';
import type { Handlers, Parts } from './handler.js';

const SESSIONS_PER_PAGE = 50;

export function sessionHandlers({ ports, changes, host, list }: Parts) {
  return {
    listSessions: ({ query }) =>
      list.page({
        limit: query.limit ?? SESSIONS_PER_PAGE,
        cursor: query.cursor ?? null,
        workspace: query.workspace ?? null,
      }),

    createSession: async ({ body, scope: { workspace } }) => {
      const { sessionId = newSessionId(ports.now()), mode } = body;
      await host.create({ sessionId, workspace, ...(mode && { mode }) });
      return list.one(sessionId);
    },

    startDemonstration: async ({ who }) => {
      const sessionId = newSessionId(ports.now());
      const { workspace, prompt } = await ports.demonstrations.prepare();
      await host.create({ sessionId, workspace, mode: 'manual' });
      await sendMessage(sessionId, [{ text: prompt }], who.name);
      return list.one(sessionId);
    },

    showSession: ({ parameters }) => list.one(parameters.sessionId),

    deleteSession: async ({ parameters: { sessionId } }) => {
      await host.delete(sessionId);
      changes.deleted(sessionId);
      await ports.removeKept(sessionId);
      return { sessionId };
    },

    resumeSession: async ({ parameters: { sessionId } }) => {
      await host.resume(sessionId);
      return list.one(sessionId);
    },

    forkSession: async ({ parameters: { sessionId }, body: { callId = null } }) => {
      const to = newSessionId(ports.now());
      const failure = await ports.forkSession(sessionId, to, callId);
      if (failure) throw new Refusal(failure);
      changes.look();
      return list.one(to);
    },

    sendMessage: async ({ parameters: { sessionId }, body, who, exchange: { gone } }) => {
      const parts = 'text' in body ? [{ text: body.text }] : body.parts;
      return { promptId: await sendMessage(sessionId, parts, who.name, gone) };
    },

    issueCalls: async ({ parameters: { sessionId }, body: { calls, start }, exchange: { gone } }) => {
      // Over HTTP no call counts as typed by the user: it asks like a call of a model.
      const asked = calls.map((call) => ({ ...call, origin: 'client' as const }));
      const wanted = { type: 'call', calls: asked, attended: 'somebody', ...(start && { start }) } as const;
      const ack = await host.send(sessionId, wanted, gone);
      return { seq: ack.seq, turn: ack.turn ?? 0, callIds: [...(ack.callIds ?? [])] };
    },

    cancel: async ({ parameters: { sessionId }, body: { target }, who, exchange: { gone } }) => {
      // First, or the model would receive its cancelled calls and continue.
      if (target.type === 'all') host.held(sessionId)?.work.cancel();
      return acknowledged(await host.send(sessionId, { type: 'cancel', target, by: who.name }, gone));
    },

    setMode: async ({ parameters: { sessionId }, body: { mode }, who, exchange: { gone } }) =>
      acknowledged(await host.send(sessionId, { type: 'set-mode', mode, by: who.name }, gone)),
  } satisfies Partial<Handlers>;

  async function sendMessage(
    sessionId: string,
    parts: readonly MessagePart[],
    by: string,
    gone?: AbortSignal,
  ): Promise<string> {
    const promptId = `${sessionId}#${randomBytes(4).toString('hex')}`;
    await host.use(sessionId, {
      here: async ({ session, work }): Promise<Ack> => {
        const failure = await work.sendMessage(parts, by, promptId);
        return failure ? { ok: false, failure } : { ok: true, seq: session.seq };
      },
      elsewhere: { type: 'prompt', parts, by, promptId },
      ...(gone && { gone }),
    });
    return promptId;
  }
}

export const acknowledged = ({ seq, repeated }: Extract<Ack, { ok: true }>) => ({
  seq,
  repeated: repeated === true,
});

/** Sorts by age, and is short enough to type. */
const newSessionId = (now: number): string => `${now.toString(36)}-${randomBytes(3).toString('hex')}`;
