import type {
  Event,
  EventOf,
  EventType,
  Grant,
  PermitSource,
  Plan,
  Question,
  Verdict,
} from '@countersign/protocol';
import type { Append, ApprovalRow, CallRow } from '../journal/index.js';

/** Events and rows with everything filled in, for tests of journals. */
export const opened = (epoch = 1, workspace = '/home/me/project'): EventOf<'session.opened'> => ({
  type: 'session.opened',
  epoch,
  at: 1_000,
  workspace,
  mode: 'manual',
});

export const loaded = (hash: string): EventOf<'policy.loaded'> => ({
  type: 'policy.loaded',
  hash,
  at: 1_000,
});

export const verdict: Verdict = {
  decision: 'ask_user',
  rule: { name: 'writes', tier: 'default', priority: 10, file: 'default.toml', line: 4 },
  reason: 'it has an effect',
  matched: 'file_path',
};

export const plan: Plan = {
  title: 'Write src/a.ts',
  kind: 'edit',
  resources: [
    { kind: 'fs.write', path: '/home/me/project/src/a.ts', scope: 'file', place: 'workspace', guarded: null },
    { kind: 'net', host: 'example.org', access: 'read' },
    { kind: 'mcp', server: 'notes', tool: 'add', access: 'write' },
    { kind: 'opaque', why: 'a test' },
  ],
  locations: [{ path: '/home/me/project/src/a.ts', line: 3 }, { path: '/home/me/project' }],
  basis: [{ path: '/home/me/project/src/a.ts', before: null, after: 'c0ffee' }],
  repeat: 'unsafe',
  after: 'conflicts',
  byDefault: null,
  digest: 'digest-1',
};

export const question = (digest = 'digest-1'): Question => ({
  digest,
  confirmation: {
    type: 'edit',
    title: 'Apply this change?',
    fileName: 'a.ts',
    filePath: '/home/me/project/src/a.ts',
    fileDiff: '--- a\n+++ b\n',
    originalContent: null,
    newContent: 'const nul = "\0";\n// \u2028 and half of a pair: \ud800\n',
    diffStat: { added: 2, removed: 0 },
    notes: ['It was never read in this session.'],
  },
  offers: [
    { outcome: 'proceed_once', grant: null },
    {
      outcome: 'proceed_always',
      grant: { pattern: { kind: 'edits' }, scope: 'session', text: 'Edits here' },
    },
  ],
  askedAt: 2_000,
});

export const requested = (callId: string, turn: number, index = 0): EventOf<'call.requested'> => ({
  type: 'call.requested',
  request: {
    callId,
    wireId: callId,
    name: 'write_file',
    args: { file_path: 'src/a.ts', content: 'x' },
    argsHash: 'hash',
    origin: 'model',
    promptId: 'prompt-1',
    turn,
    index,
    revision: 0,
    at: 1_500,
    waitForPrevious: false,
    calledAs: null,
  },
});

export const turnStarted = (turn: number): EventOf<'turn.started'> => ({
  type: 'turn.started',
  turn,
  at: 1_400,
  start: 'as_granted',
  attended: 'somebody',
});

/** A whole turn with one call that fails while it is planned. */
export const wholeTurn = (turn: number, callId = `call-${turn}`): readonly Event[] => [
  turnStarted(turn),
  requested(callId, turn),
  { type: 'turn.sealed', turn },
  failed(callId),
  { type: 'turn.ended', turn, at: 1_900 },
];

export const failed = (callId: string): EventOf<'call.failed'> => ({
  type: 'call.failed',
  callId,
  failure: { code: 'plan_failed', name: 'write_file', message: 'no' },
  partial: null,
  at: 1_800,
});

export const grant = (id: string, changes: Partial<Grant> = {}): Grant => ({
  id,
  pattern: { kind: 'tool', tool: 'write_file' },
  scope: 'user',
  scopeKey: '',
  uses: null,
  expiresAt: null,
  by: 'ada',
  at: 3_000,
  ...changes,
});

export const approval = (sessionId: string, callId: string, digest = 'digest-1'): ApprovalRow => ({
  sessionId,
  callId,
  tool: 'write_file',
  title: 'Write src/a.ts',
  question: question(digest),
  verdict,
});

/** The facts that such a row is derived from: a row that no fact bears out is not listed. */
export const asking = ({ callId, question: asked }: ApprovalRow): readonly Event[] => [
  requested(callId, 1),
  { type: 'call.planned', callId, plan, verdict },
  { type: 'call.asked', callId, question: asked },
];

export const answered = (digest = 'digest-1') => ({
  digest,
  outcome: 'proceed_once',
  by: 'ada',
  at: 4_000,
  key: null,
});

export const call = (sessionId: string, callId: string, turn = 1): CallRow => ({
  sessionId,
  callId,
  turn,
  tool: 'write_file',
  status: 'success',
  requestedAt: 1_500,
  startedAt: 1_600,
  endedAt: 1_800,
  waitedMs: 50,
  decidedBy: 'ada',
  decider: 'person',
  verdict: 'ask_user',
  rule: 'rules.toml:3',
  failure: null,
});

