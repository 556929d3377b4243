import { type Ack, type Command, FAILURES, type Failure } from '@countersign/protocol';
import type { AnswerOf, ApiError, Client, Result } from '@countersign/server/client';

/** Sends a command to a session, by the operation for it. The server knows the sender. */
export async function sendCommand(api: Client, sessionId: string, command: Command): Promise<Ack> {
  switch (command.type) {
    case 'call': {
      const calls = command.calls.map(({ name = '', args = {} }) => ({ name, args }));
      const issued = await api.issueCalls({ sessionId, body: { calls } });
      return issued.ok ? { ok: true, ...issued.value } : refused(issued.error);
    }
    case 'answer': {
      const { type: _, by: __, ...answer } = command;
      return acknowledged(await api.answerApproval({ body: { sessionId, ...answer } }));
    }
    case 'prompt': {
      const sent = await api.sendMessage({ sessionId, body: { parts: [...command.parts] } });
      return sent.ok ? { ok: true, seq: 0 } : refused(sent.error);
    }
    case 'cancel':
      return acknowledged(await api.cancel({ sessionId, body: { target: command.target } }));
    case 'set-mode':
      return acknowledged(await api.setMode({ sessionId, body: { mode: command.mode } }));
    case 'revoke-grant': {
      const revoked = await api.revokeGrant({ body: { grantId: command.grantId } });
      return revoked.ok ? { ok: true, seq: 0 } : refused(revoked.error);
    }
    case 'modify':
      return { ok: false, failure: { code: 'internal', message: 'A page answers with what it changed.' } };
  }
}

const acknowledged = (result: Result<AnswerOf<'cancel'>>): Ack =>
  result.ok
    ? { ok: true, seq: result.value.seq, ...(result.value.repeated && { repeated: true }) }
    : refused(result.error);

function refused({ code, message, hint, details }: ApiError): Extract<Ack, { ok: false }> {
  // The server makes `details` from the failure itself: put together again, they are that failure.
  if (Object.hasOwn(FAILURES, code)) return { ok: false, failure: { ...details, code } as Failure };
  return { ok: false, failure: { code: 'internal', message: `${message} ${hint}` } };
}
