import type { RowSpending as Spending } from '@countersign/agent';

export { type RowSpending as Spending, spendingBy } from '@countersign/agent';

export function spendingText({ inputTokens, outputTokens, dollars }: Spending): string {
  const tokens = `${countText(inputTokens)} tokens in, ${countText(outputTokens)} out`;
  return `${tokens}, ${dollars === null ? 'cost unknown' : dollarsText(dollars)}`;
}

/** Small sums need more digits. */
export const dollarsText = (dollars: number): string => `$${dollars.toFixed(dollars < 1 ? 4 : 2)}`;

export const countText = (count: number): string => count.toLocaleString('en');
