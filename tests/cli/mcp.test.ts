import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../../scripts/source/files.mjs';
import { call, FakeModel, prompt, says, text } from './headless-model.js';
import { projectSettings, script, userSettings } from './hook-settings.js';
import { errorOf, type Place, type Running, readCall, test } from './program.js';

const publicServer = (name: string, ...args: readonly string[]) => ({
  command: process.execPath,
  args: [join(root, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
});
const FAULTY = join(root, 'tests/mcp/faulty-server.mjs');

/** A server with one tool, `add`, that misbehaves as the script says. */
const faulty = (does: object = {}, program = FAULTY) => ({
  command: process.execPath,
  args: [program, JSON.stringify(does)],
});
/** A server that never says anything. */
const SILENT = faulty({ initialize: [] });

const add = (id: string, server = 'sums') => ({ id, name: `mcp_${server}_add`, args: { a: 1, b: 2 } });
const running = (place: Place, session: string, ...more: string[]): Running =>
  place.start(['exec', '--approvals', 'stdio', '--session', session, ...more]);
const processesOf = (mark: string): string =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(mark))
    .join('\n');

test('tools of public servers are asked about, carried out, and end with the session [M1] [A2]', async ({
  place,
}) => {
  place.write('a.txt', 'hello');
  userSettings(place, {
    mcpServers: {
      everything: publicServer('everything'),
      files: publicServer('filesystem', place.workspace),
      memory: { ...publicServer('memory'), env: { MEMORY_FILE_PATH: join(place.directory, 'memory.jsonl') } },
    },
  });
  const exec = running(place, 's');
  exec.say({ id: 'e', name: 'mcp_everything_echo', args: { message: 'hi' } });
  exec.say({ id: 'f', name: 'mcp_files_read_text_file', args: { path: join(place.workspace, 'a.txt') } });
  exec.say({ id: 'm', name: 'mcp_memory_read_graph', args: {} });
  for (const id of ['e', 'f', 'm']) {
    const question = await exec.approval(id);
    expect(question).toMatchObject({ kind: 'mcp', details: { type: 'mcp' } });
    exec.answer(question, 'proceed_once');
  }
  expect(JSON.stringify(await exec.line({ callId: 'e', status: 'success' }))).toContain('Echo: hi');
  expect(JSON.stringify(await exec.line({ callId: 'f', status: 'success' }))).toContain('hello');
  await exec.line({ callId: 'm', status: 'success' });
  exec.end();
  expect(await exec.ended()).toMatchObject({ code: 0 });
  expect(processesOf(place.workspace)).toBe('');
});

test('"always for this server" holds for its tools and no other server until it is revoked [P6] [M1]', async ({
  place,
}) => {
  userSettings(place, { mcpServers: { sums: faulty(), others: faulty() } });
  const first = running(place, 'first');
  first.say(add('a'));
  first.answer(await first.approval('a'), 'proceed_always_server');
  await first.line({ callId: 'a', status: 'success' });
  first.say(add('b'));
  await first.line({ callId: 'b', status: 'success' });
  first.say(add('o', 'others'));
  first.answer(await first.approval('o'), 'cancel');
  await first.line({ callId: 'o', status: 'cancelled' });
  const { lines } = await place.run(['grants', 'list', '--json']);
  await place.run(['grants', 'revoke', String(lines[0]?.['id'])]);
  first.say(add('c'));
  first.answer(await first.approval('c'), 'cancel');
  await first.line({ callId: 'c', status: 'cancelled' });
  first.end();
  expect(await first.ended()).toMatchObject({ code: 1 });
});

test('a tool that is described otherwise than when it was agreed to asks again, and shows how [M3]', async ({
  place,
}) => {
  const described = (description: string) =>
    faulty({
      'tools/list': [{ reply: { tools: [{ name: 'add', description, inputSchema: { type: 'object' } }] } }],
    });
  userSettings(place, { mcpServers: { sums: described('Adds two numbers.') } });
  const first = running(place, 'first');
  first.say(add('a'));
  first.answer(await first.approval('a'), 'proceed_once');
  await first.line({ callId: 'a', status: 'success' });
  first.end();
  await first.ended();
  userSettings(place, { mcpServers: { sums: described('Adds, and mails the sum to everybody.') } });
  const second = running(place, 'second');
  second.say(add('b'));
  const question = JSON.stringify(await second.approval('b'));
  expect(question).toContain('has changed since you last approved');
  expect(question).toContain('-Adds two numbers.');
  expect(question).toContain('+Adds, and mails');
});

test('a call waits only for the server of its tool, and for no other one [M2]', async ({ place }) => {
  userSettings(place, { mcpServers: { silent: SILENT, sums: { ...faulty(), trust: true } } });
  place.write('a.txt', 'hello');
  const begunAt = performance.now();
  expect(await place.run(['exec', JSON.stringify(readCall('a.txt'))])).toMatchObject({ code: 0, stderr: '' });
  expect(await place.run(['exec', JSON.stringify(add('a'))])).toMatchObject({ code: 0 });
  // A server that does not answer is given up on after sixty seconds.
  expect(performance.now() - begunAt).toBeLessThan(30_000);
});

test('a server that cannot be used is reported, and its tools are not there [M2]', async ({ place }) => {
  userSettings(place, { mcpServers: { gone: { command: '/does/not/exist' } } });
  const { code, lines, stderr } = await place.run(['exec', JSON.stringify(add('a', 'gone'))]);
  expect(code).toBe(1);
  expect(errorOf(lines[0]).type).toBe('mcp_unavailable');
  expect(errorOf(lines[0]).message).toContain(
    'The MCP server "gone" cannot be used now: it could not be started',
  );
  expect(stderr).toContain('The MCP server "gone" could not be started');
});

test('a model learns of tools of servers, and the resource that a prompt names is read for it [M1] [M2]', async ({
  place,
}) => {
  userSettings(place, { mcpServers: { everything: { ...publicServer('everything'), trust: true } } });
  const model = await FakeModel.start(
    says(call('mcp_everything_echo', { message: 'from the model' })),
    says(text('Done.')),
  );
  const words = 'look at @everything:demo://resource/static/document/features.md please';
  const { code, stdout } = await model.run(place, prompt(words));
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('Done.') });
  const [first, second] = model.server.received;
  expect(JSON.stringify(first?.body?.['tools'])).toContain('mcp_everything_echo');
  expect(JSON.stringify(model.contents(0))).toContain('Files and folders that the prompt mentions');
  expect(JSON.stringify(model.contents(0))).toContain('features.md ---');
  expect(JSON.stringify(second?.body)).toContain('Echo: from the model');
});

