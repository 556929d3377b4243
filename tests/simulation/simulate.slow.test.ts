import type { SessionClient } from '@countersign/client';
import { expect, test } from 'vitest';
import {
  type Invariant,
  type Sabotage,
  simulate,
  Violation,
} from '../../packages/testkit/src/simulate/index.js';
import { alteredJournal } from '../engine/altered-journal.js';

/** `node scripts/simulate.mjs --seeds 10000` runs more of them, by night. */
const SEEDS = 500;
const AT_ONCE = 100;
const TIMEOUT_MS = 120_000;
const ranges = Array.from({ length: SEEDS / AT_ONCE }, (_, index) => ({
  from: index * AT_ONCE + 1,
  to: (index + 1) * AT_ONCE,
}));

const seen = new Map<string, number>();

test.each(ranges)(
  'whatever fails and whenever it crashes, nothing is lost, repeated or run without consent: seeds $from to $to [S5, J1, J2, A5, A6, H2, B2]',
  async ({ from, to }) => {
    for (let seed = from; seed <= to; seed++) {
      const { counts } = await simulate(seed);
      expect(counts.size, `seed ${seed} did nothing`).toBeGreaterThan(0);
      for (const [what, times] of counts) seen.set(what, (seen.get(what) ?? 0) + times);
    }
  },
  TIMEOUT_MS,
);

test('those runs came across everything that they are meant to', () => {
  const missing = WORTH_SEEING.filter((what) => !seen.has(what));
  expect(missing).toEqual([]);
});
const WORTH_SEEING = [
  'crash',
  'take the session over',
  'dispose',
  'appends fail',
  'reads fail',
  'the journal is slow',
  'forge an answer',
  'several people answer in one tick',
  'answers in the tick of the question',
  'append refused: claim_lost',
  'append refused: command_withdrawn',
  'append refused: owner_lost',
  'call.retried',
  'call.rewritten',
  'call.aborting',
  'call.hooked',
  'call.finished',
  'call.blocked',
  'call.failed hook_denied',
  'granted by hook',
  'a call follows',
  'grant.added',
  'grant.revoked',
  'ack answer ok',
  'ack answer said before',
  'ack answer already_answered',
  'ack answer question_changed',
  'ack answer path_not_shown',
  'batch ok',
  'batch disposed',
];

test('one seed is one run: it does the same again', async () => {
  expect(await logOf(7)).toEqual(await logOf(7));
});

async function logOf(seed: number): Promise<string[]> {
  const lines: string[] = [];
  await simulate(seed, { log: (line) => lines.push(line) });
  expect(lines.length).toBeGreaterThan(50);
  // Ids that the engine makes are random, and digests contain them.
  return lines.map((line) => line.replaceAll(/[0-9a-f]{8,}/g, '…'));
}

test('a violation says which seed, which step, what does not hold and how to see it again', async () => {
  const { message, seed, step, invariant } = await firstViolation({ consent: () => null });
  expect(message).toContain(`Seed ${seed}, step ${step}:`);
  expect(message).toContain(`[${invariant}]`);
  expect(message).toContain(`node scripts/simulate.mjs --seed ${seed} --verbose`);
  await expect(simulate(seed, { sabotage: { consent: () => null } })).rejects.toThrow(message);
});

test('it notices a journal that forgets what it acknowledged [J1]', async () => {
  let appends = 0;
  // Its owner may be the first to see that the store is not as it left it, and take that for another writer.
  const { invariant } = await firstViolation(
    {
      journal: (inner) =>
        alteredJournal(inner, {
          append: async (append) =>
            ++appends % 5 === 0
              ? { ok: true, seq: append.expectedSeq + append.events.length }
              : inner.append(append),
        }),
    },
    'ownership',
  );
  expect<Invariant[]>(['durable', 'fold', 'lifecycle', 'views']).toContain(invariant);
});

