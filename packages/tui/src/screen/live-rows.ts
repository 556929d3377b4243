import type { CallItem } from '@countersign/client';
import { isSettled } from '@countersign/protocol';
import type { SessionView, StreamView } from '@countersign/react';
import { doneCardRows, openCardRows } from '../cards/card-rows.js';
import { wordsRows } from '../cards/item-rows.js';
import { textRows } from '../text/plain-rows.js';
import { row, type StyledRow } from '../text/styled.js';

export type LiveSize = { readonly columns: number; readonly rowsMax: number; readonly now: number };

/** More of an answer that is still coming is not laid out again for each frame; its end is what is read. */
const TEXT_CHARS_MAX = 8_000;
const TAIL_ROWS_MAX = 5;
const TAIL_ROWS_ALONE = 12;

/** Work in progress: the end of the text being streamed, and a card for each open call. */
export function liveRows(view: SessionView, stream: StreamView, size: LiveSize): readonly StyledRow[] {
  const { columns, rowsMax } = size;
  const cards = cardRows(view, size);
  const words = textOf(stream, columns);
  const room = Math.max(0, rowsMax - cards.length);
  return [...words.slice(Math.max(0, words.length - room)), ...cards].slice(0, Math.max(0, rowsMax));
}

function textOf({ text, thought }: StreamView, columns: number): readonly StyledRow[] {
  if (text.trim() !== '') return [row(''), ...wordsRows(text.slice(-TEXT_CHARS_MAX), columns)];
  return thought === null ? [] : textRows(thought, columns, '  ', 'dim').slice(0, 2);
}

function cardRows({ open, live }: SessionView, size: LiveSize): readonly StyledRow[] {
  const { columns, rowsMax, now } = size;
  const calls = open.filter((item) => item.kind === 'call');
  const shown = calls.length > rowsMax ? unsettledFirst(calls).slice(0, Math.max(0, rowsMax - 1)) : calls;
  const running = shown.filter(({ call }) => call.status === 'executing').length;
  const most = running === 1 ? TAIL_ROWS_ALONE : TAIL_ROWS_MAX;
  let room = Math.max(0, rowsMax - shown.length);
  let left = running;
  const rows = shown.flatMap((item) => {
    if (isSettled(item.call)) return doneCardRows(item, columns).slice(0, 1);
    const isRunning = item.call.status === 'executing';
    const tailRowsMax = isRunning ? Math.min(most, Math.ceil(room / left)) : 0;
    if (isRunning) {
      room -= tailRowsMax;
      left--;
    }
    return openCardRows(item, live.get(item.call.request.callId), { columns, tailRowsMax, now });
  });
  const more = calls.length - shown.length;
  return more > 0 ? [...rows, row(`   … and ${more} more calls`, 'dim')] : rows;
}

/** Where not all fit: those that still change, in order. */
const unsettledFirst = (calls: readonly CallItem[]): readonly CallItem[] => [
  ...calls.filter(({ call }) => !isSettled(call)),
  ...calls.filter(({ call }) => isSettled(call)),
];
