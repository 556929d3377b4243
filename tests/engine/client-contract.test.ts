import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachSession, RemoteClient } from '@countersign/attach';
import type { SessionClient } from '@countersign/client';
import {
  type Journal,
  memoryJournal,
  type OpenOptions,
  type SessionShell,
  Toolbox,
} from '@countersign/engine';
import type { Command, Delivery, Event } from '@countersign/protocol';
import { sqliteJournal } from '@countersign/store-sqlite';
import { deferred, openTestSession, plainPolicy, questionOf, testTool, until } from '@countersign/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Place, writeCall } from '../cli/program.js';

type Fact = { readonly seq: number; readonly event: Event };

/** A session, whoever works on it, and a front end that reaches it through the adapter under test. */
type Scene = {
  readonly client: SessionClient;
  readonly owner: SessionShell;
  readonly facts: () => Promise<readonly Fact[]>;
};

const tools = [
  testTool({ name: 'look' }),
  testTool({ name: 'change', kind: 'edit' }),
  testTool({
    name: 'wait',
    run: (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
  }),
];

const ADAPTERS: readonly { readonly name: string; readonly open: () => Promise<Scene> }[] = [
  {
    name: 'a session of this process',
    open: async () => {
      const { session, journal } = await openTestSession(tools, { journal: memoryJournal({ keep: 'all' }) });
      onTestFinished(() => session.dispose());
      return { client: session, owner: session, facts: () => journal.read('test', 0) };
    },
  },
  {
    name: 'a session reached through the journal',
    open: async () => {
      const [ownJournal, journal] = await twoHandles();
      const { session } = await openTestSession(tools, { journal: ownJournal });
      onTestFinished(() => session.dispose());
      return {
        client: new RemoteClient(journal, 'test'),
        owner: session,
        facts: () => journal.read('test', 0),
      };
    },
  },
];

/** Two handles on one new journal, as two processes would have them. */
async function twoHandles(): Promise<readonly [Journal, Journal]> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-client-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'journal.db');
  return [await handleOn(file), await handleOn(file)];
}

async function handleOn(file: string): Promise<Journal> {
  const journal = await sqliteJournal(file);
  onTestFinished(() => journal.close());
  return journal;
}

const callOf = (...names: readonly string[]): Command => ({
  type: 'call',
  calls: names.map((name) => ({ name })),
});

function answerTo(event: Event, outcome: 'proceed_once' | 'cancel', by = 'anna'): Command {
  if (event.type !== 'call.asked') throw new Error(`${event.type} is no question`);
  return { type: 'answer', callId: event.callId, digest: event.question.digest, outcome, by };
}

/** Somebody who listens, and what they have heard. */
function listen(client: SessionClient, fromSeq = 0, each?: (event: Event) => unknown) {
  const stop = new AbortController();
  const heard: Fact[] = [];
  const follow = async (source: AsyncIterable<readonly Delivery[]>) => {
    for await (const batch of source) {
      for (const delivery of batch) {
        if (!('event' in delivery)) continue;
        heard.push(delivery);
        await each?.(delivery.event);
      }
    }
  };
  const ended = follow(client.events(fromSeq, stop.signal));
  const end = async () => {
    stop.abort();
    await ended;
  };
  return { heard, ended, end };
}

const turnsEnded = (heard: readonly Fact[]) =>
  heard.filter(({ event }) => event.type === 'turn.ended').length;
const asked = (heard: readonly Fact[]) => heard.findLast(({ event }) => event.type === 'call.asked')?.event;

async function question(listener: { readonly heard: readonly Fact[] }): Promise<Event> {
  await until(() => asked(listener.heard) !== undefined, 'the question');
  const event = asked(listener.heard);
  if (!event) throw new Error('it was there a moment ago');
  return event;
}

