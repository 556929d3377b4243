import { factsOf } from '@countersign/models';
import type { Failure } from '@countersign/protocol';
import type { Spending } from './spending.js';

export type AgentLimits = {
  /** Requests to the model for one prompt. */
  readonly turnsMax: number;
  /** Tokens and US dollars for the whole session; null for no limit. */
  readonly tokensMax: number | null;
  readonly dollarsMax: number | null;
};

export const DEFAULT_AGENT_LIMITS: AgentLimits = { turnsMax: 100, tokensMax: null, dollarsMax: null };

/** Why this model may not be asked once more, for the `turn`th time. A limit that cannot be counted is reached. */
export function limitReached(
  { turnsMax, tokensMax, dollarsMax }: AgentLimits,
  turn: number,
  model: string,
  { inputTokens, outputTokens, cost, unpriced, unmetered }: Spending,
): Failure | null {
  if (turn > turnsMax) return { code: 'turn_limit', turnsMax };
  if (tokensMax !== null && inputTokens + outputTokens >= tokensMax)
    return { code: 'budget_spent', what: 'tokens', limit: tokensMax };
  if (tokensMax !== null && unmetered !== null) return notCounted('tokens', tokensMax, unmetered);
  if (dollarsMax === null) return null;
  if (cost !== null && cost >= dollarsMax)
    return { code: 'budget_spent', what: 'dollars', limit: dollarsMax };
  if (unmetered !== null) return notCounted('dollars', dollarsMax, unmetered);
  const withoutPrice = unpriced ?? (factsOf(model).price === null ? model : null);
  if (withoutPrice === null) return null;
  return noPrice(dollarsMax, withoutPrice);
}

/** What a complete answer has to say of the limits: that it used more than they allow, or that it cannot be known. */
export function limitExceeded(
  { tokensMax, dollarsMax }: AgentLimits,
  { inputTokens, outputTokens, cost, unpriced, unmetered }: Spending,
): Failure | null {
  const answered = true;
  if (tokensMax !== null && inputTokens + outputTokens > tokensMax)
    return { code: 'budget_spent', what: 'tokens', limit: tokensMax, answered };
  if (dollarsMax !== null && cost !== null && cost > dollarsMax)
    return { code: 'budget_spent', what: 'dollars', limit: dollarsMax, answered };
  if (tokensMax !== null && unmetered !== null)
    return { ...notCounted('tokens', tokensMax, unmetered), answered };
  if (dollarsMax === null) return null;
  if (unmetered !== null) return { ...notCounted('dollars', dollarsMax, unmetered), answered };
  return unpriced === null ? null : { ...noPrice(dollarsMax, unpriced), answered };
}

type Unknown = Extract<Failure, { code: 'budget_unknown' }>;

const noPrice = (limit: number, model: string): Unknown => ({
  code: 'budget_unknown',
  what: 'dollars',
  limit,
  model,
  because: 'no price',
});

const notCounted = (what: 'tokens' | 'dollars', limit: number, model: string): Unknown => ({
  code: 'budget_unknown',
  what,
  limit,
  model,
  because: 'no token count',
});
