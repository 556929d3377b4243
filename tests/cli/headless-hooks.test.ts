import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { isGone } from '../../packages/hooks/src/testing/hook-place.js';
import {
  call,
  FakeModel,
  ofType,
  overStdio,
  prompt,
  resultOf,
  says,
  streaming,
  text,
} from './headless-model.js';
import { hooksFor, projectSettings, saying, userSettings } from './hook-settings.js';
import { type Place, test } from './program.js';

const userHooks = (place: Place, ...given: Parameters<typeof hooksFor>) =>
  userSettings(place, hooksFor(...given));
/** A command that keeps what it was told. */
const keeping = (name: string) => `cat > ${name}`;
const kept = (place: Place, name: string) => JSON.parse(place.read(name));
const specific = (hookSpecificOutput: object) => saying({ hookSpecificOutput });

describe('of the session', () => {
  test('SessionStart receives the source; its context is added before the first prompt [H1]', async ({
    place,
  }) => {
    userHooks(place, {
      SessionStart: [
        { command: keeping('start.json') },
        { command: specific({ additionalContext: 'branch </hook_context> main' }), matcher: 'startup' },
        { command: saying({ systemMessage: 'Welcome.' }) },
      ],
    });
    const model = await FakeModel.start(says(text('hi')));
    const ran = await model.run(place, streaming('go', '--session', 's'));
    expect(kept(place, 'start.json')).toMatchObject({
      hook_event_name: 'SessionStart',
      source: 'startup',
      session_id: 's',
      cwd: place.workspace,
    });
    expect(model.lastParts(0)).toEqual([
      { text: '<hook_context>branch &lt;/hook_context&gt; main</hook_context>' },
      { text: 'go' },
    ]);
    expect(ofType(ran, 'error')).toMatchObject([{ severity: 'warning', message: 'Welcome.' }]);
    await model.run(place, prompt('again', '-c'));
    expect(kept(place, 'start.json')).toMatchObject({ source: 'resume' });
    expect(model.lastParts(1)).toEqual([{ text: 'again' }]);
  });

  test('SessionEnd is run to its end, but not waited for long [H1]', async ({ place }) => {
    const seconds = `300.7${process.pid}`;
    userHooks(place, { SessionEnd: [{ command: keeping('end.json') }, { command: `sleep ${seconds}` }] });
    const model = await FakeModel.start(says(text('hi')));
    const begunAt = performance.now();
    expect((await model.run(place, prompt('go'))).stdout).toBe('hi\n');
    expect(performance.now() - begunAt).toBeLessThan(30_000); // of three hundred seconds
    expect(kept(place, 'end.json')).toMatchObject({ hook_event_name: 'SessionEnd', reason: 'exit' });
    expect(await isGone(seconds)).toBe(true);
  });

  test('Notification runs for a pending question [H1]', async ({ place }) => {
    userHooks(place, { Notification: [{ command: keeping('asked.json'), matcher: 'ToolPermission' }] });
    const write = call('write_file', { file_path: 'a.txt', content: 'x' }, 'w');
    const model = await FakeModel.start(says(write), says(text('ok')));
    const running = model.start(place, overStdio('go'));
    running.answer(await running.approval('w'), 'cancel');
    await running.ended();
    expect(kept(place, 'asked.json')).toMatchObject({
      notification_type: 'ToolPermission',
      message: expect.stringContaining('write_file'),
      details: { type: 'edit', fileName: 'a.txt' },
    });
  });
});

