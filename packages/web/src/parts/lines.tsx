import { type Line, lineOf, visible } from '@countersign/display';
import type { ReactNode } from 'react';

/** A line from outside: what cannot be shown as it is stands there as its code, and looks like one. */
export const LineText = ({ line }: { readonly line: Line }): ReactNode =>
  line.map(({ as, text }, index) =>
    as === 'code' ? (
      <span key={index} className="code-point">
        {text}
      </span>
    ) : (
      text
    ),
  );

/** A text from outside that stays on its line. */
export const OneLine = ({ text }: { readonly text: string }) => <LineText line={lineOf(text, 'one line')} />;

/** As much as stands beside other things in a list. */
const SHORT_CHARS_MAX = 200;

/** The beginning of a text from outside; the full text is in the view that it links to. */
export const ShortLine = ({ text }: { readonly text: string }) => (
  <OneLine text={text.length <= SHORT_CHARS_MAX ? text : `${text.slice(0, SHORT_CHARS_MAX - 1)}…`} />
);

/** Enough to recognise the output; a note and a button lead to the rest. */
const LINES_SHOWN = 24;

/** A text from outside with its lines, the first of them or the last. */
export function Output({
  text,
  from,
  isWhole,
}: {
  readonly text: string;
  readonly from: 'start' | 'end';
  readonly isWhole: boolean;
}) {
  const lines = text.replace(/\n+$/, '').split('\n');
  const hidden = isWhole ? 0 : Math.max(0, lines.length - LINES_SHOWN);
  const shown = from === 'end' ? lines.slice(hidden) : lines.slice(0, lines.length - hidden);
  return (
    <>
      {hidden > 0 && from === 'end' && <p className="note">{hidden} lines before this</p>}
      <pre className="output" tabIndex={0} aria-label="Output">
        {visible(shown.join('\n'))}
      </pre>
      {hidden > 0 && from === 'start' && <p className="note">{hidden} more lines</p>}
    </>
  );
}

export const isLong = (text: string): boolean => text.replace(/\n+$/, '').split('\n').length > LINES_SHOWN;
