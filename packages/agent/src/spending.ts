import { costOf, countedUsage } from '@countersign/models';
import type { TokenUsage } from '@countersign/protocol';
import { SAID_BY_HOOK } from './hooks/agent-hooks.js';

/** The total usage of all responses of a session. */
export type Spending = TokenUsage & {
  readonly requests: number;
  /** US dollars, by list prices; null as soon as a price or the usage of a request is not known. */
  readonly cost: number | null;
  /** The first model that used tokens and whose price we do not know; null if there is none. */
  readonly unpriced: string | null;
  /** The first model that did not report how many tokens it used; null if there is none. */
  readonly unmetered: string | null;
};

export const NOTHING_SPENT: Spending = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  thoughtTokens: 0,
  requests: 0,
  cost: 0,
  unpriced: null,
  unmetered: null,
};

/** The usage of an answer, whatever provider reported it; null if that says nothing. */
export const usageOfAnswer = (usage: TokenUsage | null, finish: string): TokenUsage | null =>
  finish === SAID_BY_HOOK ? usage : countedUsage(usage);

/** After one more complete answer of this model. */
export const spent = (before: Spending, usage: TokenUsage | null, model: string): Spending => {
  const cost = usage && costOf(model, usage);
  const unpriced = usage !== null && cost === null ? model : null;
  const unmetered = usage === null ? model : null;
  const more = { ...NOTHING_SPENT, ...usage, requests: 1, cost, unpriced, unmetered };
  return combined(before, more, (a, b) => a + b);
};

/** What was spent between then and now. */
export const spentSince = (then: Spending, now: Spending): Spending => combined(now, then, (a, b) => a - b);

const combined = (one: Spending, other: Spending, by: (a: number, b: number) => number): Spending => ({
  inputTokens: by(one.inputTokens, other.inputTokens),
  outputTokens: by(one.outputTokens, other.outputTokens),
  cachedTokens: by(one.cachedTokens, other.cachedTokens),
  thoughtTokens: by(one.thoughtTokens, other.thoughtTokens),
  requests: by(one.requests, other.requests),
  cost: one.cost === null || other.cost === null ? null : by(one.cost, other.cost),
  unpriced: one.unpriced ?? other.unpriced,
  unmetered: one.unmetered ?? other.unmetered,
});
