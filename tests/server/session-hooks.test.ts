import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stopwatch } from '@countersign/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { hooksFor, saying } from '../cli/hook-settings.js';
import { Served } from './served.js';
import { must, Serving, until } from './serving.js';

let served: Served;
beforeEach(() => {
  served = new Served();
});
afterEach(() => served.close());

const noting = () => ({ command: `cat >> ${notes()}; echo >> ${notes()}` });
const notes = () => join(served.directory, 'notes');

test('the server runs the hooks for the start of a session, and for its end when it is deleted [H1]', async () => {
  await start({ SessionStart: [noting()], SessionEnd: [noting()] });
  const { sessionId } = must(await served.client.createSession({ body: {} }));
  await until(async () => noted().length === 1);
  must(await served.client.deleteSession({ sessionId }));
  expect(noted()).toEqual([
    { hook_event_name: 'SessionStart', session_id: sessionId, source: 'startup' },
    { hook_event_name: 'SessionEnd', session_id: sessionId, reason: 'exit' },
  ]);
});

test('an orderly stop ends the sessions for hooks, and the next server resumes them [H1]', async () => {
  await start({ SessionStart: [noting()], SessionEnd: [noting()] });
  const { sessionId } = must(await served.client.createSession({ body: {} }));
  await until(async () => noted().length === 1);
  expect(await served.end('SIGTERM')).toBe(0);
  const begunAndEnded = noted().map((each) => [each.hook_event_name, each.source ?? each.reason]);
  expect(begunAndEnded).toEqual([
    ['SessionStart', 'startup'],
    ['SessionEnd', 'exit'],
  ]);

  await served.start('--port', '0');
  must(await served.client.listSessions({}));
  expect(noted()).toHaveLength(2);
  must(await served.client.setMode({ sessionId, body: { mode: 'plan' } }));
  must(await served.client.setMode({ sessionId, body: { mode: 'manual' } }));
  await until(async () => noted().length === 3);
  expect(noted()[2]).toEqual({ hook_event_name: 'SessionStart', session_id: sessionId, source: 'resume' });
});

test('new calls wait for the hooks of the start, and a question is reported to Notification hooks [H1]', async () => {
  await start({
    SessionStart: [{ command: `sleep 1; echo ready > ${join(served.workspace, 'prepared.txt')}` }],
    Notification: [noting()],
  });
  const { sessionId } = must(await served.client.createSession({ body: {} }));
  const calls = [
    { callId: 'r', name: 'read_file', args: { file_path: 'prepared.txt' } },
    { callId: 'w', name: 'write_file', args: { file_path: 'a.txt', content: 'x' } },
  ];
  must(await served.client.issueCalls({ sessionId, body: { calls } }));
  await until(async () => noted().length === 1);
  expect(noted()[0]?.hook_event_name).toBe('Notification');
  const { facts } = must(await served.client.listFacts({ sessionId, type: 'call.succeeded' }));
  expect(JSON.stringify(facts)).toContain('ready');
});

test('a hook of the start adds to the first message, and its words for the user are printed [H1]', async () => {
  const hookSpecificOutput = { hookEventName: 'SessionStart', additionalContext: 'Speak Latin.' };
  const script = join(served.directory, 'answers.jsonl');
  writeFileSync(script, `${JSON.stringify(ANSWER)}\n`);
  await start(
    { SessionStart: [{ command: saying({ systemMessage: 'All is prepared.', hookSpecificOutput }) }] },
    ...['--fake-responses', script],
  );
  const { sessionId } = must(await served.client.createSession({ body: {} }));
  must(await served.client.sendMessage({ sessionId, body: { text: 'Hello' } }));
  const { facts } = must(await served.client.listFacts({ sessionId, type: 'message' }));
  expect(JSON.stringify(facts)).toContain('Speak Latin.');
  expect(served.stderr).toContain('All is prepared.');
});

test('a hook that does not end delays neither a new session nor the stop of the server [H1]', async () => {
  await start({ SessionStart: [{ command: 'sleep 60' }], SessionEnd: [{ command: 'sleep 60' }] });
  const elapsed = stopwatch();
  must(await served.client.createSession({ body: {} }));
  expect(await served.end('SIGTERM')).toBe(0);
  expect(elapsed()).toBeLessThan(15_000);
});

test('a session that is closed because it is idle ends for hooks with the reason "other" [H1]', async () => {
  const serving = await Serving.start({ limits: { idleSessionMs: 100 } });
  try {
    const { sessionId } = must(await serving.client().createSession({ body: {} }));
    await until(async () => serving.left.length > 0);
    expect(serving.left).toEqual([{ sessionId, reason: 'other' }]);
  } finally {
    await serving.close();
  }
});

const ANSWER = {
  method: 'generateContentStream',
  response: [
    { candidates: [{ content: { role: 'model', parts: [{ text: 'Salve.' }] }, finishReason: 'STOP' }] },
  ],
};

async function start(hooks: Parameters<typeof hooksFor>[0], ...args: readonly string[]): Promise<void> {
  mkdirSync(served.home, { recursive: true });
  writeFileSync(join(served.home, 'settings.json'), JSON.stringify(hooksFor(hooks)));
  await served.start('--port', '0', ...args);
}

const payload = z.object({
  hook_event_name: z.string(),
  session_id: z.string(),
  source: z.string().optional(),
  reason: z.string().optional(),
});

/** What the hooks received, in order; without what every hook receives. */
function noted(): readonly z.output<typeof payload>[] {
  try {
    const lines = readFileSync(notes(), 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => payload.parse(JSON.parse(line)));
  } catch {
    return [];
  }
}