/** An append that changes nothing but what is given. */
export const append = (
  sessionId: string,
  token: number,
  expectedSeq: number,
  changes: Partial<Append> = {},
): Append => ({
  sessionId,
  token,
  expectedSeq,
  events: [],
  views: [],
  claims: [],
  consumed: [],
  sync: 'normal',
  ...changes,
});

const callId = 'call-1';
const usage = { inputTokens: 9, outputTokens: 8, cachedTokens: 7, thoughtTokens: 6 };
const permit = (by: PermitSource): EventOf<'call.granted'> => ({
  ...{ type: 'call.granted', callId },
  permit: { digest: 'digest-1', by },
});

const EXAMPLES: { readonly [T in EventType]: readonly [EventOf<T>, ...EventOf<T>[]] } = {
  'session.opened': [opened()],
  'policy.loaded': [loaded('h')],
  'mode.changed': [{ type: 'mode.changed', mode: 'yolo', by: 'ada', at: 1 }],
  'turn.started': [turnStarted(1)],
  'call.requested': [requested(callId, 1)],
  'call.planned': [{ type: 'call.planned', callId, plan, verdict: { ...verdict, because: 'rule' } }],
  'call.hooked': [
    {
      ...{ type: 'call.hooked', callId, when: 'before', at: 2 },
      notes: [{ hook: 'look', source: 'user', said: 'nothing', reason: null, durationMs: 3 }],
    },
  ],
  'turn.sealed': [{ type: 'turn.sealed', turn: 1 }],
  'call.asked': [{ type: 'call.asked', callId, question: question() }],
  'call.answered': [
    {
      ...{ type: 'call.answered', callId },
      answer: {
        outcome: 'cancel',
        by: 'ada',
        at: 2,
        digest: 'digest-1',
        key: 'k',
        feedback: 'no "quotes" \0',
      },
    },
  ],
  'call.rewritten': [
    {
      ...{ type: 'call.rewritten', callId, revision: 1, argsHash: 'h2', by: 'ada' },
      args: { deep: { list: [1, null, 'x'] } },
    },
  ],
  'call.granted': [
    permit({ type: 'policy', rule: null }),
    permit({ type: 'person', who: 'ada' }),
    permit({ type: 'grant', grantId: 'g' }),
  ],
  'call.started': [{ type: 'call.started', callId, attempt: 1, epoch: 1, at: 3 }],
  'call.retried': [
    {
      ...{ type: 'call.retried', callId, attempt: 2, epoch: 1, delayMs: 100, at: 4 },
      because: { code: 'timed_out', afterMs: 5, stopped: true },
    },
  ],
  'call.aborting': [{ type: 'call.aborting', callId, reason: { type: 'aborted', by: 'ada' }, at: 5 }],
  'call.finished': [
    {
      ...{ type: 'call.finished', callId, at: 6 },
      outcome: { ok: true, result: { llmContent: 'text', returnDisplay: 'text' } },
    },
  ],
  'call.blocked': [
    {
      ...{ type: 'call.blocked', callId, attempt: 1, plan, verdict, question: question(), at: 6 },
      because: { code: 'timed_out', afterMs: 5, stopped: true },
      partial: null,
    },
  ],
  'call.succeeded': [
    {
      ...{ type: 'call.succeeded', callId, at: 6 },
      result: {
        llmContent: ['text', { inlineData: { mimeType: 'image/png', data: '' } }],
        returnDisplay: null,
      },
    },
  ],
  'call.failed': [failed(callId)],
  'call.cancelled': [
    {
      ...{ type: 'call.cancelled', callId, at: 7 },
      reason: { type: 'declined', by: 'ada', feedback: null },
      partial: { output: 'half', mayHaveHappened: true },
    },
  ],
  'message.added': [
    {
      type: 'message.added',
      message: { id: 1, at: 7, role: 'user', parts: [{ text: 'Fix it' }], by: 'ada', promptId: 'p' },
    },
  ],
  'history.compressed': [{ type: 'history.compressed', summary: 'Short.', keptFrom: 1, usage, at: 8 }],
  'history.masked': [{ type: 'history.masked', throughTurn: 1, at: 8 }],
  'grant.added': [{ type: 'grant.added', grant: grant('g', { uses: 2, expiresAt: 9 }), callId }],
  'command.accepted': [
    {
      ...{ type: 'command.accepted', by: 'ada', key: 'k', digest: 'd', at: 8 },
      reply: { ok: true, seq: 9, turn: 1, callIds: [callId] },
    },
    {
      ...{ type: 'command.accepted', by: 'ada', key: null, digest: 'd', at: 8 },
      reply: { ok: false, failure: { code: 'unknown_turn', turn: 2 } },
    },
  ],
  'session.deleted': [
    { ...{ type: 'session.deleted', sessionId: 's', workspace: '/w', by: 'ada', at: 9 }, key: null },
  ],
  'grant.revoked': [{ type: 'grant.revoked', grantId: 'g', by: 'ada', at: 8 }],
  'turn.ended': [{ type: 'turn.ended', turn: 1, at: 9 }],
};

/** Every kind of event, with every optional field. */
export const everyEvent: readonly Event[] = Object.values(EXAMPLES).flat();
