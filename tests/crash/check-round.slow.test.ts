import type { Event } from '@countersign/protocol';
import { beforeAll, expect, test } from 'vitest';
import { checkRound, type Evidence, type ViolationKind } from './check-round.mjs';
import { KILL_POINTS } from './kill-points.mjs';
import { playRound } from './round.mjs';
import { planRoundAt } from './round-plan.mjs';

// A check that cannot fail proves nothing. Here the evidence of a real round is falsified, one thing at a time.

const TIMEOUT_MS = 120_000;

let sound: Evidence;

beforeAll(async () => {
  const point = KILL_POINTS.find(({ title }) => title === 'start: as slow-1 is entered');
  if (!point) throw new Error('the kill point is gone');
  const proceed = ['proceed_once', 'proceed_once'] as const;
  const sayings = {
    'tick-1': proceed,
    'tick-2': proceed,
    'tick-3': proceed,
    'tick-4': ['cancel', 'cancel'] as const,
  };
  const result = await playRound({ ...planRoundAt(point, 1, 0), recovery: 'resume', sayings });
  sound = result.evidence;
}, TIMEOUT_MS);

const is = (type: Event['type'], callId: string) => (event: Event) =>
  event.type === type && 'callId' in event && event.callId === callId;
const without = (events: readonly Event[], leaveOut: (event: Event) => boolean) =>
  events.filter((event) => !leaveOut(event));
const changed = (events: readonly Event[], which: (event: Event) => boolean, change: object) =>
  events.map((event) => (which(event) ? { ...event, ...change } : event));

/** The journal at the end and in all looks: a lie that is told everywhere. */
function everywhere(evidence: Evidence, change: (events: readonly Event[]) => readonly Event[]): Evidence {
  const looks = evidence.looks.map((look) => ({ ...look, journal: change(look.journal) }));
  return { ...evidence, journal: change(evidence.journal), looks };
}

const effectOf = (callId: string) => ({ what: 'effect', callId, attempt: 1, pid: 1 }) as const;
const enteredBy = (callId: string) => ({ what: 'entered', callId, attempt: 1, pid: 1 }) as const;

test('a round as it was shows nothing wrong', () => {
  expect(checkRound(sound)).toEqual([]);
  expect(sound.journal.filter(is('call.failed', 'slow-1'))).toMatchObject([
    { failure: { code: 'interrupted' }, partial: { mayHaveHappened: true } },
  ]);
});

const FALSIFICATIONS: readonly [string, ViolationKind, (evidence: Evidence) => Evidence][] = [
  [
    'a second tick in the world',
    'duplicated',
    (round) => ({ ...round, world: [...round.world, effectOf('tick-1')] }),
  ],
  [
    'a second entry of a call that was interrupted',
    'duplicated',
    (round) => ({ ...round, world: [...round.world, enteredBy('slow-1')] }),
  ],
  [
    'a call that has no end',
    'lost',
    (round) => ({ ...round, journal: without(round.journal, is('call.succeeded', 'tick-2')) }),
  ],
  [
    'a call that ended twice',
    'duplicated',
    (round) => ({
      ...round,
      journal: [...round.journal, ...round.journal.filter(is('call.succeeded', 'tick-2'))],
    }),
  ],
  [
    'a call that was never taken in',
    'lost',
    (round) => ({ ...round, calls: [...round.calls, { callId: 'tick-5', tool: 'tick' }] }),
  ],
  [
    'a fact that was told and is gone',
    'lost',
    (round) => ({ ...round, journal: without(round.journal, is('call.planned', 'probe-1')) }),
  ],
  [
    'a start without a grant',
    'without grant',
    (round) => everywhere(round, (events) => without(events, is('call.granted', 'tick-1'))),
  ],
  [
    'a grant for another digest',
    'without grant',
    (round) =>
      everywhere(round, (events) =>
        changed(events, is('call.granted', 'tick-1'), {
          permit: { digest: 'another', by: { type: 'policy', rule: null } },
        }),
      ),
  ],
  [
    'a grant by nobody of the people who were asked',
    'without grant',
    (round) => ({
      ...round,
      clients: round.clients.map((client) => ({ ...client, by: `not ${client.by}` })),
    }),
  ],
  [
    'a run of a call that was declined',
    'without grant',
    (round) => ({ ...round, world: [...round.world, enteredBy('tick-4')] }),
  ],
  [
    'a run before its start was written down',
    'without grant',
    (round) => ({
      ...round,
      looks: round.looks.map((look) => ({ ...look, world: [...look.world, enteredBy('tick-1')] })),
    }),
  ],
  [
    'a success that never happened',
    'false report',
    (round) => ({ ...round, world: round.world.filter(({ callId }) => callId !== 'tick-3') }),
  ],
  [
    'an interrupted call that claims to be sure',
    'false report',
    (round) => ({
      ...round,
      journal: changed(round.journal, is('call.failed', 'slow-1'), { partial: null }),
    }),
  ],
  [
    'an approval that no longer waits',
    'approvals',
    (round) => ({ ...round, looks: round.looks.map((look) => ({ ...look, listed: look.listed.slice(1) })) }),
  ],
  [
    'an approval that waits under another digest',
    'approvals',
    (round) => ({
      ...round,
      looks: round.looks.map((look) => ({
        ...look,
        listed: look.listed.map((question) => ({ ...question, digest: 'another' })),
      })),
    }),
  ],
  [
    'two clients that are both told that their answer counts',
    'approvals',
    (round) => ({ ...round, clients: round.clients.map((client) => ({ ...client, ack: { ok: true } })) }),
  ],
  [
    'a client that is refused without being told who was first',
    'approvals',
    (round) => ({
      ...round,
      clients: round.clients.map((client) =>
        client.ack?.ok
          ? client
          : { ...client, ack: { ok: false, error: { type: 'unknown_call', message: 'no' } } },
      ),
    }),
  ],
  [
    'a result line that is not what happened',
    'false report',
    (round) => ({
      ...round,
      owners: round.owners.map((owner) => ({
        ...owner,
        results: owner.results.map((line) => ({ ...line, status: 'success' })),
      })),
    }),
  ],
  ['a round in which nothing was killed', 'no kill', (round) => ({ ...round, wasReached: false })],
];

test.each(FALSIFICATIONS)('%s is found', (_, kind, falsify) => {
  const violations = checkRound(falsify(sound));
  expect(violations.map((violation) => violation.kind)).toContain(kind);
});
