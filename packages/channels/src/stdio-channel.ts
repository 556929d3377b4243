import {
  type AnswerPayload,
  type AwaitingCall,
  type Command,
  type Failure,
  type JsonObject,
  OUTCOMES,
  type Outcome,
} from '@countersign/protocol';
import { type ChannelKind, printing } from './channel.js';

/** Prints questions to stdout for another program, which answers on stdin (`readAnswer`). */
export const stdioChannel: ChannelKind = {
  attended: 'somebody',
  open: ({ client, print }) => printing({ offer: (call) => print(approvalLine(client.sessionId, call)) }),
};

/** A question as a JSON line. */
function approvalLine(sessionId: string, { request, verdict, question, plan }: AwaitingCall) {
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
  const fields: Fields = { ...value };
  const { id, digest, outcome, payload: given = {}, key, by = 'stdio' } = fields;
  if (typeof id !== 'string') return invalid('an answer needs "id", the id of the approval');
  if (typeof digest !== 'string') return invalid('an answer needs "digest", as the approval gave it');
  if (!isOutcome(outcome)) return invalid(`an answer needs "outcome", one of ${OUTCOMES.join(', ')}`);
  if (!isObject(given)) return invalid('"payload" must be an object');
  const payload = withPlanAnswer(given);
  if (typeof by !== 'string') return invalid('"by" must be a string');
  if (key !== undefined && typeof key !== 'string') return invalid('"key" must be a string');
  const problem = payloadProblem(payload);
  if (problem) return invalid(problem);
  const callId = id.startsWith(`${sessionId}/`) ? id.slice(sessionId.length + 1) : id;
  return {
    ok: true,
    command: { type: 'answer', callId, digest, outcome, payload, by, ...(key !== undefined && { key }) },
  };
}

type Fields = { readonly [key: string]: unknown };

/** Gemini CLI's answer to a plan, `{approved, approvalMode?, feedback?}`, as an answer of ours. */
function withPlanAnswer({ approved, approvalMode, ...rest }: JsonObject): JsonObject {
  if (approved === undefined && approvalMode === undefined) return rest;
  const { feedback } = rest;
  const answers = {
    ...(approved !== undefined && { approved }),
    ...(approvalMode !== undefined && { approvalMode }),
    ...(feedback !== undefined && { feedback }),
  };
  return { answers, ...rest };
}

/** The journal's schema must be able to read the payload, so its types are checked. */
const PAYLOAD: { readonly [field in keyof Required<AnswerPayload>]: (value: unknown) => boolean } = {
  feedback: (value) => typeof value === 'string',
  stop: (value) => typeof value === 'boolean',
  args: isObject,
  newContent: (value) => typeof value === 'string',
  answers: () => true,
  scope: (value) => typeof value === 'string',
  expiresAt: (value) => typeof value === 'number',
  uses: (value) => typeof value === 'number',
};

function payloadProblem(payload: Fields): string | null {
  for (const [field, value] of Object.entries(payload)) {
    const known = Object.entries(PAYLOAD).find(([name]) => name === field);
    if (!known) return `"payload.${field}" is not known (known: ${Object.keys(PAYLOAD).join(', ')})`;
    const [, isRight] = known;
    if (!isRight(value)) return `"payload.${field}" is of the wrong type`;
  }
  return null;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const isOutcome = (value: unknown): value is Outcome => OUTCOMES.some((known) => known === value);

const invalid = (problem: string): ReadAnswer => ({
  ok: false,
  failure: { code: 'invalid_request', problem },
});
