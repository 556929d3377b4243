import { setTimeout as sleep } from 'node:timers/promises';
import { type Journal, JournalError } from '@countersign/engine/journal';
import {
  answered,
  append,
  approval,
  asking,
  call,
  everyEvent,
  grant,
  loaded,
  opened,
} from '@countersign/engine/testing';
import type { Event } from '@countersign/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** A store that can be opened several times, as several processes would. */
export type ContractStore = { open(): Promise<Journal>; remove(): void | Promise<void> };

/**
 * What every journal must do, whatever it is kept in: an adapter's test file calls this with its name and how to make an
 * empty store. It declares the tests.
 */
export const journalContract = (name: string, make: () => ContractStore | Promise<ContractStore>): void => {
  describe(`the ${name} journal`, () => {
    let store: ContractStore;
    let journal: Journal;
    let other: Journal;

    beforeEach(async () => {
      store = await make();
      journal = await store.open();
      other = await store.open();
    });
    afterEach(async () => {
      await journal.close();
      await other.close();
      await store.remove();
    });

    async function own(sessionId: string, by = journal): Promise<number> {
      const owned = await by.own(sessionId);
      if (!owned.ok) throw new Error(owned.failure.code);
      return owned.token;
    }

    async function write(
      sessionId: string,
      token: number,
      events: readonly Event[],
      by = journal,
    ): Promise<number> {
      const seq = (await by.session(sessionId))?.seq ?? 0;
      const appended = await by.append(append(sessionId, token, seq, { events }));
      if (!appended.ok) throw new Error(appended.failure.code);
      return appended.seq;
    }

    const codeOf = (promise: Promise<unknown>): Promise<string> =>
      promise.then(
        () => 'no failure',
        (error: unknown) =>
          error instanceof JournalError ? error.failure.code : `not a JournalError: ${error}`,
      );

    describe('events', () => {
      test('every kind of event comes back as it was written, numbered from 0 [J1]', async () => {
        const token = await own('s');
        expect(await write('s', token, everyEvent)).toBe(everyEvent.length);
        const recorded = await other.read('s', 0);
        expect(recorded).toEqual(everyEvent.map((event, seq) => ({ seq, event })));
      });

      test('a read from the middle of an append gives the rest, one from the end nothing', async () => {
        const token = await own('s');
        await write('s', token, [loaded('0'), loaded('1')]);
        await write('s', token, [loaded('2'), loaded('3'), loaded('4')]);
        await write('s', token, [loaded('5')]);
        expect(await journal.read('s', 3)).toEqual([
          { seq: 3, event: loaded('3') },
          { seq: 4, event: loaded('4') },
          { seq: 5, event: loaded('5') },
        ]);
        expect(await journal.read('s', 6)).toEqual([]);
        expect(await journal.read('s', 99)).toEqual([]);
      });

      test('a read may be limited, and goes on where it stopped', async () => {
        const token = await own('s');
        await write('s', token, [loaded('0'), loaded('1')]);
        await write('s', token, [loaded('2'), loaded('3'), loaded('4')]);
        await write('s', token, [loaded('5')]);
        const seqs = async (fromSeq: number, eventsMax: number) =>
          (await journal.read('s', fromSeq, eventsMax)).map(({ seq }) => seq);
        expect(await seqs(0, 1)).toEqual([0]);
        expect(await seqs(1, 3)).toEqual([1, 2, 3]);
        expect(await seqs(4, 2)).toEqual([4, 5]);
        expect(await seqs(4, 99)).toEqual([4, 5]);
      });

      test('a late reader sees everything that was written [J1]', async () => {
        const first = await own('a');
        const second = await own('b', other);
        for (let round = 0; round < 20; round++) {
          await write('a', first, [loaded(`a${round}`)]);
          await write('b', second, [loaded(`b${round}`)], other);
        }
        const late = await store.open();
        expect((await late.read('a', 0)).map(({ event }) => event)).toEqual(rounds('a'));
        expect((await late.read('b', 0)).map(({ event }) => event)).toEqual(rounds('b'));
        await late.close();
      });
      const rounds = (name: string) => Array.from({ length: 20 }, (_, round) => loaded(`${name}${round}`));

      test('appends that are not awaited are made in the order they were given', async () => {
        const token = await own('s');
        const results = await Promise.all(
          Array.from({ length: 10 }, (_, seq) =>
            journal.append(append('s', token, seq, { events: [loaded(`${seq}`)] })),
          ),
        );
        expect(results.map((result) => result.ok && result.seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        expect((await journal.read('s', 0)).map(({ event }) => event)).toEqual(
          results.map((_, seq) => loaded(`${seq}`)),
        );
      });

      test('an append at the wrong place is refused and leaves nothing behind [J2]', async () => {
        const token = await own('s');
        await write('s', token, [opened()]);
        const refused = await journal.append(
          append('s', token, 0, {
            events: [loaded('x')],
            views: [
              { type: 'grant.added', grant: grant('g') },
              { type: 'approval.asked', row: approval('s', 'c') },
              { type: 'call.settled', row: call('s', 'c') },
            ],
          }),
        );
        expect(refused).toEqual({
          ok: false,
          failure: { code: 'another_writer', sessionId: 's', expected: 0, found: 1 },
        });
        expect(await journal.read('s', 0)).toHaveLength(1);
        expect(await journal.grants({ sessionId: 's', workspace: '' })).toEqual([]);
        expect(await journal.approvals()).toEqual([]);
        expect(await journal.calls()).toEqual([]);
      });

      test('a session that does not exist cannot be read or written', async () => {
        expect(await codeOf(journal.read('nobody', 0))).toBe('unknown_session');
        expect(await journal.session('nobody')).toBeNull();
        expect(await journal.append(append('nobody', 1, 0, { events: [opened()] }))).toEqual({
          ok: false,
          failure: { code: 'owner_lost', sessionId: 'nobody' },
        });
      });
    });

    describe('ownership', () => {
      test('a session has one owner at a time, also within one process [J2]', async () => {
        await own('s');
        const owner = (await journal.session('s'))?.owner;
        const failure = { code: 'session_owned', sessionId: 's', ...owner?.shown };
        expect(await journal.own('s')).toEqual({ ok: false, failure });
        expect(await other.own('s')).toEqual({ ok: false, failure });
      });

      test('a session that was given back can be taken, and its former owner cannot write [J2]', async () => {
        const former = await own('s');
        await journal.release('s', former);
        const lost = { ok: false, failure: { code: 'owner_lost', sessionId: 's' } };
        expect(await journal.append(append('s', former, 0, { events: [opened()] }))).toEqual(lost);

        const token = await own('s', other);
        expect(token).toBeGreaterThan(former);
        expect(await journal.append(append('s', former, 0, { events: [opened()] }))).toEqual(lost);
        await journal.release('s', former);
        expect(await write('s', token, [opened()], other)).toBe(1);
      });

      test('the owner of a session is reported alike to itself and to others, and loses it only to another owner [J2]', async () => {
        const owned = await journal.own('s', 'exec');
        if (!owned.ok) throw new Error(owned.failure.code);
        expect(owned.owner.frontEnd).toBe('exec');
        expect((await other.session('s'))?.owner).toEqual(owned.owner);
        await write('s', owned.token, [opened()]);
        await journal.release('s', owned.token);
        expect(owned.lost.aborted).toBe(false);
        expect((await other.session('s'))?.owner).toBeNull();
      });

      test('a session without an owner names its last front end and server, and how many turns are open [J2] [A6]', async () => {
        const owned = await journal.own('s', 'server', 'server-1');
        if (!owned.ok) throw new Error(owned.failure.code);
        const started = (turn: number): Event => ({
          ...{ type: 'turn.started', turn, at: 2, start: 'as_granted', attended: 'somebody' },
        });
        await write('s', owned.token, [opened(), started(1), started(2)]);
        await write('s', owned.token, [{ type: 'turn.ended', turn: 1, at: 3 }]);
        expect(await other.session('s')).not.toHaveProperty('lastOwner');
        await journal.release('s', owned.token);
        const lastOwner = { frontEnd: 'server', serverId: 'server-1', ended: 'released', modelAtWork: false };
        expect(await other.session('s')).toMatchObject({ owner: null, lastOwner, openTurns: 1 });
        const next = await journal.own('s', 'exec');
        if (!next.ok) throw new Error(next.failure.code);
        await journal.release('s', next.token);
        expect((await other.list())[0]?.lastOwner).toEqual({
          ...lastOwner,
          frontEnd: 'exec',
          serverId: null,
        });
      });

      test('closing gives every session back', async () => {
        await own('a');
        await own('b');
        await journal.close();
        expect(await other.own('a')).toMatchObject({ ok: true });
        expect(await other.own('b')).toMatchObject({ ok: true });
      });

      test('sessions are listed with what is true of them, the last one used first', async () => {
        const before = Date.now();
        const first = await own('first');
        await write('first', first, [opened(1, '/home/me/ä')]);
        await own('second');
        await sleep(2);
        await write('first', first, [{ type: 'mode.changed', mode: 'auto_edit', by: 'ada', at: 5 }]);
        await journal.release('first', first);

        const list = await other.list();
        expect(list).toEqual([
          {
            sessionId: 'first',
            workspace: '/home/me/ä',
            mode: 'auto_edit',
            createdAt: expect.any(Number),
            updatedAt: expect.any(Number),
            seq: 2,
            owner: null,
            lastOwner: null,
            openTurns: 0,
          },
          expect.objectContaining({
            ...{ sessionId: 'second', seq: 0, mode: 'manual' },
            owner: { id: expect.any(String), frontEnd: null, shown: { pid: expect.any(Number) } },
          }),
        ]);
        expect(list[0]?.createdAt).toBeGreaterThanOrEqual(before);
        expect(list[0]?.updatedAt).toBeGreaterThan(list[0]?.createdAt ?? Infinity);
        expect(await other.session('first')).toEqual(list[0]);
      });
    });

    describe('grants', () => {
      const keys = { sessionId: 's', workspace: '/w' };

      async function give(token: number, ...grants: ReturnType<typeof grant>[]): Promise<void> {
        const seq = (await journal.session('s'))?.seq ?? 0;
        const views = grants.map((added) => ({ type: 'grant.added', grant: added }) as const);
        expect(await journal.append(append('s', token, seq, { events: [loaded('g')], views }))).toMatchObject(
          {
            ok: true,
          },
        );
      }

      test('a two-use grant under ten claims by two writers allows exactly two [P6]', async () => {
        const token = await own('s');
        const otherToken = await own('t', other);
        await give(token, grant('g', { uses: 2 }));

        const claim = async (by: Journal, sessionId: string, its: number) => {
          let won = 0;
          for (let round = 0; round < 5; round++) {
            const seq = (await by.session(sessionId))?.seq ?? 0;
            const events = [loaded(`claim ${round}`)];
            const appended = await by.append(append(sessionId, its, seq, { events, claims: ['g'] }));
            if (appended.ok) won++;
            else expect(appended.failure).toEqual({ code: 'claim_lost', grantIds: ['g'] });
          }
          return won;
        };
        const won = await Promise.all([claim(journal, 's', token), claim(other, 't', otherToken)]);
        expect(won[0] + won[1]).toBe(2);
        expect((await journal.read('s', 0)).length + (await journal.read('t', 0)).length).toBe(1 + 2);
        expect(await journal.grants(keys)).toEqual([]);
      });

      test('the claims of one append stand or fall together [P6]', async () => {
        const token = await own('s');
        await give(token, grant('two', { uses: 2 }), grant('many'));
        const refused = await journal.append(
          append('s', token, 1, { events: [loaded('x')], claims: ['many', 'two', 'two', 'two', 'none'] }),
        );
        expect(refused).toEqual({ ok: false, failure: { code: 'claim_lost', grantIds: ['two', 'none'] } });
        expect(await journal.read('s', 0)).toHaveLength(1);
        expect(await journal.append(append('s', token, 1, { claims: ['two', 'many', 'two'] }))).toMatchObject(
          {
            ok: true,
          },
        );
        expect((await journal.grants(keys)).map(({ id }) => id)).toEqual(['many']);
      });

      test('a grant counts in the append that adds it, and no more once revoked, limited or not [P6]', async () => {
        const token = await own('s');
        const views = [{ type: 'grant.added', grant: grant('new', { uses: 1 }) } as const];
        expect(await journal.append(append('s', token, 0, { views, claims: ['new'] }))).toMatchObject({
          ok: true,
        });

        await give(token, grant('g'));
        const revoke = { type: 'grant.revoked', grantId: 'g' } as const;
        const last = append('s', token, 1, { views: [revoke], claims: ['g'] });
        expect(await journal.append(last)).toMatchObject({ ok: true });
        expect(await journal.append(append('s', token, 1, { claims: ['g'] }))).toEqual({
          ok: false,
          failure: { code: 'claim_lost', grantIds: ['g'] },
        });
        expect(await journal.grants(keys)).toEqual([]);
        expect(await other.revoked(['g', 'new', 'never'])).toEqual(['g']);
      });

      test('a grant that is added again brings back neither its uses nor itself [P6]', async () => {
        const token = await own('s');
        await give(token, grant('used', { uses: 1 }), grant('gone'));
        await journal.append(
          append('s', token, 1, { views: [{ type: 'grant.revoked', grantId: 'gone' }], claims: ['used'] }),
        );
        await give(token, grant('used', { uses: 1 }), grant('gone'));
        expect(await journal.grants(keys)).toEqual([]);
      });

      test('grants are found by session, by workspace and for the user, with the uses that are left [P6]', async () => {
        const token = await own('s');
        const mine = grant('mine', { scope: 'session', scopeKey: 's' });
        const here = grant('here', { scope: 'project', scopeKey: '/w', uses: 3, expiresAt: 77 });
        const everywhere = grant('everywhere');
        await give(
          token,
          mine,
          grant('theirs', { scope: 'session', scopeKey: 't' }),
          here,
          grant('elsewhere', { scope: 'project', scopeKey: '/w2' }),
          everywhere,
        );
        await journal.append(append('s', token, 1, { claims: ['here'] }));
        expect(await other.grants(keys)).toEqual([mine, { ...here, uses: 2 }, everywhere]);
        expect((await other.grants({ sessionId: '/w', workspace: 's' })).map(({ id }) => id)).toEqual([
          'everywhere',
        ]);
      });

      test('a grant that outlives its sessions can be revoked, and stays revoked [P6]', async () => {
        const token = await own('s');
        await give(token, grant('here', { scope: 'project', scopeKey: '/w' }), grant('other'));
        await journal.release('s', token);
        expect(await journal.delete('s')).toEqual({ ok: true });
        const revoke = (grantId: string) =>
          journal.revokeGrant({ type: 'grant.revoked', grantId, by: 'ann', at: 5 });
        expect(await revoke('here')).toEqual({ ok: true });
        expect((await other.grants('all')).map(({ id }) => id)).toEqual(['other']);
        expect(await other.revoked(['here', 'other'])).toEqual(['here']);
        expect(await revoke('never')).toEqual({
          ok: false,
          failure: { code: 'unknown_grant', grantId: 'never' },
        });
      });

      test('all grants in force are listed, whosesoever they are, without those revoked or used up [P6]', async () => {
        const token = await own('s');
        const mine = grant('mine', { scope: 'session', scopeKey: 's' });
        const theirs = grant('theirs', { scope: 'session', scopeKey: 't', uses: 3 });
        const elsewhere = grant('elsewhere', { scope: 'project', scopeKey: '/w2' });
        const everywhere = grant('everywhere');
        await give(token, mine, theirs, grant('once', { uses: 1 }), elsewhere, everywhere);
        const views = [{ type: 'grant.revoked', grantId: 'mine' } as const];
        await journal.append(append('s', token, 1, { claims: ['theirs', 'once'], views }));
        expect(await other.grants('all')).toEqual([{ ...theirs, uses: 2 }, elsewhere, everywhere]);
      });
    });

    describe('inbox', () => {
      const revoke = { type: 'revoke-grant', grantId: 'g', by: 'ada' } as const;
      const cancel = { type: 'cancel', target: { type: 'all' }, by: 'ada' } as const;

      test('commands wait in order for the owner, and their outcome for who sent them [A5]', async () => {
        const token = await own('s');
        const first = await other.post('s', revoke);
        const second = await other.post('s', cancel);
        expect(await journal.inbox('s')).toEqual([
          { inboxId: first, command: revoke },
          { inboxId: second, command: cancel },
        ]);
        expect(await other.outcomeOf(first)).toBeNull();

        const ack = { ok: false, failure: { code: 'unknown_grant', grantId: 'g' } } as const;
        // A refusal leads to no events and is recorded all the same.
        expect(await journal.append(append('s', token, 0, { consumed: [{ inboxId: first, ack }] }))).toEqual({
          ok: true,
          seq: 0,
        });
        expect(await other.outcomeOf(first)).toEqual(ack);
        expect(await other.withdraw(first)).toBe(false);
        expect((await journal.inbox('s')).map(({ inboxId }) => inboxId)).toEqual([second]);
      });

      test('a command that was taken back has no effect, and its id is never used again [A5]', async () => {
        const token = await own('s');
        const inboxId = await other.post('s', revoke);
        expect(await other.withdraw(inboxId)).toBe(true);
        expect(await other.withdraw(inboxId)).toBe(false);
        const consumed = [{ inboxId, ack: { ok: true, seq: 1 } as const }];
        expect(await journal.append(append('s', token, 0, { events: [loaded('x')], consumed }))).toEqual({
          ok: false,
          failure: { code: 'command_withdrawn', inboxIds: [inboxId] },
        });
        expect(await journal.read('s', 0)).toEqual([]);
        expect(await other.outcomeOf(inboxId)).toBeNull();
        expect(await other.post('s', revoke)).toBeGreaterThan(inboxId);
      });

      test('when a command is taken back while it is carried out, exactly one of both happens [A5]', async () => {
        const token = await own('s');
        let seq = 0;
        for (let round = 0; round < 20; round++) {
          const inboxId = await other.post('s', revoke);
          const change = append('s', token, seq, {
            events: [loaded('x')],
            consumed: [{ inboxId, ack: { ok: true, seq: seq + 1 } }],
          });
          const inOrder = round % 2 === 0;
          const first = inOrder ? other.withdraw(inboxId) : null;
          const appending = journal.append(change);
          const [withdrawn, appended] = await Promise.all([first ?? other.withdraw(inboxId), appending]);
          expect(appended.ok).toBe(!withdrawn);
          if (appended.ok) seq = appended.seq;
        }
        expect(await journal.read('s', 0)).toHaveLength(seq);
      });

      test('a command for a session that does not exist is refused', async () => {
        expect(await codeOf(other.post('nobody', revoke))).toBe('unknown_session');
      });

      test('a session cannot consume what was left for another', async () => {
        const token = await own('s');
        await own('t');
        const inboxId = await other.post('t', revoke);
        const consumed = [{ inboxId, ack: { ok: true, seq: 0 } as const }];
        expect(await journal.append(append('s', token, 0, { consumed }))).toMatchObject({ ok: false });
        expect(await journal.inbox('t')).toHaveLength(1);
      });
    });

    describe('approvals', () => {
      test('what waits is listed over all sessions, oldest first, until it is answered or withdrawn [A5]', async () => {
        const token = await own('s');
        const otherToken = await own('t', other);
        const asked = (sessionId: string, ...callIds: readonly string[]) => {
          const rows = callIds.map((callId) => approval(sessionId, callId));
          return {
            events: rows.flatMap(asking),
            views: rows.map((row) => ({ type: 'approval.asked', row }) as const),
          };
        };
        await journal.append(append('s', token, 0, asked('s', 'c1')));
        await other.append(append('t', otherToken, 0, asked('t', 'c1', 'c2')));
        await journal.append(append('s', token, 3, asked('s', 'c2', 'c3')));
        const waiting = async () =>
          (await other.approvals()).map(({ sessionId, callId }) => `${sessionId}/${callId}`);
        expect(await waiting()).toEqual(['s/c1', 't/c1', 't/c2', 's/c2', 's/c3']);
        expect((await other.approvals())[0]).toEqual(approval('s', 'c1'));
        expect((await journal.approvals({ sessionId: 't' })).map(({ callId }) => callId)).toEqual([
          'c1',
          'c2',
        ]);
        expect(await journal.approvals({ sessionId: 't', callId: 'c1' })).toEqual([approval('t', 'c1')]);
        expect(await journal.approvals({ sessionId: 't', callId: 'c3' })).toEqual([]);
        expect(await journal.approvals({ sessionId: 'nobody' })).toEqual([]);

        await journal.append(
          append('s', token, 9, {
            events: [
              {
                type: 'call.answered',
                callId: 'c1',
                answer: { ...answered(), outcome: 'proceed_once', feedback: null },
              },
            ],
            views: [
              { type: 'approval.answered', callId: 'c1', answer: answered() },
              { type: 'approval.withdrawn', callId: 'c2' },
              { type: 'call.settled', row: call('s', 'c3') },
            ],
          }),
        );
        expect(await waiting()).toEqual(['t/c1', 't/c2']);
        expect(await other.answerOf('s', 'c1')).toEqual(answered());
        expect(await other.answerOf('s', 'c2')).toBeNull();
        expect(await other.answerOf('t', 'c1')).toBeNull();
      });

      test('an answer stays after its call has ended, also when all of it is one append [A5]', async () => {
        const token = await own('s');
        await journal.append(
          append('s', token, 0, {
            views: [
              { type: 'approval.asked', row: approval('s', 'c1') },
              { type: 'approval.answered', callId: 'c1', answer: answered() },
              { type: 'approval.withdrawn', callId: 'c1' },
              { type: 'call.settled', row: call('s', 'c1') },
            ],
          }),
        );
        expect(await journal.approvals()).toEqual([]);
        expect(await journal.answerOf('s', 'c1')).toEqual(answered());
        expect(await journal.calls()).toEqual([call('s', 'c1')]);
      });

      test('a question that changed replaces the old one in its place, and an answered call can be asked about again', async () => {
        const token = await own('s');
        let seq = 0;
        const ask = async (callId: string, digest: string) => {
          const row = approval('s', callId, digest);
          const views = [{ type: 'approval.asked', row } as const];
          const appended = await journal.append(append('s', token, seq, { events: asking(row), views }));
          if (appended.ok) seq = appended.seq;
        };
        await ask('c1', 'old');
        await ask('c2', 'x');
        await ask('c1', 'new');
        expect((await journal.approvals()).map(({ callId, question }) => [callId, question.digest])).toEqual([
          ['c1', 'new'],
          ['c2', 'x'],
        ]);
        await journal.append(
          append('s', token, seq, {
            views: [{ type: 'approval.answered', callId: 'c1', answer: answered('new') }],
          }),
        );
        await ask('c1', 'wider');
        expect(await journal.answerOf('s', 'c1')).toBeNull();
        expect((await journal.approvals()).map(({ question }) => question.digest).sort()).toEqual([
          'wider',
          'x',
        ]);
      });

      test('ids that differ only in odd characters are not mixed up', async () => {
        const ids = ['c\0a', 'c\0b', 'c', 'c\ud800', 'c\ud801', 'c\ufffd', '"c"', "c'--", 'ç', ''];
        for (const id of ids) {
          const token = await own(`s${id}`);
          const row = approval(`s${id}`, id);
          const views = [
            { type: 'approval.asked', row } as const,
            { type: 'grant.added', grant: grant(id) } as const,
          ];
          expect(
            await journal.append(append(`s${id}`, token, 0, { events: asking(row), views })),
          ).toMatchObject({ ok: true });
        }
        expect((await other.approvals()).map(({ callId }) => callId)).toEqual(ids);
        expect((await other.grants({ sessionId: '', workspace: '' })).map(({ id }) => id)).toEqual(ids);
        expect(new Set((await other.list()).map(({ sessionId }) => sessionId))).toEqual(
          new Set(ids.map((id) => `s${id}`)),
        );
        for (const id of ids)
          expect(await other.read(`s${id}`, 0)).toEqual(
            asking(approval(`s${id}`, id)).map((event, seq) => ({ seq, event })),
          );
      });

      test('a thousand ended calls are counted once each', async () => {
        const token = await own('s');
        const rows = Array.from({ length: 1_000 }, (_, index) => call('s', `c${index}`));
        const views = rows.map((row) => ({ type: 'call.settled', row }) as const);
        await journal.append(append('s', token, 0, { events: [opened()], views }));
        await journal.append(append('s', token, 0, { events: [opened()], views }));
        expect(await other.calls()).toEqual(rows);
      });
    });

    const said = (id: number, text: string): Event => ({
      type: 'message.added',
      message: {
        id,
        at: id,
        role: 'user',
        parts: [{ text }, { inlineData: { mimeType: 'image/png', data: 'AA==' } }, { text: 'and "more"' }],
        by: 'ada',
        promptId: 'p',
      },
    });

    describe('messages', () => {
      const usage = { inputTokens: 9, outputTokens: 8, cachedTokens: 7, thoughtTokens: 6 };
      const answer = (id: number, used: typeof usage | null): Event => ({
        type: 'message.added',
        message: {
          id,
          at: id,
          role: 'model',
          parts: [{ text: 'Yes.' }],
          model: 'm-1',
          usage: used,
          finish: 'STOP',
          turn: null,
          promptId: 'p',
        },
      });
      const summed: Event = { type: 'history.compressed', summary: 'Short.', keptFrom: 2, usage, at: 5 };

      test('what was said is listed by session, with first words, model and tokens [O2]', async () => {
        const token = await own('s');
        await write('s', token, [opened(), said(1, 'Fix it'), answer(2, usage)]);
        await write('s', token, [loaded('x')]);
        await write('s', token, [answer(3, null), summed, { ...summed, summary: '', usage: null }]);
        const otherToken = await own('"t"', other);
        await write('"t"', otherToken, [said(1, '\u{1f512}'.repeat(500))], other);

        const base = { sessionId: 's', words: null, model: null, usage: null };
        const inS = [
          { ...base, at: 1, role: 'user', words: 'Fix it and "more"' },
          { ...base, at: 2, role: 'model', model: 'm-1', usage },
          { ...base, at: 3, role: 'model', model: 'm-1' },
          { ...base, at: 5, role: 'summary', usage },
        ];
        const inT = [{ ...base, sessionId: '"t"', at: 1, role: 'user', words: '\u{1f512}'.repeat(200) }];
        expect(await other.messages('all')).toEqual([...inS, ...inT]);
        expect(await other.messages(['"t"', 'nobody'])).toEqual(inT);
        expect(await other.messages([])).toEqual([]);
      });

      test('half a character, as earlier releases stored it, is read as a replacement character [J1]', async () => {
        const token = await own('s');
        await write('s', token, [opened(), said(1, 'cut \ud83d')]);
        await write('s', token, [said(2, '\ude00 cut \u{1f512}')]);
        const words = (await other.messages('all')).map((row) => row.words);
        expect(words).toEqual(['cut \ufffd and "more"', '\ufffd cut \u{1f512} and "more"']);
      });
    });

    describe('deleting', () => {
      test('a session that is deleted is gone with all that was derived from it; others are as they were [J3]', async () => {
        for (const id of ['s', 't']) {
          const token = await own(id);
          const views = [
            { type: 'approval.asked', row: approval(id, 'c1') } as const,
            { type: 'approval.answered', callId: 'c2', answer: answered() } as const,
            { type: 'call.settled', row: call(id, 'c2') } as const,
            { type: 'grant.added', grant: grant(`${id}-own`, { scope: 'session', scopeKey: id }) } as const,
            { type: 'grant.added', grant: grant(`${id}-all`) } as const,
          ];
          await journal.append(
            append(id, token, 0, {
              events: [...everyEvent, said(1, id), ...asking(approval(id, 'c1'))],
              views,
            }),
          );
          await journal.release(id, token);
          await other.post(id, { type: 'cancel', target: { type: 'all' }, by: 'ada' });
        }
        expect(await journal.delete('s')).toEqual({ ok: true });

        expect(await codeOf(other.read('s', 0))).toBe('unknown_session');
        expect(await other.session('s')).toBeNull();
        expect((await other.list()).map(({ sessionId }) => sessionId)).toEqual(['t']);
        expect(await other.inbox('s')).toEqual([]);
        expect((await other.approvals()).map(({ sessionId }) => sessionId)).toEqual(['t']);
        expect(await other.answerOf('s', 'c2')).toBeNull();
        expect(await other.calls()).toEqual([call('t', 'c2')]);
        expect((await other.messages('all')).map(({ words }) => words)).toContain('t and "more"');
        expect(await other.messages(['s'])).toEqual([]);
        expect((await other.grants('all')).map(({ id }) => id)).toEqual(['s-all', 't-own', 't-all']);
        expect(await other.read('t', 0)).toHaveLength(everyEvent.length + 4);
        expect(await other.inbox('t')).toHaveLength(1);
        expect(await journal.delete('s')).toEqual({
          ok: false,
          failure: { code: 'unknown_session', sessionId: 's' },
        });
      });

      test('a session that a process works on is not deleted, and afterwards its id is free [J3]', async () => {
        const token = await own('s', other);
        await write('s', token, [opened()], other);
        for (const handle of [journal, other]) {
          expect(await handle.delete('s')).toEqual({
            ok: false,
            failure: { code: 'session_owned', sessionId: 's', pid: expect.any(Number) },
          });
        }
        expect(await journal.read('s', 0)).toHaveLength(1);
        await other.release('s', token);
        expect(await journal.delete('s')).toEqual({ ok: true });
        const again = await own('s', other);
        expect(await write('s', again, [opened()], other)).toBe(1);
      });
    });

    describe('watching', () => {
      const QUIET_MS = 200;
      const WOKEN_MS_MAX = 10_000;

      async function woken(change: () => Promise<unknown>, withinMs = WOKEN_MS_MAX): Promise<boolean> {
        let stop = () => {};
        const waking = new Promise<boolean>((resolve) => {
          stop = journal.watch(() => resolve(true));
        });
        try {
          await change();
          return await Promise.race([waking, sleep(withinMs, false)]);
        } finally {
          stop();
        }
      }

      test('a watcher is woken soon after another handle writes, and not by its own writes', async () => {
        const token = await own('s');
        const otherToken = await own('t', other);
        expect(await woken(() => other.append(append('t', otherToken, 0, { events: [opened()] })))).toBe(
          true,
        );
        expect(
          await woken(() => other.post('s', { type: 'cancel', target: { type: 'all' }, by: 'ada' })),
        ).toBe(true);
        const byItself = () => journal.append(append('s', token, 0, { events: [opened()] }));
        expect(await woken(byItself, QUIET_MS)).toBe(false);
      });

      test('every watcher is woken, but not who has stopped', async () => {
        const otherToken = await own('t', other);
        const heard = { stays: 0, leaves: 0 };
        const stay = journal.watch(() => heard.stays++);
        const leave = journal.watch(() => heard.leaves++);
        leave();
        leave();
        await other.append(append('t', otherToken, 0, { events: [opened()] }));
        await expect.poll(() => heard.stays).toBe(1);
        stay();
        await other.append(append('t', otherToken, 1, { events: [loaded('x')] }));
        await sleep(QUIET_MS / 4);
        expect(heard).toEqual({ stays: 1, leaves: 0 });
      });
    });

    test('a closed journal refuses everything and breaks nothing', async () => {
      const token = await own('s');
      await journal.close();
      await journal.close();
      await journal.release('s', token);
      const unavailable = { ok: false, failure: { code: 'journal_unavailable' } };
      expect(await journal.append(append('s', token, 0, { events: [opened()] }))).toMatchObject(unavailable);
      expect(await journal.own('s')).toMatchObject(unavailable);
      expect(await journal.delete('s')).toMatchObject(unavailable);
      const calls = [
        journal.read('s', 0),
        journal.list(),
        journal.session('s'),
        journal.post('s', { type: 'revoke-grant', grantId: 'g', by: 'ada' }),
        journal.inbox('s'),
        journal.outcomeOf(1),
        journal.withdraw(1),
        journal.approvals(),
        journal.answerOf('s', 'c'),
        journal.calls(),
        journal.messages('all'),
        journal.grants({ sessionId: 's', workspace: '' }),
        journal.revoked(['g']),
      ];
      expect(new Set(await Promise.all(calls.map(codeOf)))).toEqual(new Set(['journal_unavailable']));
      expect(() => journal.watch(() => {})).toThrow(JournalError);
      expect(await other.read('s', 0)).toEqual([]);
    });
  });
};
