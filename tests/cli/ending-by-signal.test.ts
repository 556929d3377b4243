import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@countersign/server/client';
import { expect } from 'vitest';
import { isGone, isRunning } from '../../packages/hooks/src/testing/hook-place.js';
import { root } from '../../scripts/source/files.mjs';
import { call, FakeModel, says, text } from './headless-model.js';
import { type Line, type Place, PROGRAM, type Running, readCall, test, writeCall } from './program.js';

/** In every front end two commands, of which the second waits for the end of the first, which takes long. */
const COMMANDS = (seconds: string) => [
  `echo a > shared; sleep ${seconds}`,
  'echo b > shared; echo b > b.txt',
];
const shell = (command: string, id: string): Line => ({ id, name: 'run_shell_command', args: { command } });

type FrontEnd = {
  readonly start: (place: Place, commands: readonly string[]) => Promise<Running>;
  /** What is printed about the command that did not start; null where only one call is taken at a time. */
  readonly left: RegExp | null;
  readonly code: number;
};

const FRONT_ENDS: { readonly [name: string]: FrontEnd } = {
  exec: {
    start: async (place, commands) => {
      const calls = commands.map((command, index) => shell(command, `c${index}`));
      return place.start(['exec', '--session', 's1', JSON.stringify(calls)]);
    },
    left: /Left open in s1: 1 call was queued\. To resume: countersign exec --resume s1$/,
    code: 130,
  },
  '-p': {
    start: async (place, commands) => {
      const args = ['-p', 'go', '--session', 's1', '-o', 'stream-json'];
      const running = (await modelWith(commands)).start(place, args);
      running.end();
      return running;
    },
    left: /Left open in s1: 1 call was queued\. To resume: countersign --resume s1 -p ""$/,
    code: 130,
  },
  serve: {
    start: async (place, commands) => {
      const running = place.start(['serve', '--port', '0']);
      const url = (await running.text(/http:\S+(?=\/#pair)/)) ?? '';
      const { tokens } = JSON.parse(readFileSync(join(place.home, 'server-tokens.json'), 'utf8'));
      const client = createClient({ url, token: tokens[0].token });
      await client.createSession({ body: { sessionId: 's1' } });
      const calls = commands.map((command) => ({ name: 'run_shell_command', args: { command } }));
      await client.issueCalls({ sessionId: 's1', body: { calls } });
      return running;
    },
    left: /Left open in s1: 1 call was queued\. The server continues it at its next start\.$/,
    code: 0,
  },
  acp: {
    start: async (place, commands) => {
      const running = (await modelWith(commands)).start(place, ['acp']);
      const request = (id: number, method: string, params: object) =>
        running.say({ jsonrpc: '2.0', id, method, params });
      request(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} });
      await running.line({ id: 1 });
      request(2, 'session/new', { cwd: place.workspace, mcpServers: [] });
      const { result } = await running.line({ id: 2 });
      const { sessionId } = result as { readonly sessionId: string };
      request(3, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });
      return running;
    },
    left: /Left open in \S+: 1 call was queued\. To resume: countersign --resume \S+ -p ""$/,
    code: 130,
  },
  'mcp serve': {
    start: async (place, commands) => {
      const running = place.start(['mcp', 'serve']);
      const clientInfo = { name: 'a-client', version: '1' };
      running.say({
        ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
      });
      await running.line({ id: 1 });
      running.say({ jsonrpc: '2.0', method: 'notifications/initialized' });
      for (const [index, command] of commands.entries())
        running.say({
          ...{ jsonrpc: '2.0', id: 2 + index, method: 'tools/call' },
          params: { name: 'run_shell_command', arguments: { command } },
        });
      return running;
    },
    left: null,
    code: 130,
  },
};

const modelWith = (commands: readonly string[]): Promise<FakeModel> =>
  FakeModel.start(
    says(...commands.map((command, index) => call('run_shell_command', { command }, `c${index}`))),
    says(text('Done.')),
  );

/** The commands of these tests run without a question. */
function allowCommands({ home }: Place): void {
  mkdirSync(join(home, 'policies'), { recursive: true });
  const rule = '[[rule]]\ntoolName = "run_shell_command"\ndecision = "allow"\npriority = 900\n';
  writeFileSync(join(home, 'policies', 'allow.toml'), rule);
}

