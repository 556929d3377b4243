import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HookEvent, HookPayloads } from '../hook/events.js';
import { HookPlace, type HookSetup, saying } from '../testing/hook-place.js';

let place: HookPlace;
beforeEach(() => {
  place = new HookPlace();
});
afterEach(() => place.remove());

const tool = { tool_name: 'write_file', tool_input: { file_path: 'a.txt' } };
const PAYLOADS: HookPayloads = {
  BeforeTool: tool,
  AfterTool: { ...tool, tool_response: { llmContent: 'ok', returnDisplay: 'ok' } },
  BeforeAgent: { prompt: 'go' },
  AfterAgent: { prompt: 'go', prompt_response: 'done', stop_hook_active: false },
  BeforeModel: { llm_request: {} },
  AfterModel: { llm_request: {}, llm_response: {} },
  BeforeToolSelection: { llm_request: {} },
  SessionStart: { source: 'startup' },
  SessionEnd: { reason: 'exit' },
  PreCompress: { trigger: 'auto' },
  Notification: { notification_type: 'ToolPermission', message: 'm', details: {} },
};

const fire = <E extends HookEvent>(event: E, hook: HookSetup) =>
  place.fire(event, PAYLOADS[event], { hooks: { [event]: [{ hooks: [{ type: 'command', ...hook }] }] } });

describe('plain text with exit code 0', () => {
  const DECIDING = ['BeforeTool', 'BeforeAgent', 'BeforeModel', 'BeforeToolSelection'] as const;
  const OTHERS = [
    'AfterTool',
    'AfterAgent',
    'AfterModel',
    'SessionStart',
    'SessionEnd',
    'PreCompress',
    'Notification',
  ] as const;

  test.each(OTHERS)('of a hook for %s is a message to the user [H3]', async (event) => {
    const report = await fire(event, { command: 'echo "a.txt 12ms"; echo "[warn] b.txt"' });
    expect(report.verdict).toEqual({ type: 'none' });
    expect(report.systemMessage).toBe('a.txt 12ms\n[warn] b.txt');
    expect(report.runs[0]?.outcome.type).toBe('answered');
  });

  test.each(DECIDING)('of a hook for %s refuses what it guards [H3]', async (event) => {
    const { verdict } = await fire(event, { command: 'echo fine' });
    expect(verdict).toMatchObject({ type: 'deny', reason: expect.stringContaining('not JSON') });
  });

  test.each(OTHERS)('of a hook for %s is invalid if its settings require JSON [H3]', async (event) => {
    const { runs } = await fire(event, { command: 'echo fine', output: 'json' });
    expect(runs[0]?.outcome).toMatchObject({ type: 'failed', failure: { how: 'nonsense' } });
  });

  test.each([
    ['a number', 'echo 3', '3'],
    ['a list', `echo '["a.txt"]'`, '["a.txt"]'],
    ['a text in quotes', `echo '"done"'`, '"done"'],
    ['bytes that are not UTF-8', `printf 'f\\xfcr a.txt'`, 'f\ufffdr a.txt'],
    ['source code', `printf 'function a() {\\n  return 1;\\n}\\n'`, 'function a() {\n  return 1;\n}'],
  ])('may be %s [H3]', async (_, command, expected) => {
    const { verdict, systemMessage } = await fire('AfterTool', { command });
    expect([verdict.type, systemMessage]).toEqual(['none', expected]);
  });

  test('is cut where it is longer than a user reads [H3]', async () => {
    const { systemMessage } = await fire('AfterTool', { command: 'seq 1 2000' });
    expect(systemMessage?.length).toBe(2_001);
  });

  test.each([
    ['an object that is cut off', `echo '{"decision": "deny", "reason": "has a key"'`],
    ['an object after other words', `echo Looking; ${saying({ decision: 'deny', reason: 'no' })}`],
    ['an object before other words', `${saying({ decision: 'deny', reason: 'no' })}; echo Done`],
    ['an object with a wrong value', saying({ decision: 'denied' })],
    ['an object encoded twice and cut off', `echo '"{\\"decision\\": \\"deny'`],
    ['an object in single quotes', `echo "{'decision': 'deny'}"`],
  ])('does not mean %s: the result is withheld [H3]', async (_, command) => {
    expect((await fire('AfterTool', { command })).verdict.type).toBe('deny');
  });

  test('does not excuse another exit code [H3]', async () => {
    expect((await fire('AfterTool', { command: 'echo fine; exit 1' })).verdict.type).toBe('deny');
    expect((await fire('AfterTool', { command: 'echo no; exit 2' })).verdict).toEqual({
      type: 'deny',
      reason: 'no',
    });
  });
});
