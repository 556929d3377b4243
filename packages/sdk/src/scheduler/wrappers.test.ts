import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Config } from '../config/config.js';
import { registerBuiltInTools } from '../tools/built-in.js';
import { ToolRegistry } from '../tools/tool-registry.js';
import { executeToolCall } from './execute-tool-call.js';
import { ManagedToolScheduler } from './managed-tool-scheduler.js';
import { PersistentToolScheduler } from './persistent-tool-scheduler.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-sdk-'));
  writeFileSync(join(directory, 'a.txt'), 'alpha\n');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true, force: true });
});

function world() {
  const config = new Config({ targetDir: directory });
  const toolRegistry = new ToolRegistry(config);
  registerBuiltInTools(toolRegistry, config);
  return { config, toolRegistry };
}
const reading = { callId: 'r', name: 'read_file', args: { file_path: 'a.txt' } };
const writing = { callId: 'w', name: 'write_file', args: { file_path: 'b.txt', content: 'beta\n' } };

test('executeToolCall runs a call that needs no approval, and fails any other because no user can be asked [E2, A8]', async () => {
  const { config, toolRegistry } = world();
  expect(await executeToolCall(config, reading, toolRegistry)).toMatchObject({
    callId: 'r',
    responseParts: [{ functionResponse: { response: { output: 'alpha\n' } } }],
    error: undefined,
  });
  const asked = await executeToolCall(config, writing, toolRegistry);
  expect(asked.errorType).toBe('nobody_to_ask');
  expect(asked.error?.message).toContain('No user is attached to approve it.');
  expect(existsSync(join(directory, 'b.txt'))).toBe(false);
  const aborted = await executeToolCall(config, reading, toolRegistry, AbortSignal.abort());
  expect(aborted).toMatchObject({ errorType: 'aborted', resultDisplay: 'User cancelled tool execution.' });
});

test('a disposed managed scheduler answers the callers that still wait [E2, S6]', async () => {
  const scheduler = new ManagedToolScheduler(world());
  const waiting = scheduler.scheduleWithTimeout(writing);
  await Promise.all([expect(waiting).rejects.toThrow('This session has been closed.'), scheduler.dispose()]);
});

test('a snapshot is written with every update, whole, under the session id of the environment [E2]', async () => {
  vi.stubEnv('SESSION_ID', 'from-the-environment');
  const path = join(directory, 'calls.json');
  const scheduler = new PersistentToolScheduler(world(), path);
  expect(scheduler.loadSnapshot()).toBeNull();
  await scheduler.schedule(writing);
  expect(scheduler.loadSnapshot()).toMatchObject({
    sessionId: 'from-the-environment',
    toolCalls: [{ status: 'awaiting_approval', tool: 'write_file', request: { callId: 'w' } }],
  });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(scheduler.loadSnapshot());
  expect(readdirSync(directory).toSorted()).toEqual(['a.txt', 'calls.json']);
  await scheduler.dispose();
});

test.each(['', '{"toolCalls":', '[]', '{"toolCalls":[],"timestamp":"now","sessionId":1}'])(
  'a snapshot file that holds %j is warned of and ignored [E2]',
  async (text) => {
    const path = join(directory, 'calls.json');
    const warnings: string[] = [];
    writeFileSync(path, text);
    const scheduler = new PersistentToolScheduler(
      { ...world(), onTrouble: ({ message }) => warnings.push(message) },
      path,
    );
    expect(scheduler.loadSnapshot()).toBeNull();
    expect(warnings).toEqual([`${path} is not a snapshot of tool calls; it is ignored.`]);
    await scheduler.dispose();
  },
);

test('a snapshot that cannot be written is a warning, and the handler still receives the update [E2]', async () => {
  const warnings: string[] = [];
  let updates = 0;
  const scheduler = new PersistentToolScheduler(
    {
      ...world(),
      onTrouble: ({ message }) => warnings.push(message),
      onToolCallsUpdate: () => {
        updates += 1;
      },
      resolveWhen: 'completed',
    },
    join(directory, 'no', 'such', 'directory.json'),
  );
  const [call] = await scheduler.schedule(reading);
  expect(call?.status).toBe('success');
  expect(updates).toBeGreaterThan(0);
  expect(warnings[0]).toContain('directory.json could not be written: ENOENT');
  await scheduler.dispose();
});
