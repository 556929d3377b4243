import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newToken } from '@countersign/server';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished } from 'vitest';
import { root } from '../../scripts/source/files.mjs';
import { userSettings } from '../cli/hook-settings.js';
import { type Place, test } from '../cli/program.js';
import {
  CLIENT,
  connected,
  listening,
  overHttp,
  overStdio,
  stdioTo,
  waiting,
  waitingIn,
  wordsIn,
} from './served.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe.each([
  ['stdio', (...[place, ...more]: Parameters<typeof overHttp>) => overStdio(place, 'served', ...more)],
  ['streamable HTTP', overHttp],
])('our server, driven by the official client over %s', (_, open) => {
  test('offers the tools with hints that are true, and carries a call out [M4]', async ({ place }) => {
    place.write('a.txt', 'hello\n');
    const client = await open(place);
    expect(client.getServerVersion()).toMatchObject({ name: 'countersign' });
    const { tools } = await client.listTools();
    const hintsOf = (name: string) => tools.find((tool) => tool.name === name)?.annotations;
    expect(hintsOf('read_file')).toMatchObject({ readOnlyHint: true });
    expect(hintsOf('write_file')).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(hintsOf('run_shell_command')).toMatchObject({ readOnlyHint: false, openWorldHint: true });
    const read = await client.callTool({ name: 'read_file', arguments: { file_path: 'a.txt' } });
    expect(read).toEqual({ content: [{ type: 'text', text: 'hello\n' }] });
  });

  test('waits for an approval of another process, and reports that meanwhile [M4] [C4]', async ({
    place,
  }) => {
    const client = await open(place);
    const messages: string[] = [];
    const call = { name: 'write_file', arguments: { file_path: 'b.txt', content: 'new' } };
    const writing = client.callTool(call, { onprogress: ({ message = '' }) => messages.push(message) });
    const id = await waitingIn(place);
    expect(place.has('b.txt')).toBe(false);
    await place.run(['approvals', 'answer', id, 'proceed_once']);
    expect((await writing).isError).toBeUndefined();
    expect(place.read('b.txt')).toBe('new');
    expect(messages).toContain(`Waiting for approval of ${id}: Write b.txt (new file)`);
  });

  test('a declined call is an error with the reason that the user gave [M4] [A2]', async ({ place }) => {
    const client = await open(place);
    const call = { name: 'write_file', arguments: { file_path: 'b.txt', content: 'new' } };
    const writing = client.callTool(call);
    const answer = ['approvals', 'answer', await waitingIn(place), 'cancel', '--feedback', 'use c.txt'];
    await place.run(answer);
    const declined = await writing;
    expect(declined).toMatchObject({
      isError: true,
      structuredContent: { error: { type: 'declined' } },
    });
    expect(wordsIn(declined)).toContain('use c.txt');
    expect(place.has('b.txt')).toBe(false);
  });

  test('a cancelled request cancels the call, and nothing waits any more [M4]', async ({ place }) => {
    const client = await open(place);
    const stop = new AbortController();
    const call = { name: 'write_file', arguments: { file_path: 'b.txt', content: 'new' } };
    const writing = client.callTool(call, { signal: stop.signal });
    writing.catch(() => undefined);
    await waitingIn(place);
    stop.abort('changed my mind');
    await expect(writing).rejects.toThrow();
    await client.listTools();
    await waiting(place, (ids) => ids.length === 0);
    expect(place.has('b.txt')).toBe(false);
  });
});

test('what policy denies outright is not offered; what it denies in a case is an honest error [M4] [P2]', async ({
  place,
}) => {
  place.write(
    'rules.toml',
    `[[rule]]\ntoolName = "web_fetch"\ndecision = "deny"\npriority = 100\n
[[rule]]\ntoolName = "write_file"\nargsPattern = '"file_path":"secret'\ndecision = "deny"\npriority = 100\ndenyMessage = "Keep out."\n`,
  );
  const client = await overStdio(place, 's', '--policy', 'rules.toml');
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain('write_file');
  expect(names).not.toContain('web_fetch');
  const denied = await client.callTool({
    name: 'write_file',
    arguments: { file_path: 'secret.txt', content: '' },
  });
  expect(denied).toMatchObject({ isError: true, structuredContent: { error: { type: 'policy_violation' } } });
  expect(wordsIn(denied)).toContain('Keep out.');
});

