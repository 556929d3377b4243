import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Served } from './served.js';
import { must, until } from './serving.js';

let served: Served;
beforeEach(() => {
  served = new Served();
});
afterEach(() => served.close());

const read = (name: string): string | null =>
  existsSync(join(served.workspace, name)) ? readFileSync(join(served.workspace, name), 'utf8') : null;

const shell = (command: string, callId: string) => ({ callId, name: 'run_shell_command', args: { command } });
/** Ends once go.txt is there, or after a while. */
const waiting = (mark: string) =>
  `echo begun >> ${mark}; for i in $(seq 300); do [ -e go.txt ] && break; sleep 0.1; done; echo done >> ${mark}`;

async function approveAll(count: number): Promise<void> {
  const approvals = await until(async () => {
    const listed = must(await served.client.listApprovals({ limit: 200 }));
    return listed.total === count && listed.approvals;
  });
  for (const { sessionId, callId, digest } of approvals)
    must(
      await served.client.answerApproval({ body: { sessionId, callId, digest, outcome: 'proceed_once' } }),
    );
}

/** A session in which one call runs, and one that was approved as well waits for its end. */
async function runningAndQueued(): Promise<string> {
  const { sessionId } = must(await served.client.createSession({ body: {} }));
  const calls = [shell(waiting('a.txt'), 'a'), shell('echo b >> a.txt; echo b >> b.txt', 'b')];
  must(await served.client.issueCalls({ sessionId, body: { calls } }));
  await approveAll(2);
  await until(async () => read('a.txt') === 'begun\n');
  return sessionId;
}

const typesIn = async (sessionId: string): Promise<readonly string[]> =>
  must(await served.client.listFacts({ sessionId, limit: 500 })).facts.map(({ event }) => event.type);

test('a server that was killed continues at its start: what runs is adopted, what was approved runs once [A6] [X5]', async () => {
  await served.start('--port', '0');
  const sessionId = await runningAndQueued();
  await served.end('SIGKILL');
  expect(read('b.txt')).toBeNull();

  await served.start('--port', '0');
  await until(async () => served.stderr.includes(`left open: ${sessionId}`));
  const shown = must(await served.client.showSession({ sessionId }));
  expect([shown.owner, shown.state, shown.left]).toEqual(['here', 'working', null]);
  writeFileSync(join(served.workspace, 'go.txt'), '');
  await until(async () => (await typesIn(sessionId)).includes('turn.ended'));
  expect((await typesIn(sessionId)).filter((type) => type === 'call.succeeded')).toHaveLength(2);
  expect([read('a.txt'), read('b.txt')]).toEqual(['begun\ndone\nb\n', 'b\n']);
});

test('killed at each start, the server still runs everything once [A6] [X5]', async () => {
  await served.start('--port', '0');
  const sessionId = await runningAndQueued();
  for (let round = 0; round < 2; round++) {
    await served.end('SIGKILL');
    await served.start('--port', '0');
    await until(async () => served.stderr.includes(`left open: ${sessionId}`));
  }
  await served.end('SIGKILL');
  writeFileSync(join(served.workspace, 'go.txt'), '');
  await until(async () => read('a.txt') === 'begun\ndone\n');
  await served.start('--port', '0');
  await until(async () => (await typesIn(sessionId)).includes('turn.ended'));
  expect([read('a.txt'), read('b.txt')]).toEqual(['begun\ndone\nb\n', 'b\n']);
});

test('a rule that was added meanwhile denies an approved call that had not started [A6] [P1]', async () => {
  await served.start('--port', '0');
  const sessionId = await runningAndQueued();
  await served.end('SIGKILL');
  writeFileSync(
    join(served.directory, 'no-b.toml'),
    '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "echo b"\ndecision = "deny"\npriority = 900\n',
  );
  await served.start('--port', '0', '--policy', join(served.directory, 'no-b.toml'));
  writeFileSync(join(served.workspace, 'go.txt'), '');
  await until(async () => (await typesIn(sessionId)).includes('turn.ended'));
  expect([read('a.txt'), read('b.txt')]).toEqual(['begun\ndone\n', null]);
});

test('what another front end left open is listed with what is open, and continues when it is resumed [A6] [W4]', async () => {
  const { client } = await startedOnce();
  const calls = JSON.stringify([
    shell(waiting('a.txt'), 'a'),
    shell('echo b >> a.txt; echo b >> b.txt', 'b'),
  ]);
  const exec = served.spawn('exec', '--yolo', '--session', 's1', calls);
  await until(async () => read('a.txt') === 'begun\n');
  exec.kill('SIGKILL');
  const left = await until(async () => {
    const { sessions } = must(await client.listSessions({}));
    return sessions.find(({ state }) => state === 'interrupted');
  });
  expect(left).toMatchObject({
    sessionId: 's1',
    frontEnd: 'exec',
    owner: null,
    left: { running: 1, queued: 1, questions: 0, unanswered: false },
  });
  await served.end('SIGTERM');
  await served.start('--port', '0');
  expect(must(await served.client.showSession({ sessionId: 's1' })).state).toBe('interrupted');
  const resumed = must(await served.client.resumeSession({ sessionId: 's1', body: {} }));
  expect([resumed.state, resumed.left]).toEqual(['working', null]);
  writeFileSync(join(served.workspace, 'go.txt'), '');
  await until(async () => (await typesIn('s1')).includes('turn.ended'));
  expect([read('a.txt'), read('b.txt')]).toEqual(['begun\ndone\nb\n', 'b\n']);
});

