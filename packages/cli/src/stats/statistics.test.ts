import type { CallRow, MessageRow } from '@countersign/engine';
import { expect, test } from 'vitest';
import { statisticsOf } from './statistics.js';

const row = (changes: Partial<CallRow> = {}): CallRow => ({
  sessionId: 's',
  callId: 'c',
  turn: 1,
  tool: 'look',
  status: 'success',
  requestedAt: 0,
  startedAt: 0,
  endedAt: 0,
  waitedMs: 0,
  decidedBy: null,
  failure: null,
  ...changes,
});

test('times are what half and 95 of 100 calls stay below; what never ran has none [O2]', () => {
  const ran = Array.from({ length: 100 }, (_, index) => row({ endedAt: 100 - index }));
  const never = row({ startedAt: null, endedAt: 5_000, status: 'error' });
  expect(statisticsOf([...ran, never], []).all).toMatchObject({
    calls: 101,
    succeeded: 100,
    failed: 1,
    medianMs: 50,
    p95Ms: 95,
    medianWaitMs: null,
  });
  expect(statisticsOf([row({ endedAt: 7, waitedMs: 3 })], []).all).toMatchObject({
    medianMs: 7,
    p95Ms: 7,
    medianWaitMs: 3,
    p95WaitMs: 3,
  });
  expect(statisticsOf([], []).all).toMatchObject({ calls: 0, medianMs: null, p95Ms: null });
});

test('calls are counted by the rule that judged them, also where a person answered [O2]', () => {
  const asked = {
    rule: '/w/rules.toml:3',
    verdict: 'ask_user',
    decider: 'person',
    decidedBy: 'ada',
  } as const;
  const { byRule } = statisticsOf(
    [
      row(asked),
      row({ ...asked, status: 'cancelled', waitedMs: 5 }),
      row({ rule: '/w/rules.toml:9', verdict: 'deny', status: 'error' }),
      row({ verdict: 'ask_user' }),
      row(),
    ],
    [],
  );
  expect(byRule).toMatchObject([
    { name: '/w/rules.toml:3 ask_user', calls: 2, succeeded: 1, cancelled: 1, waited: 1 },
    { name: '/w/rules.toml:9 deny', calls: 1, failed: 1 },
  ]);
});

test('days without calls are among the others, also over a change of the clocks [O2]', () => {
  const at = (day: string) => new Date(`${day}T23:30:00`).getTime();
  const { byDay } = statisticsOf(
    [row({ endedAt: at('2026-10-23') }), row({ endedAt: at('2026-10-27'), status: 'cancelled' })],
    [],
  );
  expect(byDay.map(({ day, calls, succeeded }) => [day.slice(-2), calls, succeeded])).toEqual([
    ['23', 1, 1],
    ['24', 0, 0],
    ['25', 0, 0],
    ['26', 0, 0],
    ['27', 1, 0],
  ]);
});

test('a clock that was wrong once does not make endless days [O2]', () => {
  const { byDay } = statisticsOf([row({ endedAt: 0 }), row({ endedAt: Date.UTC(2026, 0, 1) })], []);
  expect(byDay.length).toBe(400);
  expect(byDay.at(-1)).toMatchObject({ calls: 1 });
});

test('a summary counts for the model that answered before it in its session [O2]', () => {
  const usage = { inputTokens: 1_000_000, outputTokens: 0, cachedTokens: 0, thoughtTokens: 0 };
  const said = (changes: Partial<MessageRow>): MessageRow => ({
    sessionId: 's',
    at: 0,
    role: 'model',
    words: null,
    model: 'gemini-3-flash-x',
    usage,
    ...changes,
  });
  const { byModel } = statisticsOf(
    [],
    [
      said({ role: 'user', model: null, usage: null, words: 'hi' }),
      said({}),
      said({ role: 'summary', model: null }),
      said({ model: 'nobody-knows', usage: null }),
      said({ sessionId: 't', role: 'summary', model: null }),
    ],
  );
  expect(byModel.map(({ model, requests, dollars }) => [model, requests, dollars])).toEqual([
    ['gemini-3-flash-x', 2, 1],
    ['unknown', 1, null],
    ['nobody-knows', 1, null],
  ]);
});
