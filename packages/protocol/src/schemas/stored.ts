import { z } from 'zod';
import {
  type AnsweredRow,
  type AnswerPayload,
  type ApprovalRow,
  type CallRow,
  type CancelTarget,
  type Command,
  type WantedCall,
} from '../index.js';
import { identity } from './accepted-command.js';
import {
  attended,
  decision,
  type Fields,
  grantScope,
  json,
  jsonObject,
  mode,
  number,
  origin,
  outcome,
  question,
  startRule,
  status,
  text,
  textOrNull,
  verdict,
  when,
} from './parts.js';

/** The shapes of what is stored beside events: views of them, and commands on their way to an owner. */
export const approvalFields = {
  sessionId: text,
  callId: text,
  tool: text,
  title: text,
  question,
  verdict,
} satisfies Fields<ApprovalRow>;
export const approvalRow: z.ZodType<ApprovalRow> = z.looseObject(approvalFields);

export const answeredRow: z.ZodType<AnsweredRow> = z.looseObject({
  digest: text,
  outcome: text,
  by: text,
  at: number,
  key: textOrNull,
  payloadDigest: text.exactOptional(),
} satisfies Fields<AnsweredRow>);

export const callRow: z.ZodType<CallRow> = z.looseObject({
  sessionId: text,
  callId: text,
  turn: number,
  tool: text,
  status: status,
  requestedAt: number,
  startedAt: number.nullable(),
  endedAt: number,
  waitedMs: number,
  decidedBy: textOrNull,
  decider: z.enum(['policy', 'grant', 'hook', 'person']).exactOptional(),
  verdict: decision.exactOptional(),
  rule: text.exactOptional(),
  failure: textOrNull,
} satisfies Fields<CallRow>);

const wantedCall: z.ZodType<WantedCall> = z.looseObject({
  callId: text.exactOptional(),
  name: text.exactOptional(),
  args: jsonObject.exactOptional(),
  origin: origin.exactOptional(),
  promptId: text.exactOptional(),
} satisfies Fields<WantedCall>);

export const answerPayloadFields = {
  feedback: text.exactOptional(),
  args: jsonObject.exactOptional(),
  newContent: text.exactOptional(),
  answers: json.exactOptional(),
  stop: z.boolean().exactOptional(),
  scope: grantScope.exactOptional(),
  expiresAt: when.exactOptional(),
  uses: number.exactOptional(),
} satisfies Fields<AnswerPayload>;
const answerPayload: z.ZodType<AnswerPayload> = z.looseObject(answerPayloadFields);

const cancelTarget: z.ZodType<CancelTarget> = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('call'), callId: text }),
  z.looseObject({ type: z.literal('turn'), turn: number }),
  z.looseObject({ type: z.literal('all') }),
]);

export const command: z.ZodType<Command> = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('call'),
    calls: z.array(wantedCall),
    start: startRule.exactOptional(),
    attended: attended.exactOptional(),
    identity,
  }),
  z.looseObject({
    type: z.literal('answer'),
    callId: text,
    digest: text,
    outcome,
    payload: answerPayload.exactOptional(),
    by: text,
    key: text.exactOptional(),
    identity,
  }),
  z.looseObject({
    type: z.literal('prompt'),
    parts: z.array(jsonObject),
    by: text,
    promptId: text.exactOptional(),
    identity,
  }),
  z.looseObject({
    type: z.literal('modify'),
    callId: text,
    digest: text,
    args: jsonObject,
    by: text,
    identity,
  }),
  z.looseObject({ type: z.literal('cancel'), target: cancelTarget, by: text, identity }),
  z.looseObject({ type: z.literal('set-mode'), mode, by: text, identity }),
  z.looseObject({ type: z.literal('revoke-grant'), grantId: text, by: text, identity }),
]);