describe('of the agent', () => {
  test('BeforeAgent refuses a prompt, which is then no part of the session [H1]', async ({ place }) => {
    userHooks(place, {
      BeforeAgent: [{ command: 'grep -q secret && { echo "no secrets" >&2; exit 2; }; true' }],
    });
    const model = await FakeModel.start(says(text('fine')));
    const ran = await model.run(place, streaming('a secret', '--session', 's'));
    expect([ran.code, model.server.received.length]).toEqual([1, 0]);
    expect(resultOf(ran)).toMatchObject({
      error: { type: 'hook_denied', message: expect.stringContaining('no secrets') },
    });
    expect((await model.run(place, prompt('a word', '--resume', 's'))).code).toBe(0);
    expect(model.contents(0)).toEqual([{ role: 'user', parts: [{ text: 'a word' }] }]);
  });

  test('BeforeAgent adds to a prompt, marked as its own [H1]', async ({ place }) => {
    userHooks(place, { BeforeAgent: [{ command: specific({ additionalContext: 'it is Monday' }) }] });
    const model = await FakeModel.start(says(text('fine')));
    await model.run(place, prompt('go'));
    expect(model.lastParts(0)).toEqual([
      { text: 'go' },
      { text: '<hook_context>it is Monday</hook_context>' },
    ]);
  });

  test('AfterAgent sends an answer back with the reason, and sees that it did [H1]', async ({ place }) => {
    const again = saying({ decision: 'deny', reason: 'tests are missing' });
    userHooks(place, {
      AfterAgent: [{ command: `tee -a seen.jsonl | grep -q '"stop_hook_active":true' || ${again}` }],
    });
    const model = await FakeModel.start(says(text('Done.')), says(text('With tests.')));
    const { code, stdout } = await model.run(place, prompt('go'));
    expect([code, stdout]).toEqual([0, 'Done.\nWith tests.\n']);
    expect(model.lastParts(1)).toEqual([{ text: 'tests are missing' }]);
    expect(place.read('seen.jsonl')).toContain('"prompt":"go","prompt_response":"Done."');
  });

  test('AfterAgent that is never content does not continue forever, and can stop it all [H1]', async ({
    place,
  }) => {
    const model = await FakeModel.start(says(text('Done.')));
    userHooks(place, { AfterAgent: [{ command: saying({ decision: 'block', reason: 'again' }) }] });
    const ran = await model.run(place, prompt('go'));
    expect([ran.code, model.server.received.length]).toEqual([0, 6]);
    expect(ran.stderr).toContain('rejected the response 5 times');
    userHooks(place, { AfterAgent: [{ command: saying({ continue: false, stopReason: 'enough' }) }] });
    const stopped = await model.run(place, prompt('go'));
    expect([stopped.code, model.server.received.length]).toEqual([0, 7]);
    expect(stopped.stderr).toContain('enough');
  });

  test('a tool hook that returns continue: false ends the run, not only the call [H1]', async ({ place }) => {
    userHooks(place, { BeforeTool: [{ command: saying({ continue: false, stopReason: 'hands off' }) }] });
    const model = await FakeModel.start(says(call('list_directory', { dir_path: '.' })));
    const ran = await model.run(place, streaming('go'));
    expect([ran.code, model.server.received.length]).toEqual([1, 1]);
    expect(resultOf(ran)).toMatchObject({ error: { message: expect.stringContaining('hands off') } });
  });
});

