import { mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Journal } from '@countersign/engine';
import type { ApprovalMode, WantedCall } from '@countersign/protocol';
import type { OpenedSession } from '@countersign/server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DescribedServer } from './described.js';
import { must, Serving, until } from './serving.js';

let serving: Serving;
let outside: string;
let stores: Journal[];
beforeEach(async () => {
  serving = await Serving.start();
  outside = join(realpathSync(serving.directory), 'outside');
  mkdirSync(outside);
  stores = [];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  await serving.close();
});

type Target = {
  readonly sessionId: string;
  readonly callId: string;
  readonly digest: string;
  readonly workspace: string;
  readonly grantId: string;
};
type Given = { readonly route: string; readonly body?: unknown; readonly query?: string };

/** How each operation is asked about a session, a folder or a grant; one that is missing here makes the test fail. */
const ASKED: { readonly [operation: string]: (of: Target) => Given } = {
  health: () => ({ route: 'GET /health' }),
  readiness: () => ({ route: 'GET /ready' }),
  metrics: () => ({ route: 'GET /metrics' }),
  describe: () => ({ route: 'GET /api/openapi.json' }),
  signIn: () => ({ route: 'POST /api/sign-in', body: { code: 'none' } }),
  signOut: () => ({ route: 'POST /api/sign-out', body: {} }),
  whoAmI: () => ({ route: 'GET /api/me' }),
  makePairing: () => ({ route: 'POST /api/pairings', body: {} }),
  listSessions: () => ({ route: 'GET /api/sessions' }),
  createSession: ({ workspace }) => ({ route: 'POST /api/sessions', body: { workspace } }),
  startDemonstration: () => ({ route: 'POST /api/demonstrations', body: {} }),
  showSession: ({ sessionId }) => ({ route: `GET /api/sessions/${sessionId}` }),
  deleteSession: ({ sessionId }) => ({ route: `DELETE /api/sessions/${sessionId}` }),
  resumeSession: ({ sessionId }) => ({ route: `POST /api/sessions/${sessionId}/resume`, body: {} }),
  forkSession: ({ sessionId }) => ({ route: `POST /api/sessions/${sessionId}/fork`, body: {} }),
  exportSession: ({ sessionId }) => ({ route: `GET /api/sessions/${sessionId}/export` }),
  followSession: ({ sessionId }) => ({ route: `GET /api/sessions/${sessionId}/events` }),
  sendMessage: ({ sessionId }) => ({
    route: `POST /api/sessions/${sessionId}/messages`,
    body: { text: 'Hello' },
  }),
  issueCalls: ({ sessionId }) => ({
    route: `POST /api/sessions/${sessionId}/calls`,
    body: { calls: [{ name: 'list_directory', args: { dir_path: '.' } }] },
  }),
  cancel: ({ sessionId }) => ({
    route: `POST /api/sessions/${sessionId}/cancel`,
    body: { target: { type: 'all' } },
  }),
  setMode: ({ sessionId }) => ({ route: `POST /api/sessions/${sessionId}/mode`, body: { mode: 'yolo' } }),
  follow: ({ sessionId }) => ({ route: 'GET /api/events', query: `sessions=${sessionId}` }),
  listApprovals: ({ sessionId }) => ({ route: 'GET /api/approvals', query: `sessionId=${sessionId}` }),
  showApproval: ({ sessionId, callId }) => ({
    route: 'GET /api/approvals/one',
    query: `sessionId=${sessionId}&callId=${callId}`,
  }),
  answerApproval: ({ sessionId, callId, digest }) => ({
    route: 'POST /api/approvals/answer',
    body: { sessionId, callId, digest, outcome: 'proceed_once' },
  }),
  listGrants: () => ({ route: 'GET /api/grants' }),
  revokeGrant: ({ grantId }) => ({ route: 'POST /api/grants/revoke', body: { grantId } }),
  checkPolicy: ({ workspace }) => ({
    route: 'POST /api/policy/check',
    body: { workspace, calls: [{ tool: 'read_file', args: { file_path: 'a' } }] },
  }),
  explainPolicy: ({ workspace }) => ({
    route: 'POST /api/policy/explain',
    body: { workspace, call: { tool: 'read_file', args: { file_path: 'a' } } },
  }),
  explainCall: ({ sessionId, callId }) => ({
    route: 'GET /api/policy/call',
    query: `sessionId=${sessionId}&callId=${callId}`,
  }),
  listFacts: ({ sessionId }) => ({ route: 'GET /api/audit', query: `sessionId=${sessionId}` }),
  statistics: ({ sessionId }) => ({ route: 'GET /api/statistics', query: `sessionId=${sessionId}` }),
  listTools: ({ workspace }) => ({ route: 'GET /api/tools', query: `workspace=${workspace}` }),
  listFiles: ({ workspace }) => ({ route: 'GET /api/files', query: `workspace=${workspace}` }),
};

