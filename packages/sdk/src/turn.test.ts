import { scriptedProvider } from '@countersign/models';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { GeminiEventType, getToolFamily, getToolSet, ToolRegistry, Turn } from './compat.js';
import { defineTool, registerBuiltInTools } from './index.js';

async function all<T>(events: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const event of events) list.push(event);
  return list;
}

const look = defineTool({
  name: 'look',
  displayName: 'Look',
  description: 'Looks.',
  kind: 'read',
  input: z.object({}),
  plan: () => ({ title: 'Look', resources: [], repeat: 'safe' }),
  run: () => ({ llmContent: 'seen', returnDisplay: 'seen' }),
});

test('a turn emits the text of the model and collects the calls it requests [G2, E2]', async () => {
  const provider = scriptedProvider([
    [{ thought: 'hm' }, { text: 'Let me look.' }, { call: 'look', args: {}, id: 'c1' }],
    [{ text: 'Seen.' }],
  ]);
  const toolRegistry = new ToolRegistry();
  toolRegistry.registerTool(look);
  const turn = new Turn({ provider, model: 'scripted', toolRegistry, prompt_id: 'p' });
  const events = await all(turn.run('what is there?'));
  expect(events.map(({ type }) => type)).toEqual([
    GeminiEventType.Thought,
    GeminiEventType.Content,
    GeminiEventType.ToolCallRequest,
    GeminiEventType.Finished,
  ]);
  expect(turn.pendingToolCalls).toEqual([
    { callId: 'c1', name: 'look', args: {}, isClientInitiated: false, prompt_id: 'p' },
  ]);
  expect(provider.requests[0]?.declarations.map(({ name }) => name)).toEqual(['look']);

  const next = new Turn({ provider, model: 'scripted', history: turn.history });
  const answer = { functionResponse: { id: 'c1', name: 'look', response: { output: 'seen' } } };
  await all(next.run([answer]));
  expect(provider.requests[1]?.contents.map(({ role }) => role)).toEqual(['user', 'model', 'user']);
  expect(next.history).toHaveLength(4);
});

test('a turn that fails or is cancelled emits that, and requests no calls [G2, E2]', async () => {
  const failure = { code: 'model_cut_off', provider: 'x', problem: 'it hung up' } as const;
  const cut = new Turn({
    provider: scriptedProvider([[{ call: 'look' }, { fail: failure }]]),
    model: 'scripted',
  });
  const events = await all(cut.run('go'));
  expect(events.at(-1)).toMatchObject({ type: 'error', value: { error: { message: expect.any(String) } } });
  expect(cut.pendingToolCalls).toEqual([]);
  expect(cut.history).toEqual([]);

  const controller = new AbortController();
  const stopped = new Turn({ provider: scriptedProvider([[{ text: 'a' }, { delayMs: 5_000 }]]), model: 'm' });
  const types: string[] = [];
  for await (const { type } of stopped.run('go', controller.signal)) {
    types.push(type);
    controller.abort();
  }
  expect(types).toEqual(['content', 'user_cancelled']);
});

test('tools are declared in the form of the model family, and calls in any form are accepted [T2]', () => {
  expect(getToolFamily('gemini-3-pro')).toBe('gemini-3');
  expect(getToolFamily('gemini-2.5-pro')).toBe('default-legacy');
  expect(getToolFamily('claude-sonnet-5')).toBe('anthropic');
  expect(getToolFamily('openai/gpt-5.1')).toBe('openai');
  const argumentsOf = (model: string, tool: string) => {
    const declared = getToolSet(model).find(({ name }) => name === tool);
    return Object.keys((declared?.parametersJsonSchema['properties'] ?? {}) as object);
  };
  expect(argumentsOf('gemini-3-pro', 'read_file')).toEqual(['file_path', 'start_line', 'end_line']);
  expect(argumentsOf('gemini-2.5-pro', 'read_file')).toEqual(['file_path', 'offset', 'limit']);
  expect(argumentsOf('gemini-2.5-pro', 'replace')).toContain('expected_replacements');
  expect(argumentsOf('gpt-5.1', 'replace')).toContain('allow_multiple');

  const registry = new ToolRegistry();
  registerBuiltInTools(registry);
  const declared = registry.getFunctionDeclarations('gemini-2.5-pro');
  expect(declared.find(({ name }) => name === 'read_file')?.parametersJsonSchema).toMatchObject({
    properties: { offset: {}, limit: {} },
  });
});

test('no declaration is larger than providers accept [T2]', () => {
  const longest = Math.max(
    ...['gemini-3-pro', 'gemini-2.5-pro', 'gpt-5.1', 'claude-x'].flatMap((model) =>
      getToolSet(model).map(({ description }) => description.length),
    ),
  );
  expect(longest).toBeLessThan(1_024);
});
