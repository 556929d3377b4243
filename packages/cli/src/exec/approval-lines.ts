import {
  type AnswerPayload,
  type AwaitingCall,
  type Command,
  type Failure,
  OUTCOMES,
  type Outcome,
} from '@countersign/protocol';

/** A question as a line for the program at the other end of the pipe. */
export function approvalLine(sessionId: string, { request, verdict, question, plan }: AwaitingCall) {
  const { confirmation, digest, offers, askedAt } = question;
  return {
    type: 'approval',
    id: request.callId,
    sessionId,
    digest,
    kind: confirmation.type,
    details: confirmation,
    outcomes: offers.map(({ outcome }) => outcome),
    offers,
    tool: request.name,
    title: plan.title,
    why: verdict.reason,
    rule: verdict.rule,
    askedAt,
  };
}

export type ReadAnswer =
  | { readonly ok: true; readonly command: Extract<Command, { type: 'answer' }> }
  | { readonly ok: false; readonly failure: Failure };

/** An answer line, or null if the value is something else. */
export function readAnswer(value: unknown, sessionId: string): ReadAnswer | null {
  if (typeof value !== 'object' || value === null || !('type' in value) || value.type !== 'answer')
    return null;
  const fields: { readonly [key: string]: unknown } = { ...value };
  const { id, digest, outcome, payload = {}, key, by = 'stdio' } = fields;
  if (typeof id !== 'string') return invalid('an answer needs "id", the id of the approval');
  if (typeof digest !== 'string') return invalid('an answer needs "digest", as the approval gave it');
  if (!isOutcome(outcome)) return invalid(`an answer needs "outcome", one of ${OUTCOMES.join(', ')}`);
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    return invalid('"payload" must be an object');
  if (typeof by !== 'string') return invalid('"by" must be a string');
  const callId = id.startsWith(`${sessionId}/`) ? id.slice(sessionId.length + 1) : id;
  return {
    ok: true,
    command: {
      type: 'answer',
      callId,
      digest,
      outcome,
      payload: payload as AnswerPayload,
      by,
      ...(typeof key === 'string' && { key }),
    },
  };
}

export const isOutcome = (value: unknown): value is Outcome => OUTCOMES.some((known) => known === value);

const invalid = (problem: string): ReadAnswer => ({
  ok: false,
  failure: { code: 'invalid_request', problem },
});