/** All questions of the machine can be seen and answered: one inbox. */
const OPEN_TO_ALL: readonly string[] = [
  'showSession',
  'followSession',
  'follow',
  'listApprovals',
  'showApproval',
  'answerApproval',
  'cancel',
];
/** These name no session, folder or grant; what they list is looked at in tests of their own below. */
const NAMES_NOTHING: readonly string[] = [
  'health',
  'readiness',
  'metrics',
  'describe',
  'signIn',
  'signOut',
  'whoAmI',
  'makePairing',
  'listSessions',
  'startDemonstration',
  'listGrants',
];

describe('operations on a session outside the served workspaces [W3]', () => {
  test('every operation that names one is refused, except to view, answer and cancel', async () => {
    const server = await DescribedServer.of(serving);
    expect(server.operations.filter((name) => !Object.hasOwn(ASKED, name))).toEqual([]);
    for (const operation of server.operations) {
      if (NAMES_NOTHING.includes(operation)) continue;
      const ask = ASKED[operation];
      if (!ask) throw new Error(operation);
      const inside = await target(serving.workspace, `in-${operation}`);
      const beyond = await target(outside, `out-${operation}`);
      const statuses = [];
      const before = await facts(beyond.sessionId);
      for (const of of [inside, beyond]) {
        const { route, ...given } = ask(of);
        statuses.push((await server.ask(route, given)).status);
      }
      const [within, without] = statuses;
      // There is no model here, so messages are refused for that.
      expect([operation, operation === 'sendMessage' ? within === 503 : (within ?? 500) < 300]).toEqual([
        operation,
        true,
      ]);
      const expected = OPEN_TO_ALL.includes(operation) ? 200 : 403;
      expect([operation, without]).toEqual([operation, expected]);
      if (expected === 403) expect(await facts(beyond.sessionId)).toEqual(before);
    }
    expect(serving.troubles).toEqual([]);
  });

  test('lists of facts, figures and grants omit it; lists of sessions and questions mark it as not served', async () => {
    const inside = await target(serving.workspace, 'inside');
    const beyond = await target(outside, 'beyond');
    const client = serving.client();
    const { facts: listed } = must(await client.listFacts({ limit: 500 }));
    const listedOf = new Set(listed.map(({ sessionId }) => sessionId));
    expect([listedOf.has('inside'), listedOf.has('beyond')]).toEqual([true, false]);
    const { grants } = must(await client.listGrants({}));
    expect(grants.map(({ id }) => id)).toEqual([inside.grantId]);
    const rows = await serving.journal.calls();
    const { calls } = must(await client.statistics({}));
    expect([calls, rows.length]).toEqual([2, 4]);
    const { sessions } = must(await client.listSessions({}));
    const served = new Map(sessions.map((each) => [each.sessionId, each.served]));
    expect([served.get('beyond'), served.get('inside')]).toEqual([false, true]);
    const { sessionId, callId } = beyond;
    const shown = must(await client.showApproval({ sessionId, callId }));
    expect([shown.served, shown.story.facts.map(({ event }) => event.type)]).toEqual([
      false,
      expect.arrayContaining(['call.requested', 'call.asked']),
    ]);
  });

  const WIDER: readonly (readonly [string, object])[] = [
    ['an "always" for the session', { outcome: 'proceed_always' }],
    ['an "always" for the project', { outcome: 'proceed_always_and_save' }],
    ['an "always" that is narrowed', { outcome: 'proceed_always', payload: { uses: 1 } }],
    ['other arguments', { outcome: 'proceed_once', payload: { args: { file_path: 'b', content: 'b' } } }],
    ['other content', { outcome: 'proceed_once', payload: { newContent: 'other' } }],
    ['other content that is empty', { outcome: 'proceed_once', payload: { newContent: '' } }],
    ['an editor', { outcome: 'modify_with_editor' }],
  ];
  test.each(WIDER)('its question is not answered with %s; allowed once, it is', async (_, answer) => {
    const write = { callId: 'w', name: 'write_file', args: { file_path: 'a', content: 'a' } };
    const digest = await waiting(outside, 'beyond', write, 'manual');
    const { sessionId, callId } = { sessionId: 'beyond', callId: 'w' };
    const client = serving.client();
    const before = await facts(sessionId);
    const server = await DescribedServer.of(serving);
    const refused = await server.ask('POST /api/approvals/answer', {
      body: { sessionId, callId, digest, ...answer },
    });
    expect([refused.status, JSON.parse(refused.body).error.code]).toEqual([403, 'answer_too_wide']);
    expect(await facts(sessionId)).toEqual(before);
    must(await client.answerApproval({ body: { sessionId, callId, digest, outcome: 'proceed_once' } }));
  });

  test('agreeing to its plan keeps the mode that asks about each change', async () => {
    const plan = { callId: 'p', name: 'exit_plan_mode', args: { plan_filename: 'PLAN.md' } };
    mkdirSync(join(outside, '.countersign/plans'), { recursive: true });
    writeFileSync(join(outside, '.countersign/plans/PLAN.md'), '# Plan');
    const digest = await waiting(outside, 'planning', plan, 'plan');
    const answer = (approvalMode: string) =>
      serving.client().answerApproval({
        body: {
          sessionId: 'planning',
          callId: 'p',
          digest,
          outcome: 'proceed_once',
          payload: { answers: { approvalMode } },
        },
      });
    for (const mode of ['auto_edit', 'autoEdit', 'yolo'])
      expect(await answer(mode)).toMatchObject({ ok: false, error: { code: 'answer_too_wide' } });
    must(await answer('manual'));
  });

  test('a folder that is moved away and replaced by a link to elsewhere is outside', async () => {
    const inside = join(serving.workspace, 'sub');
    mkdirSync(inside);
    const client = serving.client();
    must(await client.createSession({ body: { sessionId: 'moved', workspace: inside } }));
    renameSync(inside, join(serving.workspace, 'was-sub'));
    symlinkSync(outside, inside);
    expect(await client.setMode({ sessionId: 'moved', body: { mode: 'yolo' } })).toMatchObject({
      ok: false,
      error: { code: 'workspace_not_served' },
    });
    expect(must(await client.showSession({ sessionId: 'moved' })).served).toBe(false);
  });
});

