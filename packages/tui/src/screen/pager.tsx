import { type ReactNode, useState } from 'react';
import { row, type StyledRow } from '../text/styled.js';
import { cutRow } from '../text/wrap.js';
import { Rows } from './rows.js';
import { useKeys, useScreen } from './screen-context.js';

export type Page = { readonly key: string; readonly rows: (columns: number) => readonly StyledRow[] };

/** Something long to look through, a page for each thing; the latest is last and shown first. */
export function Pager({
  pages,
  rowsMax,
  onClose,
}: {
  readonly pages: readonly Page[];
  readonly rowsMax: number;
  readonly onClose: () => void;
}): ReactNode {
  const { columns } = useScreen();
  const [number, setNumber] = useState(pages.length);
  const [scrolled, setScrolled] = useState(0);
  const rows = pages[number - 1]?.rows(columns) ?? [];
  const room = Math.max(1, rowsMax - 1);
  const lastStart = Math.max(0, rows.length - room);
  const start = Math.min(scrolled, lastStart);
  const turn = (to: number) => {
    setNumber(Math.max(1, Math.min(pages.length, to)));
    setScrolled(0);
  };
  useKeys((key) => {
    if (key.ctrl && key.text === 'c') return false;
    if (key.name === 'escape' || key.name === 'enter' || (key.ctrl && key.text === 'o') || key.text === 'q')
      onClose();
    else if (key.name === 'down') setScrolled(Math.min(start + 1, lastStart));
    else if (key.name === 'up') setScrolled(Math.max(0, start - 1));
    else if (key.name === 'pagedown' || key.text === ' ') setScrolled(Math.min(start + room, lastStart));
    else if (key.name === 'pageup') setScrolled(Math.max(0, start - room));
    else if (key.name === 'left') turn(number - 1);
    else if (key.name === 'right') turn(number + 1);
    return true;
  }, 'pager');
  const shown = rows.slice(start, start + room);
  const where = `rows ${start + 1}–${start + shown.length} of ${rows.length}`;
  const calls = pages.length > 1 ? ` · call ${number} of ${pages.length}, ←→ others` : '';
  const foot = cutRow(row(`  ${where}${calls} · ↑↓ pgup pgdn · esc closes`, 'dim'), columns);
  return <Rows rows={[...shown, foot]} />;
}
