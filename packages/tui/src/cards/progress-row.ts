import { visibleLine } from '@countersign/display';
import type { Live } from '@countersign/protocol';
import { type StyledRow, seg } from '../text/styled.js';
import { cutRow } from '../text/wrap.js';

const BAR_COLUMNS = 20;

/** How far a call has come, with the numbers that it gives. */
export function progressRow(progress: NonNullable<Live['progress']>, columns: number): StyledRow {
  const { done, total, message } = progress;
  const words = message === undefined ? '' : ` ${visibleLine(message)}`;
  if (total === undefined || !(total > 0)) return cutRow([seg(`${numberText(done)}${words}`)], columns);
  const share = Math.min(1, Math.max(0, done / total));
  const filled = Math.round(share * BAR_COLUMNS);
  const bar = [
    seg('█'.repeat(filled), 'accent'),
    seg('░'.repeat(BAR_COLUMNS - filled), 'dim'),
    seg(` ${Math.floor(share * 100)} % (${numberText(done)} of ${numberText(total)})${words}`),
  ];
  return cutRow(bar, columns);
}

const numberText = (value: number): string =>
  Number.isInteger(value) ? value.toLocaleString('en') : String(Math.round(value * 100) / 100);
