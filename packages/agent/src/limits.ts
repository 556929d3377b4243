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

/** Why the model may not be asked once more, for the `turn`th time. */
export function limitReached(
  { turnsMax, tokensMax, dollarsMax }: AgentLimits,
  turn: number,
  { inputTokens, outputTokens, cost }: Spending,
): Failure | null {
  if (turn > turnsMax) return { code: 'turn_limit', turnsMax };
  if (tokensMax !== null && inputTokens + outputTokens >= tokensMax)
    return { code: 'budget_spent', what: 'tokens', limit: tokensMax };
  if (dollarsMax !== null && cost !== null && cost >= dollarsMax)
    return { code: 'budget_spent', what: 'dollars', limit: dollarsMax };
  return null;
}
