import { isUserPart } from '@countersign/kernel';
import {
  answerPayloadFields,
  approvalFields,
  confirmationType,
  decision,
  grant,
  jsonObject,
  mode,
  outcome,
  riskLevel,
  startRule,
  status,
  text,
  when,
} from '@countersign/protocol/schemas';
import { z } from 'zod';
import { type Operation, operation } from './operation.js';
import type { OperationName } from './routes.js';
import { fact, ruleOrNull } from './shapes.js';

const ID_CHARS_MAX = 512; // a model may name a call as it likes, but not at any length
const NAME_CHARS_MAX = 256;
const PATH_CHARS_MAX = 4_096; // as long as a path may be
const FOLLOWED_CHARS_MAX = 8 * 1024; // as many ids as a stream carries, and fewer than a header holds
const FEEDBACK_CHARS_MAX = 64 * 1024;
const CALLS_MAX = 100; // a batch that a user could still review
const PARTS_MAX = 100;

/** How some calls ended. */
const ended = { calls: z.number(), success: z.number(), error: z.number(), cancelled: z.number() };
/** The usage of models; `dollars` is null where the price of a model or its usage is not known. */
const spending = z.object({
  requests: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number(),
  dollars: z.number().nullable(),
});
const id = z.string().min(1).max(ID_CHARS_MAX);
/** As command lines have it: SESSION/CALL names an approval there. */
const newSessionId = z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/);
const path = z.string().min(1).max(PATH_CHARS_MAX);
const limit = (most: number) => z.number().int().min(1).max(most).exactOptional();
const cursor = z
  .string()
  .max(ID_CHARS_MAX)
  .exactOptional()
  .meta({ description: '`next` of the previous page' });
/** Of every operation that changes a session. */
const key = z.string().min(1).max(NAME_CHARS_MAX).exactOptional().meta({
  description:
    'Idempotency key, per session and person: the same key with the same request gives the first reply and has no further effect; with another request it is refused with 409',
});
const next = text.nullable().meta({ description: 'The cursor of the next page; null on the last page' });
const wanted = z.strictObject({
  callId: id.exactOptional(),
  name: z.string().min(1).max(NAME_CHARS_MAX),
  args: jsonObject.exactOptional(),
});

const messagePart = jsonObject
  .refine(isUserPart, 'is not a part with text, inlineData (base64) or fileData alone')
  .meta({
    description: '{"text"}, {"inlineData": {"mimeType", "data"}} or {"fileData": {"mimeType", "fileUri"}}',
  });

const served = z.boolean().meta({
  description:
    'Whether its workspace is served by this server; if not, questions can only be answered once and unchanged, and nothing else is possible',
});
const story = z.object({ policy: text.nullable(), mode: mode.nullable(), facts: z.array(fact) });

const left = z.object({
  running: z
    .number()
    .meta({ description: 'Calls that were started and have no recorded end; their commands may still run' }),
  queued: z.number().meta({ description: 'Calls that were not started' }),
  questions: z.number().meta({ description: 'Calls that wait for a person' }),
  unanswered: z.boolean().meta({ description: 'Whether the model was stopped by the end of its process' }),
});

const session = z.object({
  sessionId: text,
  workspace: text,
  mode,
  createdAt: when,
  updatedAt: when,
  seq: z.number().meta({ description: 'Number of its events' }),
  title: text.nullable().meta({ description: 'The beginning of the first user message' }),
  state: z.enum(['waiting', 'working', 'interrupted', 'idle']).meta({
    description:
      'waiting: for approval; working: a model or a call is at work; idle: nothing is, though a process may have it open (see owner); interrupted: work was left open (see left), and no process continues it',
  }),
  owner: z.enum(['here', 'elsewhere']).nullable(),
  frontEnd: text.nullable().meta({
    description: 'The kind of front end that has it open, or had it open last: terminal, headless, exec, …',
  }),
  left: left.nullable().meta({
    description:
      'What the last process left open; null where nothing is, or a process works on it. POST /sessions/{sessionId}/resume continues it.',
  }),
  approvals: z.number().meta({ description: 'Open questions' }),
  served,
  damaged: text.optional().meta({
    description: 'What is damaged in its records, which then cannot be read; omitted where nothing is',
  }),
});

