import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { methods } from '@agentclientprotocol/sdk';
import { describe, expect } from 'vitest';
import type { Place } from '../cli/program.js';
import { DONE, run, says, test, textsOf, thinks, wants, write } from './editor.js';

const waiting = async (place: Place) => {
  const { lines } = await place.run(['approvals', 'list', '--json']);
  return lines;
};

describe('a session resumed', () => {
  test('after kill -9 replays the conversation, and asks the same question again [M5] [A6]', async ({
    place,
    editor,
  }) => {
    const model = [[thinks('Hm.'), says('I write.'), write('a.txt', 'x\n')], DONE];
    const before = await editor({ model });
    const { sessionId } = await before.newSession();
    before.prompt(sessionId, 'Write it.').catch(() => {});
    await before.until(() => before.asked.length === 1, 'a question');
    await before.kill();
    expect(place.has('a.txt')).toBe(false);

    const after = await editor({ model: [DONE], choose: () => 'proceed_once' });
    expect(await after.load(sessionId)).toMatchObject({ modes: { currentModeId: 'manual' } });
    expect(after.kinds()).toEqual([
      'user_message_chunk',
      'agent_thought_chunk',
      'agent_message_chunk',
      'tool_call',
    ]);
    expect([after.words('user_message_chunk'), after.words('agent_message_chunk')]).toEqual([
      'Write it.',
      'I write.',
    ]);
    await after.until(() => after.calls()[0]?.status === 'completed', 'the call');
    expect(after.asked[0]?.toolCall.toolCallId).toBe(before.asked[0]?.toolCall.toolCallId);
    expect(after.asked[0]?.options).toEqual(before.asked[0]?.options);
    expect(place.read('a.txt')).toBe('x\n');
    expect(await after.prompt(sessionId, 'And?')).toEqual({ stopReason: 'end_turn' });
  });

  test('waits with a new prompt until its open calls are over [M5]', async ({ place, editor }) => {
    const before = await editor({ model: [[write('a.txt', 'x')]] });
    const { sessionId } = await before.newSession();
    before.prompt(sessionId).catch(() => {});
    await before.until(() => before.asked.length === 1, 'a question');
    await before.kill();
    let mayDecide = false;
    const after = await editor({
      model: [DONE],
      choose: async () => {
        await after.until(() => mayDecide, 'the moment to decide');
        return 'proceed_once';
      },
    });
    await after.load(sessionId);
    const prompted = after.prompt(sessionId);
    await after.until(() => after.asked.length === 1, 'the question again');
    expect(after.words('agent_message_chunk')).toBe('');
    mayDecide = true;
    expect(await prompted).toEqual({ stopReason: 'end_turn' });
    expect([place.has('a.txt'), after.words('agent_message_chunk')]).toEqual([true, 'Done.']);
  });

  test('shows how each call ended, edits as diffs, and the last plan [M5]', async ({ place, editor }) => {
    place.write('a.txt', 'old\n');
    const todos = [{ description: 'Look', status: 'pending' }];
    const model = [[write('a.txt', 'new\n'), run('exit 4'), wants('write_todos', { todos })], DONE];
    const first = await editor({ model, args: ['--mode', 'yolo'] });
    const { sessionId } = await first.newSession();
    await first.prompt(sessionId);
    await first.close();
    const second = await editor({ model: [] });
    await second.load(sessionId);
    const path = join(place.workspace, 'a.txt');
    expect(second.calls()).toMatchObject([
      {
        title: expect.stringContaining('a.txt'),
        status: 'completed',
        content: [{ type: 'diff', path, oldText: 'old\n', newText: 'new\n' }],
      },
      { title: expect.stringContaining('exit 4'), status: 'failed', rawOutput: { exitCode: 4 } },
      { status: 'completed' },
    ]);
    expect(second.updates.at(-1)?.update).toMatchObject({
      sessionUpdate: 'plan',
      entries: [{ content: 'Look' }],
    });
    expect(second.kinds().filter((kind) => kind === 'tool_call_update')).toEqual([]);
  });

  test('in the same connection is shown again, and its question asked again [M5]', async ({
    place,
    editor,
  }) => {
    const zed = await editor({
      model: [[write('a.txt', 'x')], DONE],
      choose: () => (zed.asked.length === 1 ? new Promise(() => {}) : 'proceed_once'),
    });
    const { sessionId } = await zed.newSession();
    const prompted = zed.prompt(sessionId, 'Write it.');
    await zed.until(() => zed.asked.length === 1, 'a question');
    await zed.load(sessionId);
    expect(await prompted).toEqual({ stopReason: 'end_turn' });
    const ids = zed.asked.map(({ toolCall }) => toolCall.toolCallId);
    expect([new Set(ids).size, ids.length, zed.withdrawn]).toEqual([1, 2, [ids[0]]]);
    expect([place.read('a.txt'), zed.words('user_message_chunk')]).toEqual(['x', 'Write it.']);
  });

  test('without its history is silent, and continues anyway [M5]', async ({ place, editor }) => {
    const first = await editor({ model: [DONE] });
    const { sessionId } = await first.newSession();
    await first.prompt(sessionId);
    await first.close();
    const second = await editor({ model: [[says('Again.')]] });
    const { session } = methods.agent;
    await second.agent.request(session.resume, { sessionId, cwd: place.workspace });
    expect(second.updates).toEqual([]);
    await second.prompt(sessionId);
    expect(second.words('agent_message_chunk')).toBe('Again.');
  });

  test('is found in the list of its folder, by its first words [M5]', async ({ place, editor }) => {
    const zed = await editor({ model: [DONE] });
    const { sessionId } = await zed.newSession();
    await zed.newSession();
    await zed.prompt(sessionId, 'Fix the roof.');
    const { list } = methods.agent.session;
    const found = await zed.agent.request(list, { cwd: place.workspace });
    expect(found).toEqual({
      sessions: [{ sessionId, cwd: place.workspace, title: 'Fix the roof.', updatedAt: expect.any(String) }],
    });
    expect(await zed.agent.request(list, { cwd: '/' })).toEqual({ sessions: [] });
    await expect(zed.agent.request(list, { cursor: 'x' })).rejects.toMatchObject({ code: -32602 });
  });

  test('must exist, be free, and be of this folder [M5]', async ({ place, editor }) => {
    const zed = await editor({ model: [DONE] });
    const { sessionId } = await zed.newSession();
    const other = await editor({ model: [DONE] });
    await expect(other.load('none')).rejects.toMatchObject({ code: -32002, data: { sessionId: 'none' } });
    await expect(other.load(sessionId)).rejects.toMatchObject({ data: { type: 'session_owned' } });
    await zed.close();
    const elsewhere = { sessionId, cwd: place.directory, mcpServers: [] };
    const { load } = methods.agent.session;
    await expect(other.agent.request(load, elsewhere)).rejects.toThrow(place.workspace);
    await expect(other.prompt(sessionId)).rejects.toMatchObject({ code: -32002 });
    await expect(other.load(sessionId)).resolves.toMatchObject({ modes: {} });
  });
});

