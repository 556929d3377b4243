import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedProvider } from '@countersign/models';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DescribedServer } from './described.js';
import { send } from './raw-http.js';
import { type Asked, must, Serving } from './serving.js';

let serving: Serving;
let server: DescribedServer;
let asked: Asked;

beforeAll(async () => {
  serving = await Serving.start();
  writeFileSync(join(serving.workspace, 'poem.txt'), 'A log is finer.\n');
  server = await DescribedServer.of(serving);
  asked = await serving.ask('routes');
});
afterAll(() => serving.close());

/** Good and bad input for every operation; what is answered is held against the description of the server itself. */
const CASES: readonly (readonly [
  route: string,
  status: number,
  given?: { readonly body?: unknown; readonly query?: string },
])[] = [
  ['GET /health', 200],
  ['GET /health', 400, { query: 'verbose=1' }],
  ['GET /ready', 200],
  ['GET /ready', 400, { query: '__proto__=1' }],
  ['GET /metrics', 200],
  ['GET /metrics', 400, { query: 'x=1' }],
  ['GET /api/openapi.json', 200],
  ['GET /api/openapi.json', 400, { query: 'x=1' }],
  ['POST /api/sign-in', 401, { body: { code: 'never-made' } }],
  ['POST /api/sign-in', 400, { body: {} }],
  ['POST /api/sign-out', 200, { body: {} }],
  ['POST /api/sign-out', 400, { body: { everywhere: true } }],
  ['GET /api/me', 200],
  ['GET /api/me', 400, { query: 'token=secret' }],
  ['POST /api/pairings', 201, { body: {} }],
  ['POST /api/pairings', 400, { body: [] }],

  ['GET /api/sessions', 200],
  ['GET /api/sessions', 200, { query: 'limit=1' }],
  ['GET /api/sessions', 400, { query: 'limit=0' }],
  ['GET /api/sessions', 400, { query: 'limit=1&limit=2' }],
  ['GET /api/sessions', 400, { query: 'limit=many' }],
  ['GET /api/sessions', 400, { query: 'limit=1e1' }],
  ['GET /api/sessions', 400, { query: 'limit=' }],
  ['GET /api/sessions', 400, { query: 'cursor=forged' }],
  ['GET /api/sessions', 400, { query: 'cursor=NaN%20made' }],
  ['POST /api/sessions', 201, { body: { sessionId: 'made', mode: 'plan' } }],
  ['POST /api/sessions', 409, { body: { sessionId: 'made' } }],
  ['POST /api/sessions', 403, { body: { workspace: '/etc' } }],
  ['POST /api/sessions', 400, { body: { mode: 'careless' } }],
  ['POST /api/sessions', 400, { body: { sessionId: '../made' } }],
  ['POST /api/demonstrations', 503, { body: {} }],
  ['POST /api/demonstrations', 400, { body: { workspace: '/etc' } }],
  ['GET /api/sessions/made', 200],
  ['GET /api/sessions/nobody', 404],
  ['POST /api/sessions/made/resume', 200, { body: {} }],
  ['POST /api/sessions/nobody/resume', 404, { body: {} }],
  ['POST /api/sessions/made/mode', 200, { body: { mode: 'manual' } }],
  ['POST /api/sessions/made/mode', 400, { body: {} }],
  [
    'POST /api/sessions/made/calls',
    202,
    { body: { calls: [{ name: 'list_directory', args: { dir_path: '.' } }] } },
  ],
  ['POST /api/sessions/made/calls', 400, { body: { calls: [] } }],
  ['POST /api/sessions/made/calls', 400, { body: { calls: [{ name: 'count', origin: 'person' }] } }],
  ['POST /api/sessions/made/messages', 503, { body: { text: 'Hello' } }],
  ['POST /api/sessions/made/messages', 400, { body: { text: '' } }],
  ['POST /api/sessions/made/cancel', 200, { body: { target: { type: 'all' } } }],
  ['POST /api/sessions/made/cancel', 404, { body: { target: { type: 'call', callId: 'none' } } }],
  ['POST /api/sessions/made/cancel', 400, { body: { target: { type: 'world' } } }],
  ['POST /api/sessions/made/fork', 201, { body: {} }],
  ['POST /api/sessions/made/fork', 404, { body: { callId: 'none' } }],
  ['GET /api/sessions/made/export', 200],
  ['GET /api/sessions/nobody/export', 404],
  ['GET /api/sessions/made/events', 200],
  ['GET /api/sessions/made/events', 400, { query: 'after=-1' }],
  ['GET /api/sessions/made/events', 409, { query: 'after=99999' }],
  ['DELETE /api/sessions/made', 200],
  ['DELETE /api/sessions/made', 404],

  ['GET /api/events', 200],
  ['GET /api/events', 200, { query: 'sessions=nobody,made:12' }],
  ['GET /api/events', 400, { query: 'sessions=a,a' }],
  ['GET /api/events', 400, { query: 'after=1' }],
  ['GET /api/approvals', 200],
  ['GET /api/approvals', 400, { query: 'cursor=x' }],
  ['GET /api/approvals', 400, { query: 'cursor=-1' }],
  ['GET /api/approvals', 400, { query: 'cursor=99999999999999999999' }],
  ['GET /api/approvals', 200, { query: 'cursor=999999999999999' }],
  ['GET /api/approvals', 400, { query: 'limit=201' }],
  ['GET /api/approvals', 400, { query: 'cursor=1&cursor=2' }],
  ['GET /api/approvals', 200, { query: 'sessionId=nobody' }],
  ['GET /api/approvals/one', 404, { query: 'sessionId=s&callId=c' }],
  ['POST /api/approvals/answer', 400, { body: { callId: 'c', digest: 'd', outcome: 'proceed_once' } }],
  [
    'POST /api/approvals/answer',
    404,
    { body: { sessionId: 's', callId: 'c', digest: 'd', outcome: 'cancel' } },
  ],
  ['GET /api/grants', 200],
  ['GET /api/grants', 400, { query: 'all=1' }],
  ['POST /api/grants/revoke', 404, { body: { grantId: 'none' } }],
  [
    'POST /api/policy/check',
    200,
    { body: { calls: [{ tool: 'run_shell_command', args: { command: 'rm -rf /' } }] } },
  ],
  ['POST /api/policy/check', 400, { body: { calls: [{ tool: 'read_file' }] } }],
  ['POST /api/policy/check', 403, { body: { workspace: '/', calls: [{ tool: 'read_file', args: {} }] } }],
  [
    'POST /api/policy/explain',
    200,
    { body: { call: { tool: 'write_file', args: { file_path: 'a', content: '' } } } },
  ],
  ['POST /api/policy/explain', 400, { body: { call: 'rm -rf /' } }],
  ['GET /api/policy/call', 404, { query: 'sessionId=s&callId=c' }],
  ['GET /api/audit', 200],
  ['GET /api/audit', 200, { query: 'type=call&limit=5' }],
  ['GET /api/audit', 400, { query: 'cursor=nonsense' }],
  ['GET /api/audit', 404, { query: 'sessionId=nobody' }],
  ['GET /api/statistics', 200],
  ['GET /api/statistics', 400, { query: 'since=yesterday' }],
  ['GET /api/tools', 200],
  ['GET /api/tools', 403, { query: 'workspace=/etc' }],
  ['GET /api/files', 200, { query: 'query=poem' }],
  ['GET /api/files', 403, { query: 'workspace=../..' }],
];