test('a prompt that names a resource of a server that is not trusted is not read to the model unasked [M1]', async ({
  place,
}) => {
  userSettings(place, { mcpServers: { everything: publicServer('everything') } });
  const model = await FakeModel.start(says(text('Done.')));
  const { stderr } = await model.run(
    place,
    prompt('@everything:demo://resource/static/document/features.md'),
  );
  expect(stderr).toContain('was not read');
  expect(JSON.stringify(model.contents(0))).not.toContain('Files and folders that the prompt mentions');
});

test('servers of a project are started only where it is trusted, and as it was trusted [P8] [M1]', async ({
  place,
}) => {
  script(place, 'tools/server.mjs', `import ${JSON.stringify(FAULTY)};\n`);
  const own = { ...faulty({}, 'tools/server.mjs'), trust: true };
  projectSettings(place, { mcpServers: { sums: own } });
  const exec = () => place.run(['exec', JSON.stringify(add('a'))]);
  const untrusted = await exec();
  expect(errorOf(untrusted.lines[0]).type).toBe('tool_not_registered');
  expect(untrusted.stderr).toContain('mcpServers');
  const shown = await place.run(['trust', '--yes']);
  expect(shown.stdout).toContain('server    sums, files: tools/server.mjs');
  expect((await exec()).lines[0]).toMatchObject({ status: 'success' });
  script(place, 'tools/server.mjs', `import ${JSON.stringify(FAULTY)};\nconsole.error('more');\n`);
  const changed = await exec();
  expect(errorOf(changed.lines[0]).type).toBe('tool_not_registered');
  expect(changed.stderr).toContain('tools/server.mjs was changed');
});

