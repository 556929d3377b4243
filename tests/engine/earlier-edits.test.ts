import { memoryJournal, type PlanContext, type SessionShell, type Tool } from '@countersign/engine';
import { type JsonObject, type SettledCall, ToolFailure } from '@countersign/protocol';
import { openTestSession, questionOf, run, testTool, until } from '@countersign/testkit';
import { beforeEach, expect, test } from 'vitest';

/** Files in memory. A call of `append` adds its text to one, planned on what the calls before it will leave. */
let files: Map<string, string>;
beforeEach(() => {
  files = new Map([
    ['/w/f', 'start'],
    ['/w/g', ''],
  ]);
});

const append: Tool = {
  ...testTool({ name: 'append', kind: 'edit' }),
  plan: async (args, context) => {
    const { path, before, after } = await change(args, context);
    return {
      title: 'append',
      resources: [{ kind: 'fs.write', path, scope: 'file' }],
      repeat: 'unsafe',
      basis: [{ path, before, after }],
      leaves: () => Buffer.from(after),
      confirmation: {
        type: 'edit',
        title: 'append',
        fileName: 'f',
        filePath: path,
        fileDiff: '',
        originalContent: before,
        newContent: after,
        diffStat: { added: 1, removed: 0 },
      },
    };
  },
  run: (_, { plan }) => {
    const [basis] = plan.basis;
    if (!basis?.after || files.get(basis.path) !== basis.before)
      throw new ToolFailure({ code: 'stale_file', path: basis?.path ?? '' });
    files.set(basis.path, basis.after);
    return { llmContent: 'done', returnDisplay: '' };
  },
};

async function change({ path, text }: JsonObject, { earlier }: PlanContext) {
  const to = String(path);
  const left = await earlier(to);
  const before = left === null ? (files.get(to) ?? '') : Buffer.from(left).toString();
  return { path: to, before, after: `${before}+${String(text)}` };
}

const edit = (text: string, path = '/w/f') => ({ callId: text, name: 'append', args: { path, text } });
const codes = (calls: readonly SettledCall[]) =>
  calls.map((call) => (call.status === 'error' ? call.failure.code : call.status));
const shown = (confirmation: ReturnType<typeof questionOf>['confirmation']) =>
  confirmation.type === 'edit' ? [confirmation.originalContent, confirmation.newContent] : null;

const bothWait = (session: SessionShell) =>
  until(() => {
    const statuses = session.snapshot().map(({ status }) => status);
    return statuses.length === 2 && statuses.every((status) => status === 'awaiting_approval');
  }, 'both wait');

test('edits of one file in one batch are planned one on the other, and all land [S2]', async () => {
  const { session } = await openTestSession([append], { mode: 'yolo' });
  const calls = await run(session, [edit('a'), edit('b'), edit('x', '/w/g'), edit('c')]);
  expect(codes(calls)).toEqual(['success', 'success', 'success', 'success']);
  expect(Object.fromEntries(files)).toEqual({ '/w/f': 'start+a+b+c', '/w/g': '+x' });
  await session.dispose();
});

test('each question shows what its own edit changes, and holds when the one before has landed [S2, A3]', async () => {
  const { session } = await openTestSession([append]);
  const ended = session.schedule([edit('a'), edit('b')]);
  await bothWait(session);
  expect(shown(questionOf(session, 'a').confirmation)).toEqual(['start', 'start+a']);
  const second = questionOf(session, 'b');
  expect(shown(second.confirmation)).toEqual(['start+a', 'start+a+b']);

  const yes = { type: 'answer', outcome: 'proceed_once', by: 'ann' } as const;
  expect(await session.send({ ...yes, callId: 'a', digest: questionOf(session, 'a').digest })).toMatchObject({
    ok: true,
  });
  await until(() => files.get('/w/f') === 'start+a', 'the first lands');
  expect(await session.send({ ...yes, callId: 'b', digest: second.digest })).toMatchObject({ ok: true });
  await ended;
  expect(files.get('/w/f')).toBe('start+a+b');
  await session.dispose();
});

