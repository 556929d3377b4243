import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { DONE, run, says, test, textsOf, thinks, wants, write } from './editor.js';

describe('a question', () => {
  test('shows an edit as a diff before it is made, and it is made once it is approved [M5] [A1]', async ({
    place,
    editor,
  }) => {
    place.write('a.txt', 'old\n');
    let seenBefore = '';
    const zed = await editor({
      model: [[thinks('Easy.'), says('I change it.'), write('a.txt', 'new\n')], DONE],
      choose: () => {
        seenBefore = place.read('a.txt');
        return 'proceed_once';
      },
    });
    const { sessionId } = await zed.newSession();
    expect(await zed.prompt(sessionId)).toEqual({ stopReason: 'end_turn' });
    expect([seenBefore, place.read('a.txt')]).toEqual(['old\n', 'new\n']);
    const path = join(place.workspace, 'a.txt');
    const diff = { type: 'diff', path, oldText: 'old\n', newText: 'new\n' };
    const [asked] = zed.asked;
    expect(asked).toMatchObject({
      sessionId,
      toolCall: { kind: 'edit', status: 'pending', locations: [{ path }], content: [diff, {}] },
    });
    const { toolCallId } = asked?.toolCall ?? {};
    expect(zed.calls()).toMatchObject([{ toolCallId, status: 'completed', kind: 'edit', content: [diff] }]);
    expect(zed.words('agent_thought_chunk')).toBe('Easy.');
    expect(zed.words('agent_message_chunk')).toBe('I change it.Done.');
    expect(zed.kinds().slice(0, 3)).toEqual(['agent_thought_chunk', 'agent_message_chunk', 'tool_call']);
    expect([await zed.close(), zed.stderr]).toEqual([0, '']);
  });

  test('that is declined leaves the file alone, and the model is informed [M5] [A2]', async ({
    place,
    editor,
  }) => {
    const zed = await editor({ model: [[write('a.txt', 'x')], DONE], choose: () => 'cancel' });
    const { sessionId } = await zed.newSession();
    expect(await zed.prompt(sessionId)).toEqual({ stopReason: 'end_turn' });
    expect(place.has('a.txt')).toBe(false);
    expect(zed.calls()).toMatchObject([
      { status: 'failed', rawOutput: { error: 'User did not allow tool call' } },
    ]);
    expect(textsOf(zed.calls()[0])).toEqual(['User did not allow tool call']);
    expect(zed.words('agent_message_chunk')).toBe('Done.');
  });

  test('that is dismissed stops the agent, and nothing is done [M5]', async ({ place, editor }) => {
    const zed = await editor({ model: [[write('a.txt', 'x')], DONE], choose: () => null });
    const { sessionId } = await zed.newSession();
    expect(await zed.prompt(sessionId)).toEqual({ stopReason: 'cancelled' });
    expect([place.has('a.txt'), zed.words('agent_message_chunk')]).toEqual([false, '']);
  });

  test('answered with something that was not on offer is declined [M5]', async ({ place, editor }) => {
    const zed = await editor({ model: [[write('a.txt', 'x')], DONE], choose: () => 'proceed_always_server' });
    const { sessionId } = await zed.newSession();
    await zed.prompt(sessionId);
    expect(place.has('a.txt')).toBe(false);
    expect(textsOf(zed.calls()[0])[0]).toContain('"proceed_always_server", which the question did not offer');
  });

  test('that the editor cannot show is declined, not waited for [M5]', async ({ place, editor }) => {
    const zed = await editor({
      model: [[write('a.txt', 'x')], DONE],
      choose: () => {
        throw new Error('no window');
      },
    });
    const { sessionId } = await zed.newSession();
    await zed.prompt(sessionId);
    expect(place.has('a.txt')).toBe(false);
    expect(textsOf(zed.calls()[0])[0]).toContain('the editor could not show the question');
  });

  test('offers our outcomes, each "always" with what it would allow, and keeps to it [M5] [A2]', async ({
    place,
    editor,
  }) => {
    const zed = await editor({
      model: [[write('a.txt', '1')], [write('b.txt', '2')], [run('touch c')], DONE],
      choose: ({ toolCall }) => (toolCall.kind === 'edit' ? 'proceed_always' : 'cancel'),
    });
    const { sessionId } = await zed.newSession();
    await zed.prompt(sessionId);
    const [edit, command, ...others] = zed.asked;
    expect(edit?.options).toMatchObject([
      { optionId: 'proceed_once', kind: 'allow_once' },
      { optionId: 'proceed_always', kind: 'allow_always', name: expect.stringContaining('for this session') },
      { optionId: 'proceed_always_and_save', kind: 'allow_always' },
      {
        optionId: 'proceed_always user',
        kind: 'allow_always',
        name: expect.stringContaining('in every session of every workspace'),
      },
      { optionId: 'cancel', kind: 'reject_once' },
    ]);
    expect(textsOf(command?.toolCall)[0]).toContain('touch c');
    expect([place.has('a.txt'), place.has('b.txt'), place.has('c'), others]).toEqual([true, true, false, []]);
  });

  test('offers exactly a command besides its beginning, each in every scope [M5] [P6]', async ({
    place,
    editor,
  }) => {
    const zed = await editor({
      model: [[run('git push origin main')], DONE],
      choose: () => 'proceed_always user',
    });
    const { sessionId } = await zed.newSession();
    await zed.prompt(sessionId);
    const always = zed.asked[0]?.options.filter(({ kind }) => kind === 'allow_always') ?? [];
    const scopes = [
      'for this session',
      'in every session of this workspace',
      'in every session of every workspace',
    ];
    for (const [covers, first] of [
      ['Always allow: exactly `git push origin main`, ', 0],
      ['Always allow: commands that begin with `git push origin main`, ', 3],
    ] as const)
      for (const [index, scope] of scopes.entries()) {
        expect(always[first + index]?.name.startsWith(covers)).toBe(true);
        expect(always[first + index]?.name.endsWith(scope)).toBe(true);
      }
    expect(always).toHaveLength(6);
    expect((await place.run(['grants', 'list', '--json'])).lines).toMatchObject([
      { scope: 'user', text: 'exactly `git push origin main`' },
    ]);
  });

  test('shows invisible characters in the editor [A7]', async ({ editor }) => {
    const zed = await editor({
      model: [[run('echo ```[x](http://y)\u202e\n```')], DONE],
      choose: () => 'cancel',
    });
    const { sessionId } = await zed.newSession();
    await zed.prompt(sessionId);
    const [text = ''] = textsOf(zed.asked[0]?.toolCall);
    expect(text).toMatch(/^\*\*Warning:\*\* .*direction/);
    expect(text).toContain('\n````\necho ```[x](http://y)');
    expect(text).not.toContain('\u202e');
  });

  test('answered by another client is withdrawn in the editor, and the work continues [M5] [A5]', async ({
    place,
    editor,
  }) => {
    const zed = await editor({ model: [[write('a.txt', 'x')], DONE] });
    const { sessionId } = await zed.newSession();
    const prompted = zed.prompt(sessionId);
    await zed.until(() => zed.asked.length === 1, 'a question');
    const toolCallId = zed.asked[0]?.toolCall.toolCallId ?? '';
    const { code } = await place.run(['approvals', 'answer', `${sessionId}/${toolCallId}`, 'proceed_once']);
    expect(code).toBe(0);
    expect(await prompted).toEqual({ stopReason: 'end_turn' });
    expect([place.read('a.txt'), zed.withdrawn]).toEqual(['x', [toolCallId]]);
  });
});

