import { memoryStore } from '@countersign/engine';
import { openTestSession, testTool, until } from '@countersign/testkit';
import { expect, test } from 'vitest';
import { alteredJournal } from './altered-journal.js';
import { shortDelay, unreliableJournal } from './unreliable-journal.js';

test('who lost the session during an outage runs nothing of what its successor started [J2]', async () => {
  const store = memoryStore({ keep: 'all' });
  const { journal, failing } = unreliableJournal(store.open());
  let token = 0;
  const remembering = alteredJournal(journal, {
    own: async (sessionId) => {
      const owned = await journal.own(sessionId);
      if (owned.ok) token = owned.token;
      return owned;
    },
  });
  const runs: string[] = [];
  const act = (who: string) =>
    testTool({
      name: 'act',
      run: (_, { signal }) => {
        runs.push(who);
        return new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('stopped'))),
        );
      },
    });
  const first = await openTestSession([act('first')], { journal: remembering, delay: shortDelay });
  failing.append = 1;
  failing.read = Number.POSITIVE_INFINITY;
  await first.session.send({ type: 'set-mode', mode: 'yolo', by: 'me' });

  await journal.release('test', token);
  const second = await openTestSession([act('second')], { journal: store.open() });
  const running = second.session.schedule([{ name: 'act' }]);
  await until(() => runs.length === 1, 'the second one runs it');
  failing.read = 0;
  await until(() => first.session.ended !== null, 'the first one learns of it');
  expect(first.session.ended).toMatchObject({ code: 'owner_lost' });
  expect(runs).toEqual(['second']);
  await second.session.dispose();
  await running;
});

test('an owner whose store says that the session is lost stops its work without another append [J2]', async () => {
  const journal = memoryStore({ keep: 'all' }).open();
  const lost = new AbortController();
  const losing = alteredJournal(journal, {
    own: async (sessionId, frontEnd) => {
      const owned = await journal.own(sessionId, frontEnd);
      return owned.ok ? { ...owned, lost: lost.signal } : owned;
    },
  });
  let stopped = false;
  const act = testTool({
    name: 'act',
    run: (_, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => {
          stopped = true;
          reject(new Error('stopped'));
        }),
      ),
  });
  const { session } = await openTestSession([act], { journal: losing });
  const running = session.schedule([{ name: 'act' }]);
  await until(() => session.snapshot().some(({ status }) => status === 'executing'), 'it runs');
  const written = (await journal.session('test'))?.seq;
  lost.abort();
  expect(await running).toEqual({ ok: false, failure: { code: 'owner_lost', sessionId: 'test' } });
  expect(session.ended).toEqual({ code: 'owner_lost', sessionId: 'test' });
  expect(stopped).toBe(true);
  expect((await journal.session('test'))?.seq).toBe(written);
});