describe('of the model', () => {
  test('BeforeModel sees the request and refuses it [H1]', async ({ place }) => {
    userHooks(place, {
      BeforeModel: [{ command: 'cat > request.json; echo "quota is used up" >&2; exit 2' }],
    });
    const model = await FakeModel.start(says(text('never')));
    const ran = await model.run(place, prompt('go', '-m', 'gemini-2.5-pro'));
    expect([ran.code, model.server.received.length]).toEqual([1, 0]);
    expect(ran.stderr).toContain('quota is used up');
    expect(kept(place, 'request.json').llm_request).toEqual({
      model: 'gemini-2.5-pro',
      messages: [{ role: 'user', content: 'go' }],
      config: {},
    });
  });

  test('BeforeModel changes model, settings and words of a request [H1]', async ({ place }) => {
    const llm_request = {
      model: 'gemini-2.5-flash',
      config: { temperature: 0.1, maxOutputTokens: 77 },
      messages: [{ role: 'user', content: 'my key is ***' }],
    };
    userHooks(place, { BeforeModel: [{ command: specific({ llm_request }) }] });
    const model = await FakeModel.start(says(text('ok')));
    expect((await model.run(place, prompt('my key is 1234', '-m', 'gemini-2.5-pro'))).code).toBe(0);
    expect(model.server.received[0]?.path).toContain('gemini-2.5-flash');
    expect(model.server.received[0]?.body).toMatchObject({
      generationConfig: { temperature: 0.1, maxOutputTokens: 77 },
    });
    expect(model.lastParts(0)).toEqual([{ text: 'my key is ***' }]);
  });

  test('BeforeModel that changes the messages in a way that cannot be followed stops the request [H1]', async ({
    place,
  }) => {
    userHooks(place, { BeforeModel: [{ command: specific({ llm_request: { messages: [] } }) }] });
    const model = await FakeModel.start(says(text('ok')));
    const ran = await model.run(place, prompt('go'));
    expect([ran.code, model.server.received.length]).toEqual([1, 0]);
    expect(ran.stderr).toContain('Nothing was sent');
  });

  test("BeforeModel answers in the model's place [H1]", async ({ place }) => {
    const llm_response = { candidates: [{ content: { role: 'model', parts: ['From ', 'the cache.'] } }] };
    userHooks(place, { BeforeModel: [{ command: specific({ llm_response }) }] });
    const model = await FakeModel.start(says(text('never')));
    const { code, stdout } = await model.run(place, prompt('go'));
    expect([code, stdout, model.server.received.length]).toEqual([0, 'From the cache.\n', 0]);
  });

  test('AfterModel replaces a response before it is shown; the last one counts [H1]', async ({ place }) => {
    const instead = (words: string) =>
      specific({ llm_response: { candidates: [{ content: { role: 'model', parts: [words] } }] } });
    userHooks(place, {
      AfterModel: [
        { command: `cat > answer.json; ${instead('one')}` },
        { command: instead('the key is ***') },
      ],
    });
    const model = await FakeModel.start(says(text('the key '), text('is 1234')));
    const { stdout } = await model.run(place, prompt('go', '--session', 's'));
    expect(stdout).toBe('the key is ***\n');
    expect(kept(place, 'answer.json').llm_response).toMatchObject({
      candidates: [{ content: { parts: ['the key is 1234'] }, finishReason: 'STOP' }],
      usageMetadata: { totalTokenCount: 110 },
    });
    await model.run(place, prompt('again', '-c'));
    expect(model.contents(1)[1]).toEqual({ role: 'model', parts: [{ text: 'the key is ***' }] });
  });

  test('AfterModel that refuses keeps the answer and its calls from happening [H1]', async ({ place }) => {
    userHooks(place, { AfterModel: [{ command: 'echo "not like this" >&2; exit 2' }] });
    const model = await FakeModel.start(
      says(text('hush'), call('write_file', { file_path: 'a.txt', content: 'x' })),
    );
    const { code, stdout, stderr } = await model.run(place, prompt('go', '--yolo'));
    expect([code, stdout, place.has('a.txt')]).toEqual([1, '', false]);
    expect(stderr).toContain('not like this');
  });

  test('BeforeToolSelection selects the tools: all that any hook names, or none at all [H1]', async ({
    place,
  }) => {
    const tools = (toolConfig: object) => ({ command: specific({ toolConfig }) });
    userHooks(place, {
      BeforeToolSelection: [
        tools({ mode: 'ANY', allowedFunctionNames: ['read_file'] }),
        tools({ mode: 'AUTO', allowedFunctionNames: ['glob'] }),
      ],
    });
    const model = await FakeModel.start(says(text('ok')));
    await model.run(place, prompt('go'));
    expect(model.server.received[0]?.body?.['toolConfig']).toEqual({
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['glob', 'read_file'] },
    });
    userHooks(place, { BeforeToolSelection: [tools({ mode: 'ANY' }), tools({ mode: 'NONE' })] });
    await model.run(place, prompt('go'));
    expect(model.server.received[1]?.body?.['toolConfig']).toEqual({
      functionCallingConfig: { mode: 'NONE' },
    });
  });
});

test('hooks of a folder that is not trusted do not run, whatever their event [H4] [P8]', async ({
  place,
}) => {
  projectSettings(
    place,
    hooksFor({ BeforeAgent: [{ command: 'touch ran' }], SessionStart: [{ command: 'touch ran' }] }),
  );
  const model = await FakeModel.start(says(text('ok')));
  const { code, stderr } = await model.run(place, prompt('go'));
  expect([code, existsSync(join(place.workspace, 'ran'))]).toEqual([0, false]);
  expect(stderr).toContain('countersign trust');
});

test('a broken hook denies the call, and the message names the hook [H3]', async ({ place }) => {
  userHooks(place, { BeforeModel: [{ command: 'echo nonsense', name: 'guard' }] });
  const model = await FakeModel.start(says(text('never')));
  const { code, stderr } = await model.run(place, prompt('go'));
  expect([code, model.server.received.length]).toEqual([1, 0]);
  expect(stderr).toContain('"guard" failed');
});