test('if the earlier edit is declined, the later one is asked about again with what is true then [S2, A3]', async () => {
  const { session } = await openTestSession([append]);
  const ended = session.schedule([edit('a'), edit('b')]);
  await bothWait(session);
  const old = questionOf(session, 'b').digest;
  const answer = { type: 'answer', by: 'ann' } as const;
  const first = questionOf(session, 'a').digest;
  await session.send({ ...answer, callId: 'a', outcome: 'cancel', digest: first });
  const yes = { ...answer, callId: 'b', outcome: 'proceed_once' } as const;
  expect(await session.send({ ...yes, digest: old })).toMatchObject({
    ok: false,
    failure: { code: 'question_changed' },
  });
  const now = questionOf(session, 'b');
  expect(shown(now.confirmation)).toEqual(['start', 'start+b']);
  expect(await session.send({ ...yes, digest: now.digest })).toMatchObject({ ok: true });
  await ended;
  expect(files.get('/w/f')).toBe('start+b');
  await session.dispose();
});

test('an approved edit whose predecessor was declined afterwards is stale, and nothing is written [S2, A3]', async () => {
  const { session } = await openTestSession([append]);
  const ended = session.schedule([edit('a'), edit('b')]);
  await bothWait(session);
  const answer = { type: 'answer', by: 'ann' } as const;
  const [a, b] = [questionOf(session, 'a').digest, questionOf(session, 'b').digest];
  await session.send({ ...answer, callId: 'b', outcome: 'proceed_once', digest: b });
  await session.send({ ...answer, callId: 'a', outcome: 'cancel', digest: a });
  const outcome = await ended;
  expect(outcome.ok && codes(outcome.calls)).toEqual(['cancelled', 'stale_file']);
  expect(files.get('/w/f')).toBe('start');
  await session.dispose();
});

test('after a restart the later question still follows from the earlier one [S2, A6]', async () => {
  const journal = memoryJournal({ keep: 'all' });
  const first = await openTestSession([append], { journal });
  void first.session.schedule([edit('a'), edit('b')]);
  await bothWait(first.session);
  await first.session.dispose();

  const { session } = await openTestSession([append], { journal });
  const yes = { type: 'answer', outcome: 'proceed_once', by: 'ann' } as const;
  const { digest } = questionOf(session, 'b');
  expect(await session.send({ ...yes, callId: 'b', digest })).toMatchObject({ ok: true });
  expect(await session.send({ ...yes, callId: 'a', digest: questionOf(session, 'a').digest })).toMatchObject({
    ok: true,
  });
  await session.idle();
  expect(files.get('/w/f')).toBe('start+a+b');
  await session.dispose();
});

test('a person changes the earlier edit: the later one follows from what they made of it [S2, A4]', async () => {
  const { session } = await openTestSession([append]);
  const ended = session.schedule([edit('a'), edit('b')]);
  await bothWait(session);
  const answer = { type: 'answer', by: 'ann', outcome: 'proceed_once' } as const;
  const payload = { args: { path: '/w/f', text: 'mine' } };
  await session.send({ ...answer, callId: 'a', digest: questionOf(session, 'a').digest, payload });
  await until(() => files.get('/w/f') === 'start+mine', 'the first lands');
  const old = await session.send({ ...answer, callId: 'b', digest: questionOf(session, 'b').digest });
  expect(old).toMatchObject({ ok: false, failure: { code: 'question_changed' } });
  await session.send({ ...answer, callId: 'b', digest: questionOf(session, 'b').digest });
  await ended;
  expect(files.get('/w/f')).toBe('start+mine+b');
  await session.dispose();
});

test('the session knows which files it has read or written, also after a restart [A1]', async () => {
  const journal = memoryJournal({ keep: 'all' });
  const known: boolean[] = [];
  const resources = [{ kind: 'fs.read', path: '/w/f', scope: 'file' }] as const;
  const read = testTool({ name: 'read', plan: () => ({ resources }) });
  const ask = testTool({
    name: 'ask',
    plan: (_, { wasRead }) => {
      known.push(wasRead('/w/f'));
      return {};
    },
  });
  const first = await openTestSession([read, ask], { journal });
  await run(first.session, [{ name: 'ask' }]);
  await run(first.session, [{ name: 'read' }]);
  await run(first.session, [{ name: 'ask' }]);
  await first.session.dispose();
  const second = await openTestSession([read, ask], { journal });
  await run(second.session, [{ name: 'ask' }]);
  await second.session.dispose();
  expect(known).toEqual([false, true, true]);
});
