import { readFileSync } from 'node:fs';
import type { JsonObject } from '@countersign/protocol';
import { stopwatch, timed } from '@countersign/testkit';
import { afterEach, expect, test } from 'vitest';
import { McpSession } from './mcp-session.js';

let world: McpSession;
afterEach(() => world.close());

/** A session with one faulty server `s`, whose tools are trusted. */
async function withServer(
  script: object,
  more: JsonObject = {},
  options: Parameters<typeof McpSession.open>[0] = {},
) {
  world = await McpSession.open(options);
  await world.manager.connectToServers({ s: world.faulty(script, { trust: true, ...more }) });
  return world;
}
const NUMBERS = { a: 1, b: 2 };
const until = async (isSo: () => boolean) => {
  for (let tries = 0; tries < 1_000 && !isSo(); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(isSo()).toBe(true);
};
const progress = {
  method: 'notifications/progress',
  params: { progressToken: '{PT}', progress: '{I}', message: 'going' },
};

test('progress resets the time limit of a call, and is shown [M2]', async () => {
  const steps = { notify: progress, times: 12, everyMs: 250 };
  await withServer({ 'tools/call': [steps, { default: 1 }] }, { timeout: 2_000 });
  expect(await world.call('mcp_s_add', NUMBERS)).toMatchObject({ status: 'success' });
  expect(world.progress.at(-1)).toEqual({ done: 12, message: 'going' });
});

test('without progress, the limit of the settings counts, and the server is informed [M1][M2]', async () => {
  await withServer({ 'tools/call': [{ sleep: 3_000 }] }, { timeout: 300 });
  const call = await world.call('mcp_s_add', NUMBERS);
  expect(call).toMatchObject({ failure: { code: 'timed_out', afterMs: 300, stopped: false } });
  await until(() => world.count('notifications/cancelled') === 1);
});

test('a cancelled call ends at once, and the server is informed [L5][M2]', async () => {
  await withServer({ 'tools/call': [{ sleep: 3_000 }, { default: 1 }] });
  const stop = new AbortController();
  const calling = world.call('mcp_s_add', NUMBERS, { signal: stop.signal });
  await until(() => world.count('tools/call') === 1);
  const elapsedMs = stopwatch();
  stop.abort();
  expect(await calling).toMatchObject({ status: 'cancelled', partial: { mayHaveHappened: true } });
  expect(elapsedMs()).toBeLessThan(800);
  await until(() => world.count('notifications/cancelled') === 1);
});

test('what keeps a call after others is not sent to the server [M1]', async () => {
  const strict = { type: 'object', properties: { a: { type: 'number' } }, additionalProperties: false };
  await withServer({
    'tools/list': [{ reply: { tools: [{ name: 'add', inputSchema: strict }] } }],
    'tools/call': [{ reply: { content: [] } }],
  });
  expect(await world.call('mcp_s_add', { a: 1, wait_for_previous: true })).toMatchObject({
    status: 'success',
  });
  expect(await world.call('mcp_s_add', { a: 1, c: 1 })).toMatchObject({
    failure: { code: 'invalid_tool_params' },
  });
});

test('a server that crashed is reconnected; meanwhile its tools report that, and nothing is sent twice [M2]', async () => {
  const states: string[] = [];
  await withServer({ 'tools/call': [{ exit: 9 }] }, {}, { limits: { reconnectFirstMs: 400 } });
  world.manager.listen({ onStatus: (server, { state }) => states.push(`${server} ${state}`) });
  const lost = await world.call('mcp_s_add', NUMBERS);
  expect(lost).toMatchObject({ failure: { code: 'mcp_outcome_unknown', server: 's', tool: 'add' } });
  await until(() => world.report('s').status.state !== 'connected');
  const meanwhile = await world.call('mcp_s_add', NUMBERS);
  const problem = 'it ended with exit code 9 and is being reconnected';
  expect(meanwhile).toMatchObject({ failure: { code: 'mcp_unavailable', problem } });
  await until(() => world.report('s').status.state === 'connected');
  expect(states).toEqual(['s disconnected', 's connecting', 's connected']);
  expect(world.count('tools/call')).toBe(1);
});

test('a server that keeps crashing is not tried again soon, until someone wants it again [M2]', async () => {
  await withServer(
    { initialized: [{ sleep: 150 }, { exit: 9 }] },
    {},
    { limits: { reconnectFirstMs: 10, reconnectsMax: 2 } },
  );
  await until(() => world.report('s').status.state === 'failed');
  expect(world.report('s').status).toMatchObject({
    reason: expect.stringContaining('ended with exit code 9'),
  });
  await world.manager.reconnect('s');
  expect(world.report('s').status.state).toBe('connected');
});

test('without trust every tool asks, whatever its annotations; trust does not override a deny [M1]', async () => {
  const tools = [{ name: 'add', annotations: { readOnlyHint: true }, inputSchema: { type: 'object' } }];
  const script = { 'tools/list': [{ reply: { tools } }] };
  const rules = '[[rule]]\ntoolName = "*"\nmcpName = "denied"\ndecision = "deny"\npriority = 9\n';
  world = await McpSession.open({ rules });
  await world.manager.connectToServers({
    plain: world.faulty(script),
    trusted: world.faulty(script, { trust: true }),
    denied: world.faulty(script, { trust: true }),
  });
  expect(await world.call('mcp_plain_add', {})).toMatchObject({ failure: { code: 'nobody_to_ask' } });
  expect(await world.call('mcp_trusted_add', {})).toMatchObject({ status: 'success' });
  expect(await world.call('mcp_denied_add', {})).toMatchObject({ failure: { code: 'policy_violation' } });
});

test('rules see the annotations of a tool, and the server as a pair with it [M1][P2]', async () => {
  const tool = (name: string, readOnlyHint: boolean) => ({
    name,
    annotations: { readOnlyHint },
    inputSchema: { type: 'object' },
  });
  const script = { 'tools/list': [{ reply: { tools: [tool('get', true), tool('put', false)] } }] };
  const rules = `
[[rule]]
toolName = "mcp_a_*"
toolAnnotations = { readOnlyHint = true, _serverName = "a" }
decision = "allow"
priority = 9
`;
  world = await McpSession.open({ rules });
  await world.manager.connectToServers({ a: world.faulty(script), a_b: world.faulty(script) });
  expect(await world.call('mcp_a_get', {})).toMatchObject({ status: 'success' });
  expect(await world.call('mcp_a_put', {})).toMatchObject({ failure: { code: 'nobody_to_ask' } });
  expect(await world.call('mcp_a_b_get', {})).toMatchObject({ failure: { code: 'nobody_to_ask' } });
});

test('a server finds no secret of the host, but what its settings give it, with variables put in [M1]', async () => {
  const source = `require('fs').writeFileSync(process.argv[1], JSON.stringify(process.env)); process.exit(1)`;
  world = await McpSession.open({ env: { MY_API_KEY: 'secret', PLACE: 'here', GREETING: 'hi' } });
  const file = `${world.base}/env.json`;
  await world.manager.connectToServers({
    s: {
      command: process.execPath,
      args: ['-e', source, file],
      env: { TOKEN: '$MY_API_KEY', GIVEN: '${PLACE}', ELSE: '${NOWHERE:-there}', LEFT: '$NOWHERE' },
      colour: 'red',
    },
  });
  const found = JSON.parse(readFileSync(file, 'utf8'));
  expect(found).toMatchObject({
    TOKEN: 'secret',
    GIVEN: 'here',
    ELSE: 'there',
    LEFT: '$NOWHERE',
    GREETING: 'hi',
  });
  expect(found).not.toHaveProperty('MY_API_KEY');
  expect(world.report('s').problems).toEqual([
    'its setting "colour" is unknown and has no effect',
    'the variable NOWHERE is not set and was not replaced',
  ]);
});

test('headers are sent to a server over HTTP, and tools are chosen by the settings [M1]', async () => {
  world = await McpSession.open({ env: { TOKEN: 't0p' } });
  const tools = ['one', 'two', 'three'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  const settings = await world.faultyHttp({
    'tools/list': [{ reply: { tools } }],
    GET: [{ http: { status: 405 } }],
  });
  await world.manager.connectToServers({
    h: {
      ...settings,
      headers: { Authorization: 'Bearer $TOKEN' },
      includeTools: ['one', 'two'],
      excludeTools: ['two'],
    },
  });
  expect(world.report('h')).toMatchObject({
    status: { state: 'connected' },
    tools: ['mcp_h_one'],
    problems: [],
  });
});

test('what a server logs is kept, and its roots are the workspace [M2]', async () => {
  const log = { method: 'notifications/message', params: { level: 'info', logger: 'db', data: { rows: 3 } } };
  await withServer({
    'tools/call': [
      { notify: log, times: 150 },
      { request: { id: 'r', method: 'roots/list' } },
      { sleep: 100 },
      { default: 1 },
    ],
  });
  expect(await world.call('mcp_s_add', NUMBERS)).toMatchObject({ status: 'success' });
  expect(world.report('s').log).toHaveLength(100);
  expect(world.report('s').log[0]).toBe('info db: {"rows":3}');
});

test('the start of a slow server delays no one for longer than they want to wait [M2]', async () => {
  world = await McpSession.open({ limits: { handshakeMs: 30_000 } });
  const connecting = world.manager.connectToServers({ slow: world.faulty({ start: [{ sleep: 2_000 }] }) });
  expect(await world.manager.ready(50)).toBe(false);
  expect(world.report('slow').status).toEqual({ state: 'connecting' });
  expect(await world.manager.ready(30_000)).toBe(true);
  await connecting;
  expect(world.report('slow').tools).toEqual(['mcp_slow_add']);
});

test('leaving while a server is still being connected ends it at once [S6][M2]', async () => {
  world = await McpSession.open({ limits: { handshakeMs: 60_000 } });
  const connecting = world.manager.connectToServers({
    silent: world.faulty({ initialize: [{ silence: 1 }] }),
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const { ms, lateMs } = await timed(() => world.manager.close());
  await connecting;
  expect(ms).toBeLessThan(1_500 + lateMs);
  expect(world.toolbox.get('list_mcp_resources')).toBeUndefined();
});

test.each([
  ['a rule asks about it', '[[rule]]\ntoolName = "mcp_s_*"\ndecision = "ask_user"\npriority = 9\n', 'asks'],
  [
    'a rule for plan mode asks about what servers call read-only',
    '[[rule]]\ntoolName = "mcp_*"\nmodes = ["plan"]\ntoolAnnotations = { readOnlyHint = true }\ndecision = "ask_user"\npriority = 9\n',
    'asks',
  ],
  ['a rule denies it', '[[rule]]\ntoolName = "mcp_s_*"\ndecision = "deny"\npriority = 9\n', 'denied'],
  ['no rule names it', '', 'denied'],
] as const)(
  'in plan mode, a tool that its server calls read-only, where %s [P1] [M1]',
  async (_, rules, expected) => {
    const read = { name: 'read', annotations: { readOnlyHint: true }, inputSchema: { type: 'object' } };
    const write = { name: 'write', inputSchema: { type: 'object' } };
    const both = { readOnlyHint: true, destructiveHint: true };
    const torn = { name: 'torn', annotations: both, inputSchema: { type: 'object' } };
    const script = {
      'tools/list': [{ reply: { tools: [read, write, torn] } }],
      'tools/call': [{ reply: { content: [] } }],
    };
    world = await McpSession.open({ rules });
    await world.manager.connectToServers({ s: world.faulty(script) });
    await world.session.send({ type: 'set-mode', mode: 'plan', by: 'tester' });
    const asked = await world.call('mcp_s_read', {}, { answer: 'proceed_once' });
    expect([asked.status, world.questions.length]).toEqual(
      expected === 'asks' ? ['success', 1] : ['error', 0],
    );
    for (const name of ['mcp_s_write', 'mcp_s_torn'])
      expect(await world.call(name, {}, { answer: 'proceed_once' })).toMatchObject({
        failure: { code: 'policy_violation' },
      });
  },
);
