import { emptySession, evolve, type Session } from '@countersign/kernel';
import type { Event } from '@countersign/protocol';
import { expect, test } from 'vitest';
import type { Journal, Recorded } from '../journal/index.js';
import {
  answered,
  append,
  call,
  failed,
  grant,
  loaded,
  opened,
  requested,
  turnStarted,
  wholeTurn,
} from '../testing/journal-examples.js';
import { memoryJournal } from './memory.js';

async function begin(journal: Journal, sessionId = 's') {
  const owned = await journal.own(sessionId);
  if (!owned.ok) throw new Error(owned.failure.code);
  const written: Recorded[] = [];
  const write = async (events: readonly Event[], views: Parameters<typeof append>[3] = {}) => {
    const appended = await journal.append(
      append(sessionId, owned.token, written.length, { events, ...views }),
    );
    if (!appended.ok) throw new Error(appended.failure.code);
    for (const event of events) written.push({ seq: written.length, event });
  };
  return { write, written };
}

function fold(
  recorded: readonly Recorded[],
): Pick<Session, 'epoch' | 'mode' | 'workspace' | 'lastTurn' | 'calls'> & { turns: number[] } {
  const session = emptySession('s');
  for (const { event } of recorded) evolve(session, event);
  const { epoch, mode, workspace, lastTurn, calls } = session;
  return { epoch, mode, workspace, lastTurn, calls, turns: session.turns.map(({ turn }) => turn) };
}

test('ended turns are forgotten: what is kept does not grow with them', async () => {
  const journal = memoryJournal();
  const { write, written } = await begin(journal);
  await write([opened()]);
  for (let turn = 1; turn <= 500; turn++) {
    await write(wholeTurn(turn), { views: [{ type: 'call.settled', row: call('s', `call-${turn}`, turn) }] });
  }
  const kept = await journal.read('s', 0);
  expect(kept.length).toBeLessThan(10);
  expect(await journal.calls()).toEqual([]);
  expect(fold(kept)).toEqual(fold(written));
  expect(kept.at(-1)).toEqual(written.at(-1));
  expect((await journal.session('s'))?.seq).toBe(written.length);
});

test('what is kept folds to the same state, however turns overlap, and keeps its numbers', async () => {
  const journal = memoryJournal();
  const { write, written } = await begin(journal);
  await write([opened(), loaded('h')]);
  await write([turnStarted(1), requested('a', 1), { type: 'turn.sealed', turn: 1 }]);
  // Turns 2 and 3 queue behind turn 1, whose calls go on after they were requested.
  for (let turn = 1; turn <= 60; turn++) {
    const id = turn === 1 ? 'a' : `call-${turn}`;
    const next = turn + 1;
    await write([turnStarted(next), requested(`call-${next}`, next), { type: 'turn.sealed', turn: next }]);
    if (turn % 20 === 0)
      await write([{ type: 'mode.changed', mode: 'plan', by: 'ada', at: turn }, opened(1 + turn / 20)]);
    const [, , , failure, ended] = wholeTurn(turn, id);
    if (failure && ended) await write([failure, ended]);

    const kept = await journal.read('s', 0);
    expect(fold(kept)).toEqual(fold(written));
    expect(kept.every(({ seq, event }) => written[seq]?.event === event)).toBe(true);
    expect(kept.at(-1)?.seq).toBe(written.length - 1);
    expect(kept.length).toBeLessThan(40);
    const late = written.length - 2;
    expect(await journal.read('s', late)).toEqual(kept.filter(({ seq }) => seq >= late));
  }
});

test('the last event stays even if nothing else needs it, since its number is the count', async () => {
  const journal = memoryJournal();
  const { write, written } = await begin(journal);
  await write([opened(), ...wholeTurn(1), failed('call-1')]);
  expect((await journal.read('s', 0)).at(-1)).toEqual(written.at(-1));
});

test('a long queue of open turns is kept whole until its turns have ended', async () => {
  const journal = memoryJournal();
  const { write, written } = await begin(journal);
  await write([opened()]);
  for (let turn = 1; turn <= 50; turn++) await write(wholeTurn(turn).slice(0, 3));
  for (let turn = 1; turn <= 50; turn++) {
    await write(wholeTurn(turn).slice(3));
    expect(fold(await journal.read('s', 0))).toEqual(fold(written));
  }
  await write(wholeTurn(51));
  expect((await journal.read('s', 0)).length).toBeLessThan(10);
});

test('grants and the latest answers outlive the turn they were given in [P6]', async () => {
  const journal = memoryJournal();
  const { write } = await begin(journal);
  const added = grant('g', { uses: 2 });
  const event: Event = { type: 'grant.added', grant: added, callId: 'call-1' };
  await write([opened(), event, ...wholeTurn(1)], {
    views: [
      { type: 'grant.added', grant: added },
      { type: 'approval.answered', callId: 'call-1', answer: answered() },
    ],
  });
  for (let turn = 2; turn < 5; turn++) await write(wholeTurn(turn));
  expect((await journal.read('s', 0)).map((recorded) => recorded.event)).toContainEqual(event);
  expect(await journal.grants({ sessionId: 's', workspace: '' })).toEqual([added]);
  expect(await journal.answerOf('s', 'call-1')).toEqual(answered());
});

test('nothing is forgotten when all is to be kept', async () => {
  const journal = memoryJournal({ keep: 'all' });
  const { write, written } = await begin(journal);
  await write([opened()]);
  for (let turn = 1; turn <= 20; turn++) await write(wholeTurn(turn));
  expect(await journal.read('s', 0)).toEqual(written);
});

test('two memory journals share nothing', async () => {
  const first = memoryJournal();
  const second = memoryJournal();
  const { write } = await begin(first);
  await write([opened()], { views: [{ type: 'grant.added', grant: grant('g') }] });
  expect(await second.list()).toEqual([]);
  expect(await second.grants({ sessionId: 's', workspace: '' })).toEqual([]);
  expect(await second.own('s')).toMatchObject({ ok: true });
});

test('what was said is kept when its turn is over, since messages are numbered without gaps [J1]', async () => {
  const journal = memoryJournal();
  const { write, written } = await begin(journal);
  await write([opened()]);
  for (let turn = 1; turn <= 5; turn++) {
    const said = { role: 'user', parts: [{ text: 'go on' }], by: 'ada', promptId: 'p' } as const;
    await write([{ type: 'message.added', message: { ...said, id: turn, at: turn } }]);
    await write(wholeTurn(turn));
  }
  const kept = await journal.read('s', 0);
  expect(fold(kept)).toEqual(fold(written));
  expect((await journal.messages(['s'])).map(({ at }) => at)).toEqual([1, 2, 3, 4, 5]);
});
