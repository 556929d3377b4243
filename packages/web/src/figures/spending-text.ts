import type { AnswerOf } from '@countersign/server/client';

type Spending = AnswerOf<'statistics'>['spending'];

/** The usage of models in one line. */
export function spendingText(spending: Spending): string {
  const { inputTokens, cachedTokens, outputTokens } = spending;
  const cached = cachedTokens === 0 ? '' : ` (${countText(cachedTokens)} cached)`;
  const cost = spending.dollars === null ? 'cost unknown' : dollarsText(spending);
  return `${countText(inputTokens)} tokens in${cached}, ${countText(outputTokens)} out · ${cost}`;
}

/** Unknown is not free. Small sums need more digits. */
export const dollarsText = ({ dollars }: Spending): string =>
  dollars === null ? 'unknown' : `$${dollars.toFixed(dollars < 1 ? 4 : 2)}`;

export const countText = (count: number): string => count.toLocaleString('en');
