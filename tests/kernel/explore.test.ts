import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as kernel from '@countersign/kernel';
import type { EventType, FailureCode, Status } from '@countersign/protocol';
import { beforeAll, expect, test } from 'vitest';
import {
  type Exploration,
  explore,
  MOVES_OF_SPEC,
  PROPERTIES,
  type Property,
  WORLDS,
} from '../../packages/testkit/src/explore/index.js';
import { root } from '../../scripts/source/files.mjs';

/** Twenty seconds on an idle machine of two cores; others may be at work on it. */
const EXPLORING_MAX_MS = 300_000;

const explorations = new Map<string, Exploration>();

beforeAll(() => {
  for (const world of WORLDS) {
    const startedAt = performance.now();
    const found = explore(world, kernel, { refoldEvery: 5 });
    explorations.set(world.name, found);
    const ms = Math.round(performance.now() - startedAt);
    console.log(`${world.name}: ${found.states} states, ${found.transitions} transitions, ${ms} ms`);
  }
}, EXPLORING_MAX_MS);

/** The properties were at stake, and nothing that can happen in any world breaks them. */
function expectToHold(...properties: readonly Property[]): void {
  for (const property of properties) {
    let checked = 0;
    for (const [world, exploration] of explorations) {
      checked += exploration.checked.get(property) ?? 0;
      const broken = exploration.violations.find((violation) => violation.property === property);
      const story = broken && [
        `In "${world}", not true: ${PROPERTIES[property]}`,
        broken.detail,
        ...broken.path,
      ];
      expect(story?.join('\n')).toBeUndefined();
    }
    expect(checked, `how often "${property}" was at stake`).toBeGreaterThan(0);
  }
}

const seen = <T>(pick: (exploration: Exploration) => Iterable<T>): Set<T> =>
  new Set([...explorations.values()].flatMap((exploration) => [...pick(exploration)]));

test('every state of every world was gone through, and there are many', () => {
  const total = (pick: (exploration: Exploration) => number) =>
    [...explorations.values()].reduce((sum, exploration) => sum + pick(exploration), 0);
  console.log(
    `${total(({ states }) => states)} states, ${total(({ transitions }) => transitions)} transitions`,
  );
  expect(total(({ states }) => states)).toBeGreaterThan(30_000);
  expectToHold('finite', 'sound');
});

test('a call moves only as the table says, settles once, and its turn ends after it [L1]', () => {
  expectToHold('moves', 'settled', 'complete', 'truthful');
});

test('every move of the table is made in some world, and no other [L1]', () => {
  const statuses = Object.keys(MOVES_OF_SPEC) as (Status | 'new')[];
  const table = statuses.flatMap((from) => MOVES_OF_SPEC[from].map((to) => `${from} → ${to}`));
  // Between its plan and the verdict on it a call is still being validated.
  expect([...seen(({ moves }) => moves)].toSorted()).toEqual(
    [...table, 'validating → validating'].toSorted(),
  );
});

test('a call that is known to be wrong fails at once and harms no other [L3]', () => {
  expectToHold('broken', 'ends');
});

test('cancelling works in every status and wins over a later approval; what is over ignores it [L5]', () => {
  expectToHold('stop', 'withdrawn');
});

test('a second batch waits until the first is over, or is refused [S1]', () => {
  expectToHold('queue', 'refusals');
});

test('conflicting calls never run at the same time, and start in request order [S2]', () => {
  expectToHold('exclusion', 'order', 'prompt');
});

test('with `together` nothing starts before every call is decided [S3]', () => {
  expectToHold('together');
});

test('no more calls run, and no more attempts are made, than the limits say [S4]', () => {
  expectToHold('running', 'attempts');
});

test('touched calls tell all that the shell must know, and each call wants one thing at a time [S5]', () => {
  expectToHold('reconcile', 'effects', 'reports');
});

test('what runs is what was agreed to, and policy has the last word [A3]', () => {
  expectToHold('consent', 'denied', 'shown', 'stale', 'lastWord');
});

test('changed arguments are consent to exactly those, within what was shown; an edit is shown again [A4]', () => {
  expectToHold('within', 'edited');
});

test('a hook that denies or asks is respected, what it rewrites is what is judged, and its allow answers only what policy merely asks [H2]', () => {
  expectToHold('hooks', 'rewritten');
});

test('what AfterTool hooks look at is not run again and ends as they leave it; a call they ask for is one like any other [H2, L1]', () => {
  expectToHold('looked', 'truthful', 'followUp', 'complete');
});

test('what the sandbox stopped is asked about, and starts again only when a person agrees again [B2]', () => {
  expectToHold('blocked', 'once');
});

test('calls of a model that still speaks wait for it, and are dropped if it breaks off [G2]', () => {
  expectToHold('streamed', 'withdrawn');
});

test('the first answer wins, and the others learn whose it was [A5]', () => {
  expectToHold('first');
});

test('no one is asked where no one attends [A8]', () => {
  expectToHold('unattended');
});

test('a grant permits what was shown, as often as it may, and nothing once it is revoked [P6]', () => {
  expectToHold('grantMade', 'grantUsed', 'grantUses', 'grantGone');
});

test('the state is a fold of the facts [J1]', () => {
  expectToHold('refold');
});

test('after a crash at any moment no call is lost, none runs twice, and the mode is kept [J2]', () => {
  expectToHold('once', 'attempts', 'truthful', 'restart', 'stuck', 'ends');
});

test('what an earlier process granted starts only as the rules of the one that resumes the session let it [P5]', () => {
  expectToHold('takenUp');
});

/** Written by the mailbox and by the store, and not by a decision of the kernel. */
type NotDecided = 'command.accepted' | 'session.deleted';

test('every kind of fact is seen', () => {
  const all: { readonly [T in Exclude<EventType, NotDecided>]: true } = {
    'session.opened': true,
    'policy.loaded': true,
    'mode.changed': true,
    'turn.started': true,
    'turn.sealed': true,
    'turn.ended': true,
    'call.requested': true,
    'call.planned': true,
    'call.asked': true,
    'call.answered': true,
    'call.rewritten': true,
    'call.granted': true,
    'call.started': true,
    'call.retried': true,
    'call.aborting': true,
    'call.hooked': true,
    'call.finished': true,
    'call.blocked': true,
    'message.added': true,
    'history.compressed': true,
    'history.masked': true,
    'call.succeeded': true,
    'call.failed': true,
    'call.cancelled': true,
    'grant.added': true,
    'grant.revoked': true,
  };
  expect([...seen(({ events }) => events)].toSorted()).toEqual(Object.keys(all).toSorted());
});

test('every refusal and failure that the kernel knows is met', () => {
  const met = seen<FailureCode>(({ codes }) => codes);
  const named = failuresNamedInKernel();
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((code) => !met.has(code as FailureCode))).toEqual([]);
});

test('every property is at stake in some world', () => {
  const checked = seen(({ checked: counts }) => counts.keys());
  expect(Object.keys(PROPERTIES).filter((property) => !checked.has(property as Property))).toEqual([]);
});

/** Read from its sources, so that a new one must be met too. */
function failuresNamedInKernel(): readonly string[] {
  const folder = join(root, 'packages/kernel/src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  );
  const texts = files.map((name) => readFileSync(join(folder, name), 'utf8'));
  return [
    ...new Set(
      texts.flatMap((text) => Array.from(text.matchAll(/code: '(\w+)'/g), ([, code]) => code ?? '')),
    ),
  ];
}