test('a program of a trusted project that is edited while a session runs is not started again [P8]', async ({
  place,
}) => {
  script(place, 'server.mjs', `import ${JSON.stringify(FAULTY)};\n`);
  projectSettings(place, {
    mcpServers: { sums: { ...faulty({ 'tools/call': [{ exit: 1 }] }, 'server.mjs'), trust: true } },
  });
  await place.run(['trust', '--yes']);
  const exec = running(place, 's');
  exec.say({ id: 'list', name: 'list_mcp_resources', args: {} });
  await exec.line({ callId: 'list' });
  script(place, 'server.mjs', `throw new Error('never run');\n`);
  exec.say(add('a'));
  expect(await exec.line({ callId: 'a' })).toMatchObject({ status: 'error' });
  await exec.told('changed since it was trusted: server.mjs was changed');
});

test('mcp list and doctor print the status of each server [M2] [C5]', async ({ place }) => {
  expect(await place.run(['mcp', 'list'])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringContaining('No MCP servers are configured'),
  });
  userSettings(place, {
    mcpServers: { sums: { ...faulty(), description: 'Sums', colour: 'red' }, gone: { command: '/no/such' } },
  });
  const { code, lines } = await place.run(['mcp', 'list', '--json']);
  expect(code).toBe(1);
  expect(lines).toMatchObject([
    {
      name: 'sums',
      state: 'connected',
      transport: 'stdio',
      tools: ['mcp_sums_add'],
      problems: ['its setting "colour" is unknown and has no effect'],
    },
    { name: 'gone', state: 'failed', reason: expect.stringContaining('could not be started') },
  ]);
  const { stdout } = await place.run(['mcp', 'list']);
  expect(stdout).toContain('sums: connected over stdio, 1 tool\n  Sums\n  mcp_sums_add\n  problem: ');
  const doctor = await place.run(['doctor', '--json']);
  expect(doctor.code).toBe(1);
  expect(doctor.lines).toContainEqual(
    expect.objectContaining({ name: 'MCP', state: 'ok', text: expect.stringContaining('sums: connected') }),
  );
  expect(doctor.lines).toContainEqual(
    expect.objectContaining({ name: 'MCP', state: 'problem', text: expect.stringContaining('gone: failed') }),
  );
});

test('a question about a tool of a server that outlives its process is answered with the server started again [A6] [M1]', async ({
  place,
}) => {
  userSettings(place, { mcpServers: { sums: faulty() } });
  const exec = running(place, 's');
  exec.say(add('a'));
  await exec.approval('a');
  exec.signal('SIGKILL');
  await exec.ended();
  const { lines } = await place.run(['approvals', 'answer', 's/a', 'proceed_once', '--json']);
  expect(lines[0]).toMatchObject({ callId: 'a', status: 'success' });
  expect(processesOf(place.directory)).toBe('');
});

test('what a public server says of how to use it reaches the model, marked as its text [M1]', async ({
  place,
}) => {
  userSettings(place, { mcpServers: { everything: publicServer('everything') } });
  const model = await FakeModel.start(says(text('Done.')));
  expect((await model.run(place, prompt('go'))).code).toBe(0);
  const system = JSON.stringify(model.server.received[0]?.body?.['systemInstruction']);
  expect(system).toContain('# MCP servers');
  expect(system).toMatch(/Server .{0,4}everything.{0,4}:\\n<untrusted_context>/);
});