test('a server of another configuration leaves the sessions of this one alone [A6]', async () => {
  await served.start('--port', '0');
  const sessionId = await runningAndQueued();
  await served.end('SIGKILL');
  const store = served.home;
  served.environment = {
    XDG_CONFIG_HOME: join(served.directory, 'other'),
    COUNTERSIGN_HOME: join(served.directory, 'other'),
  };
  await served.start('--port', '0', '--store', store);
  expect(served.stderr).not.toContain('Resumed');
  served.environment = {};
  await served.end('SIGTERM');
  await served.start('--port', '0');
  await until(async () => served.stderr.includes(`left open: ${sessionId}`));
  writeFileSync(join(served.workspace, 'go.txt'), '');
  await until(async () => read('b.txt') === 'b\n');
});

async function startedOnce() {
  await served.start('--port', '0');
  return { client: served.client };
}

/** A model that is asked over HTTP, and answers when it is let. */
class SlowModel {
  asked = 0;
  isLetGo = false;
  /** Requested instead of its next answer. */
  command: string | null = null;
  readonly #server: Server = createServer((request, response) => {
    if (request.url === '/v1/models') return void response.end('{"data":[{"id":"local-1"}]}');
    this.asked++;
    const said = (delta: object, finish_reason: string | null) =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'local-1', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (!this.isLetGo) return;
    const { command } = this;
    this.command = null;
    if (command !== null) {
      const requested = { name: 'run_shell_command', arguments: JSON.stringify({ command }) };
      const tool_calls = [{ index: 0, id: 'c', type: 'function', function: requested }];
      return void response.end(`${said({ tool_calls }, null)}${said({}, 'tool_calls')}data: [DONE]\n\n`);
    }
    response.end(`${said({ content: 'Here I am.' }, null)}${said({}, 'stop')}data: [DONE]\n\n`);
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const isAnswered = (sessionId: string) =>
  until(async () =>
    JSON.stringify(must(await served.client.listFacts({ sessionId, type: 'message' })).facts).includes(
      'Here I am.',
    ),
  );

test('a model that was answering when the server was killed is asked again, one that a person stopped is not [A6] [G1]', async ({
  onTestFinished,
}) => {
  const model = new SlowModel();
  onTestFinished(() => model.close());
  served.environment = { OPENAI_BASE_URL: await model.start() };
  await served.start('--port', '0');
  const begin = async (): Promise<string> => {
    const { sessionId } = must(await served.client.createSession({ body: {} }));
    const asked = model.asked;
    must(await served.client.sendMessage({ sessionId, body: { text: 'Are you there?' } }));
    await until(async () => model.asked > asked);
    return sessionId;
  };
  const stopped = await begin();
  must(await served.client.cancel({ sessionId: stopped, body: { target: { type: 'all' } } }));
  await until(async () => must(await served.client.showSession({ sessionId: stopped })).state === 'idle');
  const cutOff = await begin();
  await served.end('SIGKILL');
  model.isLetGo = true;
  await served.start('--port', '0');
  await isAnswered(cutOff);
  expect(served.stderr).toContain(`left open: ${cutOff}\n`);
  expect(await typesIn(stopped)).not.toContain('call.requested');
  expect(must(await served.client.showSession({ sessionId: stopped })).owner).toBeNull();
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  test(`a model at work when ${signal} stops the server is not asked again before the end, and continues at the next start [A6] [G1]`, async ({
    onTestFinished,
  }) => {
    const model = new SlowModel();
    onTestFinished(() => model.close());
    served.environment = { OPENAI_BASE_URL: await model.start() };
    await served.start('--port', '0');
    model.isLetGo = true;
    model.command = waiting('m.txt');
    const { sessionId } = must(await served.client.createSession({ body: { mode: 'yolo' } }));
    must(await served.client.sendMessage({ sessionId, body: { text: 'Are you there?' } }));
    await until(async () => read('m.txt') === 'begun\n');
    const asked = model.asked;
    await served.end(signal);
    expect(model.asked).toBe(asked);
    expect(served.stderr).toContain(
      `Ended by ${signal}. 1 call was cancelled. Left open in ${sessionId}: the model had not answered. The server continues it at its next start.`,
    );
    await served.start('--port', '0');
    await isAnswered(sessionId);
    expect(model.asked).toBe(asked + 1);
    expect(served.stderr).toContain(`left open: ${sessionId}\n`);
    expect((await typesIn(sessionId)).filter((type) => type === 'message.added')).toHaveLength(3);
    // What was answered is not left open.
    await served.end('SIGTERM');
    expect(served.stderr).toContain('No call was cancelled. Nothing is left open.');
  });
