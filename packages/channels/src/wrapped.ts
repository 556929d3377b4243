import { excerptOf, firstRows, type Row, textOf } from '@countersign/display';

/** A long name must not push the rest of the question off the screen. */
const MORE_ROWS_MAX = 3;

/** Wraps a sentence between words, and indents the rows after the first. */
export function wrapped(sentence: string, columns: number | undefined, indent: string): string {
  if (columns === undefined) return sentence;
  const [first] = firstRows([asLine(sentence)], columns - 1, 1);
  if (!first || first.ends) return sentence;
  const begin = textOf(first.spans);
  const rest = sentence.slice(begin.length).trimStart();
  const { head, leftOut, tail } = excerptOf([asLine(rest)], columns - 1 - indent.length, MORE_ROWS_MAX);
  const indented = (rows: readonly Row[]) => rows.map(({ spans }) => `${indent}${textOf(spans).trimStart()}`);
  const middle = leftOut === null ? [] : [`${indent}… ${leftOut} …`];
  return [begin, ...indented(head), ...middle, ...indented(tail)].join('\n');
}

const asLine = (text: string) => [{ as: 'text', text } as const];