for (const [name, { start, left, code }] of Object.entries(FRONT_ENDS))
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) {
    // There Ctrl-C is a decision: it cancels what does not run as well.
    const isCancel = signal === 'SIGINT' && (name === 'exec' || name === '-p');
    test(`${signal} ends ${name} with its command, and the last line says what was cancelled and what is left [X3] [L5] [C3]`, async ({
      place,
    }) => {
      allowCommands(place);
      const seconds = `62.${process.pid}${Object.keys(FRONT_ENDS).indexOf(name)}${signal.length}`;
      const running = await start(place, COMMANDS(seconds));
      await expect.poll(() => isRunning(seconds), { timeout: 30_000 }).toBe(true);
      running.signal(signal);
      const ran = await running.ended();
      expect([ran.code, ran.signal]).toEqual([code, null]);
      expect(await isGone(seconds)).toBe(true);
      const lastLine = ran.stderr.trimEnd().split('\n').at(-1);
      if (isCancel)
        expect(lastLine).toBe(`Ended by ${signal}. 2 calls were cancelled. Nothing is left open.`);
      else if (left) {
        expect(lastLine).toMatch(new RegExp(`^Ended by ${signal}\\. 1 call was cancelled\\. ${left.source}`));
        expect(place.has('b.txt')).toBe(false);
      } else expect(lastLine).toMatch(new RegExp(`^Ended by ${signal}\\. \\d calls? w\\w+ cancelled\\.`));
      const [listed] = (await place.run(['sessions', 'list', '--json'])).lines;
      if (isCancel) expect(listed).toMatchObject({ left: null });
      else if (left) expect(listed).toMatchObject({ left: { running: 0, queued: 1 } });
      if (name === 'exec' || name === '-p') {
        const results = ran.lines.filter(({ status }) => status !== undefined);
        expect(results.length).toBeGreaterThan(0);
        expect(results.map(({ status }) => status)).not.toContain('success');
      }
      if (name === '-p') expect(ran.lines.at(-1)).toMatchObject({ type: 'result', status: 'error' });
    });
  }

test('a signal that is repeated does not end the program before its command [X3]', async ({ place }) => {
  allowCommands(place);
  const seconds = `63.${process.pid}`;
  // It takes its time to end, as programs that clean up do.
  const command = `trap 'sleep 0.5' TERM; sleep ${seconds} & wait`;
  const running = place.start(['exec', '--session', 's1', JSON.stringify(shell(command, 'a'))]);
  await expect.poll(() => isRunning(seconds), { timeout: 30_000 }).toBe(true);
  for (const signal of ['SIGHUP', 'SIGHUP', 'SIGTERM', 'SIGTERM'] as const) running.signal(signal);
  const ran = await running.ended();
  expect([ran.code, ran.signal, ran.lines]).toMatchObject([
    130,
    null,
    [{ callId: 'a', status: 'cancelled' }],
  ]);
  expect(await isGone(seconds)).toBe(true);
});

test('SIGTERM keeps a pending question, and it is answered later [A6]', async ({ place }) => {
  const call = JSON.stringify(writeCall('a.txt', 'x\n', 'w'));
  const running = place.start(['exec', '--approvals', 'wait', '--session', 's1', call]);
  await running.told('countersign approvals answer s1/w');
  running.signal('SIGTERM');
  const { code, stderr } = await running.ended();
  expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([
    130,
    'Ended by SIGTERM. No call was cancelled. Left open in s1: 1 question is pending. To resume: countersign exec --resume s1',
  ]);
  expect(await place.run(['approvals', 'answer', 's1/w', 'proceed_once'])).toMatchObject({ code: 0 });
  expect(place.read('a.txt')).toBe('x\n');
});

test('exec whose reader goes away ends its command [X3] [C3]', async ({ place }) => {
  allowCommands(place);
  const seconds = `66.${process.pid}`;
  place.write('a.txt', 'hello\n');
  const calls = [{ name: 'read_file', args: { file_path: 'a.txt' } }, shell(`sleep ${seconds}`, 's')];
  // Something is written while the command runs, and nothing reads it.
  const script = `{ "$0" "$1" exec --events "$2"; echo "exit $?" >&2; } | head -n 1`;
  const ran = spawnSync('sh', ['-c', script, process.execPath, PROGRAM, JSON.stringify(calls)], {
    cwd: place.workspace,
    env: place.environment,
    encoding: 'utf8',
  });
  expect(ran.stderr).toMatch(/^The reader of standard output closed it, .*\nexit 1\n$/);
  expect(isRunning(seconds)).toBe(false);
});

test('exec whose reader goes away says which calls are left, and how to resume them [X3] [C3]', async ({
  place,
}) => {
  allowCommands(place);
  const seconds = `67.${process.pid}`;
  const calls = COMMANDS(seconds).map((command, index) => shell(command, `c${index}`));
  const script = `{ "$0" "$1" exec --session s1 --events "$2"; echo "exit $?" >&2; } | head -n 1`;
  const ran = spawnSync('sh', ['-c', script, process.execPath, PROGRAM, JSON.stringify(calls)], {
    cwd: place.workspace,
    env: place.environment,
    encoding: 'utf8',
  });
  expect(ran.stderr).toMatch(
    /^The reader .* Left open in s1: \d calls? w\w+ queued\. To resume: countersign exec --resume s1\nexit 1\n$/,
  );
  expect(isRunning(seconds)).toBe(false);
});

