import type { TranscriptItem } from '@countersign/client';
import type { Aside, SessionView } from '@countersign/react';
import { itemRows, wordsRows } from '../cards/item-rows.js';
import { textRows } from '../text/plain-rows.js';
import { row, type StyledRow } from '../text/styled.js';

/** Something that is printed once and stays. */
export type Printed = { readonly key: string; readonly rows: (columns: number) => readonly StyledRow[] };

/** Of a session that is resumed so much is printed: what was before is in the journal. */
const PAST_ITEMS_MAX = 30;

/** What has been printed, and what is next. Asking twice for the same changes nothing. */
export class Scrollback {
  #printed: Printed[];
  #items = 0;
  #asides = 0;
  #isPast = true;

  constructor(first: readonly Printed[]) {
    this.#printed = [...first];
  }

  upTo({ settled, isCaughtUp }: SessionView, asides: readonly Aside[]): Printed[] {
    if (!isCaughtUp) return this.#printed;
    const next = [...this.#nextItems(settled), ...asides.slice(this.#asides).map(asidePrinted)];
    this.#items = settled.length;
    this.#asides = asides.length;
    this.#isPast = false;
    if (next.length > 0) this.#printed = [...this.#printed, ...next];
    return this.#printed;
  }

  #nextItems(settled: readonly TranscriptItem[]): readonly Printed[] {
    const items = settled.slice(this.#items);
    const left = this.#isPast ? items.length - PAST_ITEMS_MAX : 0;
    if (left <= 0) return items.map(itemPrinted);
    const words = `-- ${left} earlier parts of this session are not shown; countersign sessions show prints all`;
    return [
      { key: 'past', rows: (columns) => textRows(words, columns, '', 'dim') },
      ...items.slice(left).map(itemPrinted),
    ];
  }
}

const itemPrinted = (item: TranscriptItem): Printed => ({
  key: item.id,
  rows: (columns) => itemRows(item, columns),
});

function asidePrinted({ id, as, text }: Aside): Printed {
  const key = `aside ${id}`;
  switch (as) {
    case 'notice':
      return { key, rows: (columns) => textRows(text, columns) };
    case 'error':
      return { key, rows: (columns) => textRows(text, columns, '✗ ', 'bad') };
    case 'cancelled':
      return { key, rows: (columns) => textRows(text, columns, '– ', 'dim') };
    case 'unfinished answer':
      return {
        key,
        rows: (columns) => [row(''), ...wordsRows(text, columns), row('  (not finished)', 'dim')],
      };
  }
}