describe.each(ADAPTERS)('$name', ({ open }) => {
  test('tells what was, then what comes, with no gap and no repeat, to early and late listeners [S5]', async () => {
    const { client, facts } = await open();
    const early = listen(client);
    for (let n = 0; n < 5; n++) await client.send(callOf('look', 'look'));
    await until(() => turnsEnded(early.heard) === 5, 'five turns');
    const late = listen(client);
    const middle = listen(client, 7);
    for (let n = 0; n < 5; n++) await client.send(callOf('look'));
    const everybody = [early, late, middle];
    const all = 10;
    await until(() => [early, late].every(({ heard }) => turnsEnded(heard) === all), 'ten turns');
    await until(
      () => middle.heard.at(-1)?.seq === early.heard.at(-1)?.seq,
      'the same for who began in the middle',
    );
    const after = listen(client, early.heard.length);
    await client.send(callOf('look'));
    await until(
      () => [...everybody, after].every(({ heard }) => heard.at(-1)?.event.type === 'turn.ended'),
      'one more',
    );

    const written = await facts();
    await until(
      () => everybody.every(({ heard }) => heard.at(-1)?.seq === written.length - 1),
      'the last fact',
    );
    expect(early.heard).toEqual(written);
    expect(early.heard.map(({ seq }) => seq)).toEqual(written.map((_, index) => index));
    expect(late.heard).toEqual(written);
    expect(middle.heard).toEqual(written.slice(7));
    expect(after.heard).toEqual(written.slice(after.heard[0]?.seq));
    for (const listener of [...everybody, after]) await listener.end();
  });

  test('a listener that throws or dawdles harms neither the session nor the others [S5]', async () => {
    const { client, facts } = await open();
    const gate = deferred();
    const throwing = listen(client, 0, () => {
      throw new Error('a careless listener');
    });
    const slow = listen(client, 0, () => gate.promise);
    const quick = listen(client);
    await expect(throwing.ended).rejects.toThrow('careless');
    for (let n = 0; n < 10; n++) expect(await client.send(callOf('look'))).toMatchObject({ ok: true });
    await until(() => turnsEnded(quick.heard) === 10, 'ten turns');
    expect(slow.heard).toHaveLength(1);
    gate.resolve();
    await until(() => turnsEnded(slow.heard) === 10, 'ten turns for the slow one');
    expect(slow.heard).toEqual(await facts());
    await slow.end();
    await quick.end();
  });

  test('an answer given in the same tick as the question is received counts [A5]', async () => {
    const { client } = await open();
    const acks: Promise<unknown>[] = [];
    const listener = listen(client, 0, (event) => {
      if (event.type === 'call.asked') acks.push(client.send(answerTo(event, 'proceed_once')));
    });
    await client.send(callOf('change', 'change', 'change'));
    await until(() => turnsEnded(listener.heard) === 1, 'the end of the turn');
    expect(await Promise.all(acks)).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
    expect(listener.heard.filter(({ event }) => event.type === 'call.succeeded')).toHaveLength(3);
    await listener.end();
  });

  test('an acknowledged command is written down, and its acknowledgement says where [J1]', async () => {
    const { client, facts } = await open();
    const ack = await client.send({
      type: 'call',
      calls: [
        { callId: 'a', name: 'change' },
        { callId: 'b', name: 'look' },
      ],
    });
    expect(ack).toMatchObject({ ok: true, turn: 1, callIds: ['a', 'b'] });
    const requests = (await facts()).filter(({ event }) => event.type === 'call.requested');
    expect(requests).toHaveLength(2);
    if (ack.ok) expect(requests.every(({ seq }) => seq < ack.seq)).toBe(true);
    expect(await client.send({ type: 'set-mode', mode: 'yolo', by: 'anna' })).toMatchObject({ ok: true });
    expect((await facts()).map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'mode.changed', mode: 'yolo', by: 'anna' }),
    );
  });

  test('commands are carried out in the order they were sent [S1]', async () => {
    const { client } = await open();
    const sent = Array.from({ length: 12 }, (_, n) =>
      client.send({ type: 'call', calls: [{ callId: `c${n}`, name: 'look' }] }),
    );
    const acks = await Promise.all(sent);
    expect(acks.map((ack) => (ack.ok ? ack.turn : null))).toEqual(acks.map((_, n) => n + 1));
  });

  test('what cannot be done is refused with a reason, and nothing comes of it [A5]', async () => {
    const { client, owner, facts } = await open();
    await client.send({ type: 'call', calls: [{ callId: 'c', name: 'change' }] });
    await owner.idle();
    const { digest } = questionOf(owner, 'c');
    const before = (await facts()).length;
    const answer = { type: 'answer', callId: 'c', digest, outcome: 'proceed_once', by: 'anna' } as const;
    const refused: readonly (readonly [Command, string])[] = [
      [{ ...answer, callId: 'nobody' }, 'unknown_call'],
      [{ ...answer, digest: 'stale' }, 'question_changed'],
      [{ ...answer, outcome: 'proceed_always_server' }, 'outcome_not_offered'],
      [{ ...answer, outcome: 'modify_with_editor' }, 'outcome_not_offered'],
      [{ ...answer, payload: { newContent: '' } }, 'invalid_answer'],
      [{ type: 'modify', callId: 'c', digest: 'stale', args: {}, by: 'anna' }, 'question_changed'],
      [{ type: 'cancel', target: { type: 'call', callId: 'nobody' }, by: 'anna' }, 'unknown_call'],
      [{ type: 'cancel', target: { type: 'turn', turn: 9 }, by: 'anna' }, 'unknown_turn'],
      [{ type: 'revoke-grant', grantId: 'none', by: 'anna' }, 'unknown_grant'],
    ];
    for (const [command, code] of refused) {
      expect(await client.send(command)).toMatchObject({ ok: false, failure: { code } });
    }
    expect(await facts()).toHaveLength(before);
  });

  test('the first of two answers wins, the other learns who it was, and a repeat does no harm [A5]', async () => {
    const { client } = await open();
    const listener = listen(client);
    await client.send(callOf('change'));
    const event = await question(listener);
    const both = await Promise.all([
      client.send(answerTo(event, 'proceed_once', 'anna')),
      client.send(answerTo(event, 'cancel', 'bert')),
    ]);
    expect(both).toMatchObject([
      { ok: true },
      { ok: false, failure: { code: 'already_answered', by: 'anna', outcome: 'proceed_once' } },
    ]);
    await until(() => turnsEnded(listener.heard) === 1, 'the end of the turn');
    expect(await client.send(answerTo(event, 'proceed_once', 'anna'))).toMatchObject({
      ok: true,
      repeated: true,
    });
    expect(await client.send(answerTo(event, 'cancel', 'bert'))).toMatchObject({
      ok: false,
      failure: { code: 'already_answered', by: 'anna' },
    });
    await listener.end();
  });

  test('cancelling stops what runs and what waits, and every client receives it [L5]', async () => {
    const { client, owner } = await open();
    const listener = listen(client);
    await client.send(callOf('wait', 'change'));
    await until(() => owner.snapshot()[0]?.status === 'executing', 'the call runs');
    await question(listener);
    expect(await client.send({ type: 'cancel', target: { type: 'all' }, by: 'anna' })).toMatchObject({
      ok: true,
    });
    await until(() => turnsEnded(listener.heard) === 1, 'the end of the turn');
    const cancelled = listener.heard.filter(({ event }) => event.type === 'call.cancelled');
    expect(cancelled.map(({ event }) => event)).toMatchObject([
      { reason: { type: 'aborted', by: 'anna' } },
      { reason: { type: 'aborted', by: 'anna' } },
    ]);
    await listener.end();
  });

  test('listening ends with its signal, at once if that has fired already [S6]', async () => {
    const { client } = await open();
    const listener = listen(client);
    await until(() => listener.heard.length > 0, 'the first facts');
    await listener.end();
    const heard = listener.heard.length;
    await client.send(callOf('look'));
    expect(listener.heard).toHaveLength(heard);

    const before: unknown[] = [];
    for await (const batch of client.events(0, AbortSignal.abort())) before.push(batch);
    expect(before).toEqual([]);
  });

  test('who stops listening half-way can continue from there [S5]', async () => {
    const { client, facts } = await open();
    await client.send(callOf('look', 'look', 'look'));
    const heard: Fact[] = [];
    const signal = new AbortController().signal;
    while (heard.at(-1)?.event.type !== 'turn.ended') {
      for await (const batch of client.events(heard.length, signal)) {
        for (const delivery of batch) if ('event' in delivery) heard.push(delivery);
        break;
      }
    }
    expect(heard).toEqual(await facts());
  });
});