describe('the end', () => {
  test('of the input cancels what runs and keeps what waits [M5] [A6]', async ({ place, editor }) => {
    const zed = await editor({
      model: [[run('touch begun; sleep 60'), write('a.txt', 'x')], DONE],
      choose: ({ toolCall }) => (toolCall.kind === 'execute' ? 'proceed_once' : new Promise(() => {})),
    });
    const { sessionId } = await zed.newSession();
    zed.prompt(sessionId).catch(() => {});
    await zed.until(() => place.has('begun'), 'the command');
    expect(await zed.close()).toBe(0);
    expect(await waiting(place)).toMatchObject([{ id: expect.stringContaining(sessionId) }]);
    const again = await editor({ model: [DONE] });
    await again.load(sessionId);
    const [command, edit] = again.calls();
    expect([command?.status, edit?.status]).toEqual(['failed', 'pending']);
    expect(textsOf(command)[0]).toBe(
      'The program that ran this call was ended by a signal or by its caller.',
    );
  });

  test('of one session by the editor cancels all of it, and leaves it free for others [M5]', async ({
    place,
    editor,
  }) => {
    const zed = await editor({ model: [[write('a.txt', 'x')], DONE] });
    const { sessionId } = await zed.newSession();
    const prompted = zed.prompt(sessionId);
    await zed.until(() => zed.asked.length === 1, 'a question');
    await zed.agent.request(methods.agent.session.close, { sessionId });
    expect(await prompted).toEqual({ stopReason: 'cancelled' });
    expect(await waiting(place)).toEqual([]);
    await expect(zed.load(sessionId)).resolves.toMatchObject({ modes: {} });
  });
});