const approval = z.object({
  sessionId: text,
  callId: text,
  tool: text,
  title: text,
  kind: confirmationType,
  risk: riskLevel.nullable(),
  digest: text,
  askedAt: when,
  reason: text,
});

const acknowledged = z.object({
  seq: z.number().meta({ description: 'Number of events of the session now' }),
  repeated: z.boolean().meta({ description: 'The same command was sent before; nothing more was done' }),
});

const judged = z.object({
  decision,
  rule: ruleOrNull,
  reasons: z.array(text),
  grant: z
    .object({ id: text, scope: z.enum(['session', 'project', 'user']), text })
    .exactOptional()
    .meta({ description: 'The grant that allows what a rule would ask about' }),
  certain: z.literal(false).exactOptional().meta({
    description: 'A hook, an MCP server or the grants would take part and were not asked; see reasons',
  }),
  commands: z.array(
    z.object({
      text,
      program: text.nullable(),
      decision,
      rule: ruleOrNull,
      reason: text,
    }),
  ),
});
const explained = z.object({
  ...judged.shape,
  policy: text,
  mode,
  interactive: z.boolean(),
  tool: text,
  resources: z.array(jsonObject),
  trace: z.array(z.object({ rule: ruleOrNull, met: z.boolean(), why: text })).meta({
    description: 'Every rule in the order of evaluation; met: the rule matched',
  }),
});
const judging = {
  workspace: path.exactOptional(),
  mode: mode.exactOptional(),
  sessionId: id
    .exactOptional()
    .meta({ description: 'A session of the workspace, whose mode and grants apply' }),
};
const call = z.strictObject({
  tool: z.string().min(1).max(NAME_CHARS_MAX),
  args: jsonObject,
  interactive: z.boolean().exactOptional(),
});

const agentEvent = z
  .custom<{ readonly type: string }>((value) => typeof value === 'object' && value !== null)
  .meta({ type: 'object', description: 'Streamed output of the model' });
const live = z.object({ callId: text });

