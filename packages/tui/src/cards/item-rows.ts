import { noticeText, type TranscriptItem } from '@countersign/client';
import { markdownRows } from '../markdown/markdown-rows.js';
import { firstOf, textRows } from '../text/plain-rows.js';
import { row, type StyledRow, seg } from '../text/styled.js';
import { doneCardRows } from './card-rows.js';

/** A message of the user may be a pasted log, which they know. */
const USER_ROWS_MAX = 12;
const THOUGHT_ROWS_MAX = 3;
const NOTICE_ROWS_MAX = 6;

/** An item as it stays in the scrollback. */
export function itemRows(item: TranscriptItem, columns: number): readonly StyledRow[] {
  switch (item.kind) {
    case 'user':
      return [row(''), ...firstOf(textRows(item.text, columns, '> ', 'strong'), USER_ROWS_MAX, columns)];
    case 'text':
      return [row(''), ...wordsRows(item.text, columns)];
    case 'thought':
      return firstOf(textRows(item.text.trim(), columns, '  ', 'dim'), THOUGHT_ROWS_MAX, columns);
    case 'call':
      return doneCardRows(item, columns);
    case 'notice':
      return firstOf(textRows(noticeText(item.notice), columns, '-- ', 'dim'), NOTICE_ROWS_MAX, columns);
  }
}

/** Text of a model, beside a mark of the program. */
export const wordsRows = (text: string, columns: number): readonly StyledRow[] =>
  markdownRows(text, columns - 2).map((segments, index) => [
    seg(index === 0 ? '● ' : '  ', 'accent'),
    ...segments,
  ]);