describe('a question of the agent itself', () => {
  const question = {
    question: 'Which one?',
    header: 'Kind',
    type: 'choice',
    options: [
      { label: 'Red', description: 'warm' },
      { label: 'Blue', description: 'cold' },
    ],
  };

  test('is a choice of answers [M5]', async ({ editor }) => {
    const zed = await editor({
      model: [[wants('ask_user', { questions: [question] })], DONE],
      choose: ({ options }) => options.find(({ name }) => name === 'Blue')?.optionId ?? null,
    });
    const { sessionId } = await zed.newSession();
    await zed.prompt(sessionId);
    expect(zed.calls()).toMatchObject([{ status: 'completed' }]);
    expect(textsOf(zed.calls()[0])).toEqual(['Kind: Blue']);
  });

  test('can be left for the next message [M5]', async ({ editor }) => {
    const open = { question: 'Its name?', header: 'Name', type: 'text' };
    const zed = await editor({
      model: [[wants('ask_user', { questions: [open] })], DONE],
      choose: ({ options }) => options[0]?.optionId ?? null,
    });
    const { sessionId } = await zed.newSession();
    expect(await zed.prompt(sessionId)).toEqual({ stopReason: 'cancelled' });
    expect(zed.asked[0]?.options.map(({ kind }) => kind)).toEqual(['reject_once', 'reject_once']);
    expect(textsOf(zed.calls()[0])[0]).toContain('in the next message');
  });

  test('is a form where the editor has forms [M5]', async ({ editor }) => {
    const text = { question: 'Its name?', header: 'Name', type: 'text' };
    const zed = await editor({
      model: [[wants('ask_user', { questions: [question, text] })], DONE],
      can: { elicitation: { form: {} } },
      fillIn: () => ({ action: 'accept', content: { 0: 'Red', 1: 'Rosa' } }),
    });
    const { sessionId } = await zed.newSession();
    await zed.prompt(sessionId);
    expect(textsOf(zed.calls()[0])).toEqual(['Kind: Red\nName: Rosa']);
    expect(zed.asked).toEqual([]);
  });
});