export const operations = {
  health: operation('Whether the process responds', {
    access: 'public',
    answer: z.object({ status: z.literal('ok') }),
  }),
  readiness: operation('Whether the store can be used', {
    access: 'public',
    answer: z.object({ status: z.literal('ready') }),
  }),
  metrics: operation('Metrics for Prometheus', { answer: text, answerType: 'text/plain; version=0.0.4' }),
  describe: operation('This description', { answer: jsonObject }),

  signIn: operation(
    'Exchange the one-time code of a pairing link for a cookie and a secret of this browser',
    {
      access: 'public',
      body: z.strictObject({ code: z.string().min(1).max(ID_CHARS_MAX) }),
      answer: z.object({
        name: text,
        secret: text.meta({
          description: 'To be sent as X-Countersign with every request; only the page may read and store it',
        }),
      }),
    },
  ),
  signOut: operation('Sign this browser out, in all its windows: its cookie and secret become invalid', {
    body: z.strictObject({}),
    answer: z.object({ name: text }),
  }),
  whoAmI: operation('The signed-in user and the served workspaces', {
    answer: z.object({
      name: text,
      version: text,
      workspaces: z.array(text),
      model: text.nullable().meta({ description: 'null: sessions accept calls, but no messages' }),
    }),
  }),
  makePairing: operation('A one-time link that signs in another browser', {
    status: 201,
    body: z.strictObject({}),
    answer: z.object({ url: text, expiresAt: when }),
  }),

  listSessions: operation('Sessions, the most recent first', {
    query: z.strictObject({ limit: limit(200), cursor, workspace: path.exactOptional() }),
    answer: z.object({ sessions: z.array(session), next }),
  }),
  createSession: operation('Start a session', {
    status: 201,
    body: z.strictObject({
      sessionId: newSessionId.exactOptional(),
      workspace: path.exactOptional(),
      mode: mode.exactOptional(),
      key,
    }),
    answer: session,
  }),
  startDemonstration: operation(
    'Start a session in which a scripted model works in a temporary folder, with the real tools and rules',
    { status: 201, body: z.strictObject({ key }), answer: session },
  ),
  showSession: operation('One session', { answer: session }),
  deleteSession: operation('Stop the session and delete all its events; who did it stays in the audit', {
    query: z.strictObject({ key }),
    answer: z.object({ sessionId: text }),
  }),
  resumeSession: operation('Resume a session: its open calls continue', {
    body: z.strictObject({ key }),
    answer: session,
  }),
  forkSession: operation(
    'A new session with the history of this one, up to the turn of a call, or all turns that have ended',
    {
      status: 201,
      body: z.strictObject({ callId: id.exactOptional(), key }),
      answer: session,
    },
  ),
  exportSession: operation('All events, one per line', { answer: fact, answerType: 'application/x-ndjson' }),
  followSession: operation(
    'Events after `after` (or Last-Event-ID), then new ones as they happen. `fact` is a stored event, with its number as id; `live` and `agent` are live output, which is not stored',
    {
      query: z.strictObject({ after: z.number().int().min(0).exactOptional() }),
      answer: z.union([fact, live, agentEvent]),
      answerType: 'text/event-stream',
    },
  ),
  sendMessage: operation(
    'Send a message to the model; the work continues after the response to this request',
    {
      status: 202,
      bodySize: 'content',
      body: z.union([
        z.strictObject({ text: z.string().min(1), key }),
        z.strictObject({ parts: z.array(messagePart).min(1).max(PARTS_MAX), key }),
      ]),
      answer: z.object({ promptId: text }),
    },
  ),
  issueCalls: operation('Request tool calls as a batch; policy applies as for calls of a model', {
    status: 202,
    bodySize: 'content',
    body: z.strictObject({
      calls: z.array(wanted).min(1).max(CALLS_MAX),
      start: startRule.exactOptional(),
      key,
    }),
    answer: z.object({ seq: z.number(), turn: z.number(), callIds: z.array(text) }),
  }),
  cancel: operation('Cancel a call, a turn, or everything including the model', {
    body: z.strictObject({
      target: z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('call'), callId: id }),
        z.strictObject({ type: z.literal('turn'), turn: z.number().int().min(0) }),
        z.strictObject({ type: z.literal('all') }),
      ]),
      key,
    }),
    answer: acknowledged,
  }),
  setMode: operation('Change the approval mode', {
    body: z.strictObject({ mode, key }),
    answer: acknowledged,
  }),

  follow: operation(
    'Changes of the inbox and of the session list, and the events of some sessions, over one connection. ' +
      '`hello` means that the client should list everything again; `change` is a change of the inbox; `session` names a session and holds an event of its stream, ' +
      'or `refused` with a problem if the session does not exist. An id is a cursor for resuming all of them',
    {
      query: z.strictObject({
        sessions: z
          .string()
          .max(FOLLOWED_CHARS_MAX)
          .exactOptional()
          .meta({ description: 'Ids, separated by commas; `ID:12` starts after event 12' }),
      }),
      answer: jsonObject,
      answerType: 'text/event-stream',
    },
  ),
  listApprovals: operation('Pending approvals of every session of this store, oldest first', {
    query: z.strictObject({ limit: limit(200), cursor, sessionId: id.exactOptional() }),
    answer: z.object({ approvals: z.array(approval), total: z.number(), next }),
  }),
  showApproval: operation('A question with everything that must be shown before it is answered', {
    query: z.strictObject({ sessionId: id, callId: id }),
    answer: z.object({
      ...approvalFields,
      served,
      story: story.meta({ description: 'Why it is asked, from the journal' }),
    }),
  }),
  answerApproval: operation('Answer a question as it was shown. The first answer counts', {
    bodySize: 'content',
    body: z.strictObject({
      sessionId: id,
      callId: id,
      digest: z
        .string()
        .min(1)
        .max(NAME_CHARS_MAX)
        .meta({ description: 'The digest of the question that was shown' }),
      outcome,
      key,
      payload: z
        .strictObject({
          ...answerPayloadFields,
          feedback: z.string().max(FEEDBACK_CHARS_MAX).exactOptional(),
          uses: z.number().int().min(1).exactOptional(),
        })
        .exactOptional(),
    }),
    answer: acknowledged,
  }),

  listGrants: operation('Active grants', {
    answer: z.object({ grants: z.array(z.intersection(grant, z.object({ text }))) }),
  }),
  revokeGrant: operation('Revoke a grant, with immediate effect in every session', {
    body: z.strictObject({ grantId: id, key }),
    answer: z.object({ grantId: text }),
  }),
  checkPolicy: operation('What the rules decide about calls, without running them', {
    body: z.strictObject({ ...judging, calls: z.array(call).min(1).max(CALLS_MAX) }),
    answer: z.object({ verdicts: z.array(judged) }),
  }),
  explainPolicy: operation('Every rule that was considered for a call, and the decision', {
    body: z.strictObject({ ...judging, call }),
    answer: explained,
  }),
  explainCall: operation('How a call was decided, from the journal', {
    query: z.strictObject({ sessionId: id, callId: id }),
    answer: story,
  }),
  listFacts: operation(
    'Events of one session or of all, oldest session last; a page may hold fewer than requested',
    {
      query: z.strictObject({
        limit: limit(500),
        cursor,
        sessionId: id.exactOptional(),
        type: z
          .string()
          .max(NAME_CHARS_MAX)
          .exactOptional()
          .meta({ description: 'A type, or the part before its dot' }),
        callId: id.exactOptional(),
        by: z.string().max(NAME_CHARS_MAX).exactOptional(),
      }),
      answer: z.object({
        facts: z.array(z.intersection(fact, z.object({ sessionId: text }))),
        next,
      }),
    },
  ),
  statistics: operation('Statistics of completed calls', {
    query: z.strictObject({ since: when.exactOptional(), sessionId: id.exactOptional() }),
    answer: z.object({
      calls: z.number(),
      byStatus: z.partialRecord(status, z.number()),
      byTool: z.array(
        z.object({
          tool: text,
          ...ended,
          durationMs: z.object({ median: z.number(), p95: z.number() }),
          waitedMs: z.object({ median: z.number(), p95: z.number() }),
        }),
      ),
      bySession: z.array(z.object({ sessionId: text, ...ended, spending })),
      byRule: z.array(z.object({ rule: text, decision: text.nullable(), ...ended })),
      spending,
      byFailure: z.array(z.object({ failure: text, calls: z.number() })),
      byDecider: z.array(z.object({ decidedBy: text, calls: z.number() })),
      overTime: z.object({
        stepMs: z.number(),
        steps: z.array(z.object({ at: when, success: z.number(), error: z.number(), cancelled: z.number() })),
      }),
    }),
  }),
  listTools: operation('Tools that calls may use, with the descriptions that a model receives', {
    query: z.strictObject({ workspace: path.exactOptional() }),
    answer: z.object({ tools: z.array(jsonObject) }),
  }),
  listFiles: operation('Files of a workspace for completion, without those that ignore files exclude', {
    query: z.strictObject({
      workspace: path.exactOptional(),
      query: z.string().max(PATH_CHARS_MAX).exactOptional(),
      limit: limit(200),
    }),
    answer: z.object({
      files: z.array(text),
      complete: z.boolean().meta({ description: 'false: the workspace has more files than were read' }),
    }),
  }),
} satisfies { readonly [N in OperationName]: Operation };

export type Operations = typeof operations;
export type QueryOf<N extends OperationName> = z.output<Operations[N]['query']>;
export type BodyOf<N extends OperationName> = Operations[N]['body'] extends z.ZodType
  ? z.output<Operations[N]['body']>
  : null;
export type AnswerOf<N extends OperationName> = Immutable<z.output<Operations[N]['answer']>>;

/** Responses are read only. */
type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Immutable<T[K]> }
    : T;

export type SessionSummary = AnswerOf<'showSession'>;
export type ApprovalSummary = AnswerOf<'listApprovals'>['approvals'][number];