describe('who gets a session', () => {
  const options = (sessionId: string): Omit<OpenOptions, 'journal'> => ({
    sessionId,
    workspace: '/w',
    tools: new Toolbox(tools),
    policy: plainPolicy(),
    classify: () => ({ place: 'workspace', guarded: null }),
  });

  test('the first owns it, the second is its client, and owns it once the first has left [A6]', async () => {
    const [one, two] = await twoHandles();
    const first = await attachSession({ ...options('s'), journal: one });
    const second = await attachSession({ ...options('s'), journal: two });
    if (!first.ok || !second.ok) throw new Error('both get in');
    expect([first.own === null, second.own === null]).toEqual([false, true]);
    expect(await second.client.send(callOf('change'))).toMatchObject({ ok: true });
    await first.own?.idle();
    await first.own?.dispose();

    expect(await second.client.send(callOf('look'))).toEqual({
      ok: false,
      failure: { code: 'session_idle', sessionId: 's' },
    });
    const third = await attachSession({ ...options('s'), journal: two });
    if (!third.ok || !third.own) throw new Error('nobody else has it');
    // What was refused is not carried out later; what waited still waits.
    expect(third.own.snapshot().map(({ status }) => status)).toEqual(['awaiting_approval']);
    await third.own.dispose();
  });

  test('a client is not left hanging by an owner that leaves while it asks [S6]', async () => {
    const [one, two] = await twoHandles();
    const first = await attachSession({ ...options('s'), journal: one });
    if (!first.ok || !first.own) throw new Error('it is new');
    const client = new RemoteClient(two, 's');
    const sent = Array.from({ length: 8 }, () => client.send(callOf('look')));
    await first.own.dispose();
    const codes = (await Promise.all(sent)).map((ack) => (ack.ok ? 'ok' : ack.failure.code));
    expect(codes.filter((code) => !['ok', 'disposed', 'session_idle'].includes(code))).toEqual([]);
    expect(await two.inbox('s')).toEqual([]);
  });

  test('across processes: a question is received and answered here, and carried out there [A5] [C4]', async () => {
    const place = new Place();
    onTestFinished(() => place.close());
    const program = place.start(['exec', '--approvals', 'wait', '--session', 's']);
    program.say(writeCall('a.txt', 'x\n', 'w'));
    await program.told('Waiting for approval');
    const journal = await handleOn(join(place.home, 'countersign.db'));
    const attached = await attachSession({ ...options('s'), journal });
    if (!attached.ok) throw new Error('it is there');
    expect(attached.own).toBeNull();
    const { client } = attached;
    const listener = listen(client);
    expect(await client.send(answerTo(await question(listener), 'proceed_once'))).toMatchObject({ ok: true });
    await until(() => turnsEnded(listener.heard) === 1, 'the end of the turn');
    expect(place.read('a.txt')).toBe('x\n');
    program.end();
    expect(await program.ended()).toMatchObject({ code: 0 });
    await listener.end();
  });

  test('an owner that is killed leaves its session idle, and then to the next process [A6] [J2]', async () => {
    const place = new Place();
    onTestFinished(() => place.close());
    const program = place.start(['exec', '--approvals', 'wait', '--session', 's']);
    program.say(writeCall('a.txt', 'x\n', 'w'));
    await program.told('Waiting for approval');
    const journal = await handleOn(join(place.home, 'countersign.db'));
    const client = new RemoteClient(journal, 's');
    const listener = listen(client);
    const asked = await question(listener);
    // Nobody reads its inbox any more, but it is not dead yet.
    program.signal('SIGSTOP');
    const answered = client.send(answerTo(asked, 'proceed_once'));
    program.signal('SIGKILL');
    await program.ended();
    expect(await answered).toEqual({ ok: false, failure: { code: 'session_idle', sessionId: 's' } });
    expect(await journal.inbox('s')).toEqual([]);

    const attached = await attachSession({ ...options('s'), journal });
    if (!attached.ok || !attached.own) throw new Error('nobody else has it');
    // The answer was refused, so it counts for nothing.
    expect(attached.own.snapshot().map(({ status }) => status)).toEqual(['awaiting_approval']);
    expect(place.has('a.txt')).toBe(false);
    await until(() => listener.heard.at(-1)?.event.type === 'policy.loaded', 'the second life');
    await listener.end();
    await attached.own.dispose();
  });
});