test('a failed command, bad arguments and an unknown tool are distinguished [M4]', async ({ place }) => {
  const client = await overStdio(place, 's', '--mode', 'yolo');
  const failed = await client.callTool({
    name: 'run_shell_command',
    arguments: { command: 'echo out; exit 3' },
  });
  expect(failed).toMatchObject({ isError: true, structuredContent: { error: { exitCode: 3 } } });
  expect(wordsIn(failed)).toContain('out');
  const wrong = await client.callTool({ name: 'read_file', arguments: { file_path: 7 } });
  expect(wrong).toMatchObject({
    isError: true,
    structuredContent: { error: { type: 'invalid_tool_params' } },
  });
  await expect(client.callTool({ name: 'raed_file', arguments: {} })).rejects.toThrow(/read_file/);
});

test('output too large for a model is cut, a picture is a picture [M4]', async ({ place }) => {
  const client = await overStdio(place, 's', '--mode', 'yolo');
  const many = await client.callTool({
    name: 'run_shell_command',
    arguments: { command: 'seq 1 100000' },
  });
  const words = wordsIn(many);
  expect(words.length).toBeLessThan(100_000);
  expect(words).toContain('99999');
  writeFileSync(join(place.workspace, 'p.png'), PNG);
  const picture = await client.callTool({ name: 'read_file', arguments: { file_path: 'p.png' } });
  expect(picture.content).toContainEqual({
    type: 'image',
    mimeType: 'image/png',
    data: PNG.toString('base64'),
  });
});

test('the name of the client is in the journal, and the session can be resumed after a restart [M4] [J1]', async ({
  place,
}) => {
  const client = await overStdio(place, 's');
  const call = { name: 'write_file', arguments: { file_path: 'b.txt', content: 'new' } };
  client.callTool(call).catch(() => undefined);
  const id = await waitingIn(place);
  await client.close();
  expect(await exported(place)).toContain('"promptId":"other-agent 9.1#');
  // The client has disconnected, but its question stays open.
  expect(await waitingIn(place)).toBe(id);
  await place.run(['approvals', 'answer', id, 'proceed_once']);
  expect(place.read('b.txt')).toBe('new');
});

test('a client of the protocol of 2026 is served and named as well [M4]', async ({ place }) => {
  const modern = new Client(CLIENT, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  onTestFinished(() => modern.close());
  await modern.connect(stdioTo(place, '--session', 's'));
  const listed = await modern.callTool({ name: 'list_directory', arguments: { dir_path: '.' } });
  expect(wordsIn(listed)).toContain('is empty');
  await modern.close();
  expect(await exported(place)).toContain('"promptId":"other-agent 9.1#');
});

test('what cannot be set up ends the server with the reason, before any tool is offered [M4]', async ({
  place,
}) => {
  place.write('rules.toml', '[[rule]]\ntoolName =');
  const serving = place.start(['mcp', 'serve', '--policy', 'rules.toml']);
  const clientInfo = { name: 'c', version: '1' };
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  serving.say({ jsonrpc: '2.0', id: 1, method: 'initialize', params: hello });
  serving.say({ jsonrpc: '2.0', method: 'notifications/initialized' });
  serving.say({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
  const { code, stderr, stdout } = await serving.ended();
  expect(code).toBe(4);
  expect(stderr).toContain('rules.toml');
  expect(stdout).not.toContain('read_file');
});

test('the list of tools changes with the mode, and the client is informed [M4]', async ({ place }) => {
  place.write(
    'rules.toml',
    '[[rule]]\ntoolName = "write_file"\nmodes = ["plan"]\ndecision = "deny"\npriority = 900\n',
  );
  const client = await overStdio(place, 's', '--policy', 'rules.toml');
  const names = async () => (await client.listTools()).tools.map(({ name }) => name);
  expect(await names()).toContain('write_file');
  let isTold = false;
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    isTold = true;
  });
  const planning = client.callTool({ name: 'enter_plan_mode', arguments: { reason: 'to think' } });
  await place.run(['approvals', 'answer', await waitingIn(place), 'proceed_once']);
  await planning;
  await expect.poll(() => isTold).toBe(true);
  expect(await names()).not.toContain('write_file');
});

const exported = async (place: Place): Promise<string> =>
  (await place.run(['sessions', 'export', 's'])).stdout;

test('over HTTP no one is let in without a token, from elsewhere, or into a session of others [M4]', async ({
  place,
}) => {
  const { url, token } = await listening(place);
  const ask = (headers: Record<string, string>, body: object) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
    });
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const bearer = { authorization: `Bearer ${token}` };
  expect((await ask({}, list)).status).toBe(401);
  expect((await ask({ authorization: 'Bearer wrong' }, list)).status).toBe(401);
  expect((await ask({ ...bearer, origin: 'https://example.org' }, list)).status).toBe(403);
  expect((await ask({ ...bearer, 'mcp-session-id': 'made-up' }, list)).status).toBe(404);
  expect((await ask(bearer, list)).status).toBe(400);
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: bearer } });
  await connected(transport);
  const ofFirst = { 'mcp-session-id': transport.sessionId ?? '' };
  expect((await ask({ ...bearer, ...ofFirst }, list)).status).toBe(200);
  const other = newToken();
  const tokens = [
    { name: 'tester', token },
    { name: 'other', token: other },
  ];
  writeFileSync(join(place.home, 'server-tokens.json'), JSON.stringify({ tokens }));
  const asOther = { authorization: `Bearer ${other}`, ...ofFirst };
  await expect.poll(async () => (await ask(asOther, list)).status, { timeout: 5_000 }).toBe(404);
});

