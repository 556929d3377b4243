import { visibleLine } from '@countersign/display';
import { row, type StyledRow } from '../text/styled.js';
import { cutRow, widthOf } from '../text/wrap.js';
import type { Pending, QueuePlace } from './pending.js';

/** Above it is what happens meanwhile, beneath it a question. */
export function headingRow(
  { where, request }: Pending,
  { number, count }: QueuePlace,
  columns: number,
): StyledRow {
  const queue = count > 1 ? ` · ${number} of ${count}` : '';
  const session = where === null ? '' : ` · in the session ${visibleLine(where)}`;
  const heading = cutRow(
    row(`── ${visibleLine(request.name)}: your answer is needed${queue}${session} `, 'warn'),
    columns,
  );
  return [...heading, { text: '─'.repeat(Math.max(0, columns - widthOf(heading))), role: 'warn' }];
}
