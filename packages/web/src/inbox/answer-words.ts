import { visibleLine } from '@countersign/display';

/** The answer and its author. */
export function answerWords({ by, outcome }: { readonly by: string; readonly outcome: string }): string {
  const who = visibleLine(by);
  if (outcome === 'cancel') return `${who} declined it`;
  if (outcome.startsWith('proceed_always')) return `${who} allowed it and similar calls from now on`;
  return `${who} allowed it`;
}
