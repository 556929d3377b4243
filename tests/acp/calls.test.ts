import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { hooksFor, userSettings } from '../cli/hook-settings.js';
import { DONE, run, test, textsOf, wants, write } from './editor.js';

describe('a call', () => {
  test('in parallel with others is shown and asked about on its own [M5]', async ({ place, editor }) => {
    place.write('a.txt', 'A\n');
    const zed = await editor({
      model: [[write('l', '1'), write('r', '2'), wants('read_file', { file_path: 'a.txt' })], DONE],
      choose: async ({ toolCall }) => {
        await zed.until(() => zed.asked.length === 2, 'both questions');
        return toolCall.toolCallId === zed.asked[0]?.toolCall.toolCallId ? 'cancel' : 'proceed_once';
      },
    });
    const { sessionId } = await zed.newSession();
    await zed.prompt(sessionId);
    expect(zed.calls()).toMatchObject([
      { kind: 'edit', status: 'failed' },
      { kind: 'edit', status: 'completed' },
      { kind: 'read', status: 'completed', locations: [{ path: join(place.workspace, 'a.txt') }] },
    ]);
    expect([place.has('l'), place.has('r')]).toEqual([false, true]);
  });

  test('that fails is sent as failed, with its output; output is shown while it runs [M5]', async ({
    place,
    editor,
  }) => {
    const command = 'echo begun; while [ ! -e go ]; do sleep 0.02; done; echo broken >&2; exit 3';
    const zed = await editor({ model: [[run(command)], DONE], args: ['--mode', 'yolo'] });
    const { sessionId } = await zed.newSession();
    const prompted = zed.prompt(sessionId);
    await zed.until(() => textsOf(zed.calls()[0]).join().includes('begun'), 'live output');
    expect(zed.calls()[0]).toMatchObject({ status: 'in_progress' });
    place.write('go', '');
    await prompted;
    const [call] = zed.calls();
    expect(call).toMatchObject({ status: 'failed', rawOutput: { exitCode: 3 } });
    expect(textsOf(call).join('\n')).toMatch(/broken/);
  });

  test('that runs is ended when the prompt is cancelled, and sent as such [M5] [L5]', async ({
    place,
    editor,
  }) => {
    const zed = await editor({
      model: [[run('touch begun; sleep 60; touch never')], DONE],
      args: ['--mode', 'yolo'],
    });
    const { sessionId } = await zed.newSession();
    const prompted = zed.prompt(sessionId);
    await zed.until(() => place.has('begun'), 'the command');
    await zed.cancel(sessionId);
    expect(await prompted).toEqual({ stopReason: 'cancelled' });
    expect(zed.calls()).toMatchObject([{ status: 'failed' }]);
    expect(textsOf(zed.calls()[0])[0]).toBe('User cancelled tool execution.');
  });

  test('that a hook denies stays denied here, too [M5] [H2]', async ({ place, editor }) => {
    const deny = { matcher: 'write_file', command: 'echo "not today" >&2; exit 2' };
    userSettings(place, hooksFor({ BeforeTool: [deny] }));
    const zed = await editor({ model: [[write('a.txt', 'x')], DONE], args: ['--mode', 'yolo'] });
    const { sessionId } = await zed.newSession();
    await zed.prompt(sessionId);
    expect(zed.calls()).toMatchObject([{ status: 'failed' }]);
    expect(textsOf(zed.calls()[0])[0]).toContain('not today');
    expect([place.has('a.txt'), zed.asked]).toEqual([false, []]);
  });

  test('whose id the model uses again is another call to the editor [M5]', async ({ place, editor }) => {
    for (const name of ['a', 'b']) place.write(name, name);
    const read = (path: string) => wants('read_file', { file_path: path }, 'call_1');
    const zed = await editor({ model: [[read('a')], [read('b')], DONE] });
    const { sessionId } = await zed.newSession();
    await zed.prompt(sessionId);
    expect(zed.calls()).toMatchObject([{ rawInput: { file_path: 'a' } }, { rawInput: { file_path: 'b' } }]);
    await zed.load(sessionId);
    expect(zed.calls()).toHaveLength(2);
  });

  test('that edits without a question still shows what it changed [M5]', async ({ place, editor }) => {
    place.write('a.txt', '1\n2\n3\n');
    const replace = { file_path: 'a.txt', old_string: '2', new_string: 'two', instruction: 'Spell it out.' };
    const zed = await editor({ model: [[wants('replace', replace)], DONE], args: ['--mode', 'auto_edit'] });
    const { sessionId } = await zed.newSession();
    await zed.prompt(sessionId);
    const path = join(place.workspace, 'a.txt');
    expect(zed.calls()).toMatchObject([
      {
        content: [{ type: 'diff', path, oldText: '1\n2\n3\n', newText: '1\ntwo\n3\n' }],
        locations: [{ path }],
      },
    ]);
  });

  test('that writes a to-do list is shown as a plan [M5]', async ({ editor }) => {
    const todos = [
      { description: 'Look', status: 'completed' },
      { description: 'Fix', status: 'in_progress' },
      { description: 'Wait', status: 'blocked' },
      { description: 'Dream', status: 'cancelled' },
    ];
    const zed = await editor({ model: [[wants('write_todos', { todos })], DONE] });
    const { sessionId } = await zed.newSession();
    await zed.prompt(sessionId);
    const plan = zed.updates.find(({ update }) => update.sessionUpdate === 'plan')?.update;
    expect(plan).toMatchObject({
      entries: [
        { content: 'Look', status: 'completed' },
        { content: 'Fix', status: 'in_progress' },
        { content: 'Wait', status: 'pending' },
      ],
    });
  });
});