test('it notices a journal that loses answers [A6]', async () => {
  const { invariant } = await firstViolation(
    {
      journal: (inner) =>
        alteredJournal(inner, {
          append: (append) => {
            const events = append.events.filter(({ type }) => type !== 'call.answered');
            return inner.append({ ...append, events });
          },
        }),
    },
    'ownership',
  );
  expect<Invariant[]>(['durable', 'fold']).toContain(invariant);
});

test('it notices a tool that is run twice [J2]', async () => {
  const { invariant } = await firstViolation({
    tool: (tool) => ({
      ...tool,
      run: (args, context) => {
        const first = tool.run(args, context);
        void Promise.resolve(tool.run(args, context)).catch(() => undefined);
        return first;
      },
    }),
  });
  expect(invariant).toBe('once');
});

test('it notices a call that runs with other arguments than were granted', async () => {
  const { invariant } = await firstViolation({
    tool: (tool) => ({ ...tool, run: (args, context) => tool.run({ ...args, n: -1 }, context) }),
  });
  expect(invariant).toBe('consent');
});

test('it notices an answer that no one gave, or that was given to something else [A5]', async () => {
  const forgotten = await firstViolation({ consent: () => null });
  expect(forgotten.invariant).toBe('consent');
  const altered = await firstViolation({ consent: (consent) => ({ ...consent, args: '{}' }) });
  expect(altered.invariant).toBe('consent');
});

test('it notices hooks that are not respected, or heard to say what they did not [H2]', async () => {
  const passedOver = await firstViolation({
    hooks: (hooks) => ({
      ...hooks,
      before: (call) => hooks.before(call)?.then((report) => ({ ...report, advice: null })) ?? null,
    }),
  });
  expect(passedOver.invariant).toBe('consent');
  const madeUp = await firstViolation({
    hooks: (hooks) => ({
      ...hooks,
      after: async (call, outcome) => {
        const replaced = { llmContent: 'what nobody said', returnDisplay: '' };
        return { ...(await hooks.after(call, outcome)), outcome: { ok: true, result: replaced } };
      },
    }),
  });
  expect(madeUp.invariant).toBe('lifecycle');
});

test('it notices calls that end before the hooks that listen have looked [L1]', async () => {
  const { invariant } = await firstViolation({ hooks: (hooks) => ({ ...hooks, listensAfter: () => false }) });
  expect(invariant).toBe('lifecycle');
});

test('it notices conflicting calls that overlap', async () => {
  const { invariant } = await firstViolation({
    tool: (tool) => ({
      ...tool,
      plan: async (args, context) => {
        const draft = await tool.plan(args, context);
        const isOwnFile = draft.resources.every(
          (touched) => 'path' in touched && touched.path.startsWith('/w'),
        );
        return isOwnFile ? { ...draft, resources: [] } : draft;
      },
    }),
  });
  expect(invariant).toBe('exclusion');
});

test('it notices a subscriber that misses an event, and one that gets an event twice [S5]', async () => {
  const lossy = await firstViolation({
    client: changedStream((batch) => batch.filter((_, index) => index % 4 !== 3)),
  });
  expect(lossy.invariant).toBe('order');
  const repeating = await firstViolation({
    client: changedStream((batch) => [...batch, ...batch.slice(-1)]),
  });
  expect(repeating.invariant).toBe('order');
});

const changedStream =
  (change: <T>(batch: readonly T[]) => readonly T[]) =>
  (client: SessionClient): SessionClient => ({
    sessionId: client.sessionId,
    send: (command) => client.send(command),
    async *events(fromSeq, signal) {
      for await (const batch of client.events(fromSeq, signal)) yield change(batch);
    },
  });

const TRIES_MAX = 100;

/** `but`: the first that breaks another invariant than this. */
async function firstViolation(sabotage: Partial<Sabotage>, but?: Invariant): Promise<Violation> {
  for (let seed = 1; seed <= TRIES_MAX; seed++) {
    try {
      await simulate(seed, { sabotage });
    } catch (thrown) {
      if (!(thrown instanceof Violation)) throw thrown;
      if (thrown.invariant !== but) return thrown;
    }
  }
  throw new Error(`${TRIES_MAX} runs were sabotaged, and none of them noticed`);
}
