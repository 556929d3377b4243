import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { methods } from '@agentclientprotocol/sdk';
import { describe, expect } from 'vitest';
import { hooksFor, saying, userSettings } from '../cli/hook-settings.js';
import { DONE, says, test, wants, write } from './editor.js';

describe('a prompt', () => {
  test('may hold pictures, links and attached files [M5]', async ({ place, editor }) => {
    const zed = await editor({ model: [DONE] });
    const { sessionId } = await zed.newSession();
    const uri = pathToFileURL(join(place.workspace, 'src/a b.ts')).href;
    await zed.agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [
        { type: 'text', text: 'Look: ' },
        { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
        { type: 'resource_link', name: 'a b.ts', uri },
        { type: 'resource', resource: { uri, text: 'const a = "```";\n' } },
        { type: 'resource', resource: { uri: 'zed://x', blob: 'AAAA', mimeType: 'application/zip' } },
      ],
    });
    await zed.load(sessionId);
    const said = zed.updates.flatMap(({ update }) =>
      update.sessionUpdate === 'user_message_chunk' ? [update.content] : [],
    );
    expect(said).toEqual([
      { type: 'text', text: 'Look: ' },
      { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
      { type: 'text', text: 'Linked: a b.ts (src/a b.ts)' },
      { type: 'text', text: 'Attached: src/a b.ts\n````\nconst a = "```";\n````' },
      { type: 'text', text: 'Attached, but not shown: zed://x (application/zip)' },
    ]);
  });

  test('that is empty, holds sound or comes on top of another is refused with what is wrong [M5]', async ({
    editor,
  }) => {
    const zed = await editor({ model: [[write('a.txt', 'x')], DONE] });
    const { sessionId } = await zed.newSession();
    const { prompt } = methods.agent.session;
    const sound = { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' } as const;
    for (const [blocks, problem] of [
      [[], 'the prompt is empty'],
      [[sound], 'audio'],
    ] as const)
      await expect(zed.agent.request(prompt, { sessionId, prompt: [...blocks] })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(problem),
        data: { type: 'invalid_request', hint: expect.any(String) },
      });
    const first = zed.prompt(sessionId);
    await expect(zed.prompt(sessionId)).rejects.toThrow('cancel that one first');
    await zed.until(() => zed.asked.length === 1, 'a question');
    await zed.cancel(sessionId);
    expect(await first).toEqual({ stopReason: 'cancelled' });
  });

  test('that is cancelled at once does nothing [M5]', async ({ place, editor }) => {
    const zed = await editor({ model: [[write('a.txt', 'x')], DONE], args: ['--mode', 'yolo'] });
    const { sessionId } = await zed.newSession();
    const prompted = zed.prompt(sessionId);
    await zed.cancel(sessionId);
    expect(await prompted).toEqual({ stopReason: 'cancelled' });
    expect(place.has('a.txt')).toBe(false);
  });

  test('may be cancelled as a request, too [M5]', async ({ place, editor }) => {
    const zed = await editor({ model: [[write('a.txt', 'x')], DONE] });
    const { sessionId } = await zed.newSession();
    const stop = new AbortController();
    const params = { sessionId, prompt: [{ type: 'text' as const, text: 'Go.' }] };
    const cancellationSignal = stop.signal;
    const prompted = zed.agent.request(methods.agent.session.prompt, params, { cancellationSignal });
    await zed.until(() => zed.asked.length === 1, 'a question');
    stop.abort();
    expect(await prompted).toEqual({ stopReason: 'cancelled' });
    expect(place.has('a.txt')).toBe(false);
  });

  test('that a hook refuses is a refusal, with its reason [M5] [H1]', async ({ place, editor }) => {
    userSettings(place, hooksFor({ BeforeAgent: [{ command: 'echo "no work on Mondays" >&2; exit 2' }] }));
    const zed = await editor({ model: [DONE] });
    const { sessionId } = await zed.newSession();
    expect(await zed.prompt(sessionId)).toEqual({ stopReason: 'refusal' });
    expect(zed.words('agent_message_chunk')).toContain('no work on Mondays');
  });

  test('that the model cannot answer is an error with the reason [M5]', async ({ editor }) => {
    const zed = await editor({ model: [] });
    const { sessionId } = await zed.newSession();
    await expect(zed.prompt(sessionId)).rejects.toMatchObject({
      code: -32603,
      data: { type: 'model_rejected' },
    });
  });

  test('that reaches a limit names it [M5]', async ({ place, editor }) => {
    place.write('a.txt', 'x');
    const read = wants('read_file', { file_path: 'a.txt' });
    const zed = await editor({ model: [[read], [read], DONE], args: ['--max-turns', '1'] });
    const { sessionId } = await zed.newSession();
    expect(await zed.prompt(sessionId)).toEqual({ stopReason: 'max_turn_requests' });
    expect(zed.words('agent_message_chunk')).toMatch(/\b1\b/);

    const cut = await editor({ model: [{ parts: [says('And then')], finishReason: 'MAX_TOKENS' }] });
    const other = await cut.newSession();
    expect(await cut.prompt(other.sessionId)).toEqual({ stopReason: 'max_tokens' });
  });

  test('is not needed for the hooks of a session to run at its start [M5] [H1]', async ({
    place,
    editor,
  }) => {
    const keeping = { command: 'cat > start.json; echo "Welcome back."' };
    userSettings(place, hooksFor({ SessionStart: [keeping], SessionEnd: [{ command: 'cat > end.json' }] }));
    const zed = await editor({ model: [DONE], can: { session: { notices: {} } } });
    const { sessionId } = await zed.newSession();
    const update = { sessionUpdate: 'notice', severity: 'info', title: 'Welcome back.' };
    await zed.until(() => JSON.stringify(zed.updates).includes('Welcome back.'), 'the message of the hook');
    expect(zed.updates).toContainEqual({ sessionId, update });
    expect(JSON.parse(place.read('start.json'))).toMatchObject({ source: 'startup', session_id: sessionId });
    await zed.close();
    expect(JSON.parse(place.read('end.json'))).toMatchObject({ reason: 'exit' });
  });

  test('sends notices apart from the answer where the editor shows them [M5]', async ({ place, editor }) => {
    userSettings(place, hooksFor({ BeforeAgent: [{ command: saying({ systemMessage: 'Be kind.' }) }] }));
    const zed = await editor({ model: [DONE], can: { session: { notices: {} } } });
    const { sessionId } = await zed.newSession();
    await zed.prompt(sessionId);
    const update = { sessionUpdate: 'notice', severity: 'info', title: 'Be kind.' };
    expect(zed.updates).toContainEqual({ sessionId, update });
    expect(zed.words('agent_message_chunk')).toBe('Done.');
  });
});