/** A session that no process owns: a call ran in it, a question is open, and its project has a grant. */
async function target(workspace: string, sessionId: string): Promise<Target> {
  const grantId = await grantFor(workspace);
  const wanted = { callId: 'q', name: 'count', args: { word: sessionId } };
  const digest = await waiting(workspace, sessionId, wanted, 'manual');
  return { sessionId, callId: 'q', digest, workspace, grantId };
}

/** The id of the grant for edits in a project; made, if there is none. */
async function grantFor(workspace: string): Promise<string> {
  const find = async () =>
    (await serving.journal.grants('all')).find(({ scopeKey }) => scopeKey === workspace)?.id;
  const there = await find();
  if (there !== undefined) return there;
  const { live, leave } = await opened(workspace, `granting-${grantings++}`, 'manual');
  const { session } = live;
  const args = { file_path: 'granted.txt', content: String(grantings) };
  await session.send({ type: 'call', calls: [{ callId: 'g', name: 'write_file', args }] });
  const digest = await digestOf(session.sessionId, 'g');
  await session.send({
    type: 'answer',
    callId: 'g',
    digest,
    outcome: 'proceed_always_and_save',
    by: 'owner',
  });
  const made = await until(find);
  await until(async () => session.openTurns.length === 0);
  await leave('exit');
  return made;
}
let grantings = 0;

async function waiting(
  workspace: string,
  sessionId: string,
  call: WantedCall,
  mode: ApprovalMode,
): Promise<string> {
  const { live, leave } = await opened(workspace, sessionId, mode);
  const read = { callId: 'r', name: 'list_directory', args: { dir_path: '.' } };
  await live.session.send({ type: 'call', calls: [read] });
  await until(async () => live.session.openTurns.length === 0);
  await live.session.send({ type: 'call', calls: [call] });
  const digest = await digestOf(sessionId, call.callId ?? '');
  await leave('exit');
  return digest;
}

async function opened(workspace: string, sessionId: string, mode: ApprovalMode): Promise<OpenedSession> {
  const { openSession } = await serving.ports();
  const journal = await serving.openStore();
  stores.push(journal);
  const opening = await openSession({ journal, sessionId, workspace, mode, session: 'new' });
  if (!opening.ok) throw new Error(opening.failure.code);
  return opening.opened;
}

const digestOf = (sessionId: string, callId: string): Promise<string> =>
  until(async () => {
    const [row] = await serving.journal.approvals({ sessionId, callId });
    return row?.question.digest;
  });

const facts = async (sessionId: string) => (await serving.journal.read(sessionId, 0)).map(({ seq }) => seq);