for (const signal of ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)
  test(`${signal} ends exec that still reads answers, with its exit code and no other message [X3] [A6]`, async ({
    place,
  }) => {
    const running = place.start(['exec', '--session', 's1', '--approvals', 'stdio']);
    running.say(writeCall('a.txt', 'x\n', 'w'));
    await running.approval('w');
    running.signal(signal);
    const { code, stderr } = await running.ended();
    expect([code, stderr]).toEqual([
      130,
      `Ending: ${signal} was received.\nEnded by ${signal}. No call was cancelled. Left open in s1: 1 question is pending. To resume: countersign exec --resume s1\n`,
    ]);
  });

test('Ctrl-\\ ends exec with its command [X3]', async ({ place }) => {
  allowCommands(place);
  const seconds = `68.${process.pid}`;
  const running = place.start(['exec', '--session', 's1', JSON.stringify(shell(`sleep ${seconds}`, 'a'))]);
  await expect.poll(() => isRunning(seconds), { timeout: 30_000 }).toBe(true);
  running.signal('SIGQUIT');
  const { code, lines } = await running.ended();
  expect([code, lines]).toMatchObject([130, [{ callId: 'a', status: 'cancelled' }]]);
  expect(await isGone(seconds)).toBe(true);
});

test('a result that waits for those of earlier calls is printed when the program ends, and again when it resumes [C3] [A6]', async ({
  place,
}) => {
  place.write('c.txt', 'here\n');
  const calls = [writeCall('a.txt', 'x\n', 'a'), writeCall('b.txt', 'x\n', 'b'), readCall('c.txt', 'c')];
  const running = place.start(['exec', '--session', 's1', '--approvals', 'wait', JSON.stringify(calls)]);
  await running.told('countersign approvals answer s1/b');
  const isRecorded = async () => (await place.run(['sessions', 'show', 's1'])).stdout;
  await expect.poll(isRecorded, { timeout: 30_000 }).toContain('  1 call has ended, 2 are open\n');
  running.signal('SIGTERM');
  const { code, lines } = await running.ended();
  expect([code, lines]).toMatchObject([130, [{ callId: 'c', status: 'success' }]]);
  const resumed = await place.run(['exec', '--resume', 's1', '--approvals', 'stdio'], { stdin: '' });
  const results = resumed.lines.filter(({ type }) => type === undefined);
  expect([resumed.code, results]).toMatchObject([3, [{ callId: 'c', status: 'success' }]]);
  for (const id of ['a', 'b']) await place.run(['approvals', 'answer', `s1/${id}`, 'cancel']);
  expect((await place.run(['sessions', 'show', 's1'])).stdout).toContain('  3 calls have ended\n');
});

/** Starts the program in a pseudo-terminal that ends with this script, and types a prompt. */
const IN_A_TERMINAL = `
const { spawn } = require('@lydell/node-pty');
const [program, cwd] = process.argv.slice(1);
const pty = spawn(process.execPath, [program, '--session', 's1'], { cwd, env: process.env, cols: 80, rows: 24 });
let isTyped = false, seen = '';
pty.onData((data) => {
  seen += data;
  if (isTyped || !seen.includes('(shift-tab)')) return;
  isTyped = true;
  setTimeout(() => pty.write('go\\r'), 300);
});
console.log(pty.pid);
`;

test('a terminal that is closed ends the program and its command, and records both [X3] [U1]', async ({
  place,
}) => {
  allowCommands(place);
  const seconds = `64.${process.pid}`;
  const model = await modelWith([`sleep ${seconds}`]);
  const terminal = spawn(process.execPath, ['-e', IN_A_TERMINAL, PROGRAM, place.workspace], {
    cwd: root,
    env: { ...place.environment, ...model.env, TERM: 'xterm-256color' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let pid = '';
  terminal.stdout.on('data', (data) => {
    pid += String(data);
  });
  await expect.poll(() => isRunning(seconds), { timeout: 30_000 }).toBe(true);
  terminal.kill('SIGKILL');
  expect(await isGone(seconds)).toBe(true);
  const isThere = () => spawnSync('kill', ['-0', pid.trim()]).status === 0;
  await expect.poll(isThere, { timeout: 20_000 }).toBe(false);
  expect((await place.run(['sessions', 'list', '--json'])).lines).toMatchObject([
    { id: 's1', status: 'idle', calls: 1, left: null },
  ]);
});