test('over HTTP a cookie opens nothing, whatever it is called [M4] [W3]', async ({ place }) => {
  const { url, token } = await listening(place);
  const content = JSON.stringify({ name: 'tester', browser: 'abcdefghijkl', expiresAt: Date.now() + 60_000 });
  const body = Buffer.from(content).toString('base64url');
  const signature = createHmac('sha256', token).update(`countersign cookie\n${body}`).digest('base64url');
  for (const cookie of [
    `=${body}.${signature}`,
    `countersign-${url.port}=${body}.${signature}`,
    `=${token}`,
  ]) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        origin: url.origin,
        'x-countersign': 'page',
        cookie,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect([cookie.split('=')[0], answer.status]).toEqual([cookie.split('=')[0], 401]);
  }
});

test('two clients over HTTP have sessions of their own: what one is granted the other is not [M4] [P6]', async ({
  place,
}) => {
  const { url, token } = await listening(place);
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const first = await connected(new StreamableHTTPClientTransport(url, { requestInit }));
  const second = await connected(new StreamableHTTPClientTransport(url, { requestInit }));
  const write = (path: string) => ({ name: 'write_file', arguments: { file_path: path, content: 'x' } });
  const writing = first.callTool(write('a.txt'));
  await place.run(['approvals', 'answer', await waitingIn(place), 'proceed_always']);
  await writing;
  await first.callTool(write('b.txt'));
  expect(place.has('b.txt')).toBe(true);
  const other = second.callTool(write('c.txt'));
  await place.run(['approvals', 'answer', await waitingIn(place), 'cancel']);
  expect((await other).isError).toBe(true);
});

test('tools of other servers are offered only where that is asked for, and ask here as everywhere [M4] [M1]', async ({
  place,
}) => {
  const faulty = { command: process.execPath, args: [join(root, 'tests/mcp/faulty-server.mjs'), '{}'] };
  userSettings(place, { mcpServers: { sums: faulty } });
  const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
  expect(await names(await overStdio(place, 'without'))).not.toContain('mcp_sums_add');
  const client = await overStdio(place, 'with', '--with-mcp-servers');
  expect(await names(client)).toContain('mcp_sums_add');
  const adding = client.callTool({ name: 'mcp_sums_add', arguments: { a: 1, b: 2 } });
  await place.run(['approvals', 'answer', await waitingIn(place), 'proceed_once']);
  expect(wordsIn(await adding)).toContain('3');
});
