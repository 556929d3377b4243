import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HookEvent, HookPayloads } from '../hook/events.js';
import { SCRIPTS, SETTINGS } from '../testing/documented-hooks.js';
import { HookPlace } from '../testing/hook-place.js';

let place: HookPlace;
beforeEach(() => {
  place = new HookPlace();
  for (const [path, source] of Object.entries(SCRIPTS)) place.put(path, source);
});
afterEach(() => place.remove());

const environment = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
const fire = <E extends HookEvent>(event: E, payload: HookPayloads[E]) =>
  place.fire(event, payload, SETTINGS, { environment });

describe('hooks of the documented kinds work as they are [H1]', () => {
  test('one that scans what is written [H2]', async () => {
    const write = (content: string) =>
      fire('BeforeTool', { tool_name: 'write_file', tool_input: { file_path: 'a', content } });
    expect(await write('API_KEY = 1')).toMatchObject({
      verdict: { type: 'deny', reason: 'The content looks like it holds a key.' },
      systemMessage: 'The scanner refused a write',
    });
    expect((await write('hello')).verdict.type).toBe('allow');
    expect(place.read('.gemini/tools.log').trim().split('\n')).toHaveLength(2);
  });

  test('an emergency brake by exit code [H2]', async () => {
    const command = (text: string) =>
      fire('BeforeTool', { tool_name: 'run_shell_command', tool_input: { command: text } });
    expect((await command('rm -rf build')).verdict).toEqual({
      type: 'deny',
      reason: 'Deleting whole directories is not done here.',
    });
    expect((await command('ls')).verdict).toEqual({ type: 'none' });
  });

  test('one that only logs', async () => {
    const report = await fire('BeforeTool', { tool_name: 'glob', tool_input: { pattern: '*' } });
    expect(report).toMatchObject({
      verdict: { type: 'none' },
      systemMessage: null,
      runs: [{ hook: { name: 'log' } }],
    });
    expect(JSON.parse(place.read('.gemini/tools.log'))).toMatchObject({ tool_name: 'glob' });
  });

  test('one that hides results, adds to them, or asks for a call to follow [H2]', async () => {
    const read = (llmContent: string) =>
      fire('AfterTool', {
        tool_name: 'read_file',
        tool_input: {},
        tool_response: { llmContent, returnDisplay: '' },
      });
    expect((await read('PRIVATE')).verdict).toEqual({ type: 'deny', reason: 'Left out: it is private.' });
    expect(await read('public')).toMatchObject({
      verdict: { type: 'none' },
      additionalContext: 'Checked.',
      tailCall: { name: 'grep_search', args: { pattern: 'TODO' } },
    });
  });

  test('those around the agent, the model and the session', async () => {
    expect(await fire('SessionStart', { source: 'startup' })).toMatchObject({
      systemMessage: 'Assistant ready',
    });
    expect((await fire('SessionStart', { source: 'resume' })).runs).toEqual([]);
    expect(await fire('BeforeAgent', { prompt: 'hi' })).toMatchObject({
      verdict: { type: 'none' },
      additionalContext: expect.stringContaining('Recent commits:'),
    });
    const llm_request = { model: 'gemini', messages: [{ role: 'user', content: 'run the tests' }] };
    expect((await fire('BeforeToolSelection', { llm_request })).runs).toMatchObject([
      {
        outcome: {
          answer: {
            other: { toolConfig: { mode: 'ANY', allowedFunctionNames: ['run_shell_command', 'read_file'] } },
          },
        },
      },
    ]);
    expect((await fire('AfterModel', { llm_request, llm_response: { candidates: [] } })).verdict).toEqual({
      type: 'none',
    });
    expect(JSON.parse(place.read('.gemini/session.jsonl'))).toEqual({
      request: llm_request,
      response: { candidates: [] },
    });
    const review = { prompt: 'hi', stop_hook_active: false };
    expect(await fire('AfterAgent', { ...review, prompt_response: 'Done.' })).toMatchObject({
      verdict: { type: 'deny', reason: 'Add a summary.' },
      systemMessage: 'Asking for a summary',
    });
    expect((await fire('AfterAgent', { ...review, prompt_response: 'Summary: done.' })).verdict.type).toBe(
      'allow',
    );
    expect(await fire('SessionEnd', { reason: 'exit' })).toMatchObject({
      verdict: { type: 'none' },
      systemMessage: null,
    });
  });
});