test('two sessions work at once, each in its own folder [M5]', async ({ place, editor }) => {
  const folders = ['left', 'right'].map((name) => join(place.workspace, name));
  for (const folder of folders) mkdirSync(folder);
  const zed = await editor({
    model: [[write('a.txt', 'x')], DONE],
    choose: async ({ toolCall }) => {
      await zed.until(() => zed.asked.length === 2, 'a question of each');
      return toolCall.locations?.[0]?.path.includes('left') ? 'proceed_once' : 'cancel';
    },
  });
  const sessions = await Promise.all(folders.map((folder) => zed.newSession(folder)));
  const ends = await Promise.all(sessions.map(({ sessionId }) => zed.prompt(sessionId)));
  expect(ends).toEqual([{ stopReason: 'end_turn' }, { stopReason: 'end_turn' }]);
  expect([place.has('left/a.txt'), place.has('right/a.txt')]).toEqual([true, false]);
  const statuses = sessions.map(({ sessionId }) => zed.calls(sessionId).map(({ status }) => status));
  expect(statuses).toEqual([['completed'], ['failed']]);
});

test('modes are ours, and every change of them is sent, from any client [M5]', async ({ place, editor }) => {
  const reason = 'Many files change.';
  const zed = await editor({
    model: [[write('a.txt', 'x')], DONE, [wants('enter_plan_mode', { reason })], DONE],
    choose: () => 'proceed_once',
  });
  const { sessionId, modes } = await zed.newSession();
  expect(modes).toMatchObject({ currentModeId: 'manual' });
  expect(modes?.availableModes.map(({ id }) => id)).toEqual([
    'plan',
    'manual',
    'auto_edit',
    'yolo',
    'confirm_always',
  ]);
  const { setMode } = methods.agent.session;
  await zed.agent.request(setMode, { sessionId, modeId: 'auto_edit' });
  await zed.prompt(sessionId);
  expect([place.has('a.txt'), zed.asked]).toEqual([true, []]);
  await zed.prompt(sessionId);
  const sent = zed.updates.flatMap(({ update }) =>
    update.sessionUpdate === 'current_mode_update' ? [update.currentModeId] : [],
  );
  expect(sent).toEqual(['auto_edit', 'plan']);
  await expect(zed.agent.request(setMode, { sessionId, modeId: 'god' })).rejects.toMatchObject({
    code: -32602,
  });
});

test('an approval of a plan chooses how it is carried out [M5]', async ({ place, editor }) => {
  place.write('.countersign/plans/p.md', '# The plan\n');
  const zed = await editor({
    model: [[wants('exit_plan_mode', { plan_filename: 'p.md' })], [write('a.txt', 'x')], DONE],
    args: ['--mode', 'plan'],
    choose: ({ options }) => options.find(({ name }) => name.includes('allow edits'))?.optionId ?? null,
  });
  const { sessionId } = await zed.newSession();
  await zed.prompt(sessionId);
  expect(textsOf(zed.asked[0]?.toolCall)[0]).toContain('# The plan');
  expect(zed.asked[0]?.toolCall.kind).toBe('switch_mode');
  expect(zed.updates).toContainEqual({
    sessionId,
    update: { sessionUpdate: 'current_mode_update', currentModeId: 'auto_edit' },
  });
  expect(place.has('a.txt')).toBe(true);
});