test('every route responds to good and bad input as described [W1]', async () => {
  for (const [route, status, given] of CASES) {
    const answer = await server.ask(route, given);
    const shown = answer.status === status ? '' : answer.body;
    expect([route, given, answer.status, shown]).toEqual([route, given, status, '']);
  }

  const { sessionId, callId, digest } = asked;
  const named = `sessionId=${sessionId}&callId=${callId}`;
  expect((await server.ask('GET /api/approvals/one', { query: named })).status).toBe(200);
  const body = { sessionId, callId, digest, outcome: 'proceed_always_tool', key: 'once' };
  expect((await server.ask('POST /api/approvals/answer', { body })).status).toBe(422);
  const always = { ...body, outcome: 'proceed_once' };
  expect((await server.ask('POST /api/approvals/answer', { body: always })).status).toBe(200);
  expect((await server.ask('GET /api/policy/call', { query: named })).status).toBe(200);

  const { url } = must(await serving.client().makePairing({ body: {} }));
  const code = url.split('#pair=')[1];
  expect((await server.ask('POST /api/sign-in', { body: { code } })).status).toBe(200);

  const edit = [{ name: 'write_file', args: { file_path: 'new.txt', content: 'x' } }];
  const [written = ''] = must(
    await serving.client().issueCalls({ sessionId, body: { calls: edit } }),
  ).callIds;
  const answer = {
    sessionId,
    callId: written,
    digest: await serving.digestOf(sessionId, written),
    outcome: 'proceed_always',
  };
  expect((await server.ask('POST /api/approvals/answer', { body: answer })).status).toBe(200);
  const [grant] = must(await serving.client().listGrants({})).grants;
  expect((await server.ask('POST /api/grants/revoke', { body: { grantId: grant?.id } })).status).toBe(200);
  expect((await server.ask('POST /api/grants/revoke', { body: { grantId: grant?.id } })).status).toBe(404);

  // Messages need a model.
  const answers = Array.from({ length: 2 }, () => [{ text: 'Hello.' }]);
  const speaking = await Serving.start({ provider: scriptedProvider(answers) });
  const withModel = await DescribedServer.of(speaking);
  try {
    await withModel.ask('POST /api/sessions', { body: { sessionId: 'spoken' } });
    const sent = await withModel.ask('POST /api/sessions/spoken/messages', { body: { text: 'Hello' } });
    const shown = await withModel.ask('POST /api/demonstrations', { body: {} });
    expect([sent.status, shown.status]).toEqual([202, 201]);
  } finally {
    await speaking.close();
  }

  const succeeded = new Set([...server.succeeded, ...withModel.succeeded]);
  const untried = server.operations.filter((name) => !succeeded.has(name) || !server.refused.has(name));
  expect(untried).toEqual([]);
  expect(serving.troubles).toEqual([]);
});

test('the description is OpenAPI 3.1, and names every route once [W1]', () => {
  expect(server.document.openapi).toBe('3.1.0');
  expect(new Set(server.operations).size).toBe(server.operations.length);
  for (const [path, methods] of Object.entries(server.document.paths))
    for (const described of Object.values(methods)) {
      const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
      const parameters =
        'parameters' in described && Array.isArray(described.parameters) ? described.parameters : [];
      expect(parameters.filter((each: { in: string }) => each.in === 'path')).toHaveLength(names.length);
    }
});

test('unknown addresses and methods are refused, with the allowed methods [W1]', async () => {
  const headers = {
    host: `127.0.0.1:${serving.server.port}`,
    authorization: `Bearer csgn_token-of-ann-0123456789`,
  };
  const { port } = serving.server;
  expect((await send({ port, method: 'GET', path: '/api/nothing', headers })).status).toBe(404);
  expect((await send({ port, method: 'GET', path: '/api/sessions/%ff', headers })).status).toBe(404);
  for (const method of ['PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE']) {
    const answer = await send({ port, method, path: '/api/sessions', headers });
    expect([method, answer.status, answer.headers['allow']]).toEqual([method, 405, 'GET, POST']);
  }
});
