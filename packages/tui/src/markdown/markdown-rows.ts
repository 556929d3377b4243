import { visible } from '@countersign/display';
import { marked, type Token, type Tokens } from 'marked';
import { highlighted } from '../text/highlight.js';
import { layered } from '../text/layers.js';
import { plainText, type Role, row, type StyledRow, seg } from '../text/styled.js';
import { cutRow, widthOf, wrap } from '../text/wrap.js';

const COLUMNS_MIN = 10;

/** What a model wrote, as rows. It is made visible first: whatever it holds is drawn and never acts. */
export function markdownRows(text: string, columns: number): readonly StyledRow[] {
  const width = Math.max(COLUMNS_MIN, columns);
  return blocksRows(marked.lexer(visible(text)), width);
}

function blocksRows(
  tokens: readonly Token[],
  columns: number,
  between: 'an empty row' | 'nothing' = 'an empty row',
): readonly StyledRow[] {
  const rows: StyledRow[] = [];
  for (const token of tokens) {
    if (token.type === 'space') continue;
    const drawn = blockRows(token, columns);
    if (drawn.length > 0 && rows.length > 0 && between === 'an empty row') rows.push(row(''));
    rows.push(...drawn);
  }
  return rows;
}

function blockRows(token: Token, columns: number): readonly StyledRow[] {
  if (isToken<Tokens.Heading>(token, 'heading'))
    return wrap(inline(token.tokens, 'heading'), columns, 'words');
  if (isToken<Tokens.Code>(token, 'code')) return codeRows(token, columns);
  if (isToken<Tokens.List>(token, 'list')) return listRows(token, columns);
  if (isToken<Tokens.Blockquote>(token, 'blockquote'))
    return indented(blocksRows(token.tokens, columns - 2), '│ ', '│ ');
  if (isToken<Tokens.Table>(token, 'table')) return tableRows(token, columns);
  if (token.type === 'hr') return [row('─'.repeat(Math.min(columns, 20)), 'dim')];
  const segments = 'tokens' in token && token.tokens ? inline(token.tokens) : [seg(token.raw.trimEnd())];
  return linesOf(segments).flatMap((line) => wrap(line, columns, 'words'));
}

const isToken = <T extends Token>(token: Token, type: T['type']): token is T => token.type === type;

function codeRows({ text, lang }: Tokens.Code, columns: number): readonly StyledRow[] {
  const lines = text.split('\n');
  const layers = highlighted(lines, lang?.split(/\s/, 1)[0] ?? '');
  return lines.flatMap((line, index) =>
    indented(
      wrap(layered([{ as: 'text', text: line }], layers[index] ?? []), columns - 2, 'anywhere'),
      '  ',
      '  ',
    ),
  );
}

function listRows({ items, ordered, start, loose }: Tokens.List, columns: number): readonly StyledRow[] {
  return items.flatMap((item, index) => {
    const box = item.task ? (item.checked ? '[x] ' : '[ ] ') : '';
    const mark = `${ordered ? `${Number(start || 1) + index}.` : '•'} ${box}`;
    const width = Math.max(COLUMNS_MIN, columns - mark.length);
    const rows = blocksRows(item.tokens, width, loose ? 'an empty row' : 'nothing');
    return indented(rows, mark, ' '.repeat(mark.length));
  });
}

const indented = (rows: readonly StyledRow[], first: string, rest: string): readonly StyledRow[] =>
  rows.map((segments, index) => [seg(index === 0 ? first : rest, 'dim'), ...segments]);

/** Columns as wide as what is in them, as far as there is room; the rest of a cell is cut. */
function tableRows({ header, rows }: Tokens.Table, columns: number): readonly StyledRow[] {
  const cells = [header, ...rows].map((line) => line.map(({ tokens }) => inline(tokens)));
  const count = header.length;
  const room = Math.max(3, Math.floor((columns - 3 * (count - 1)) / Math.max(1, count)));
  const widths = header.map((_, column) =>
    Math.min(
      Math.max(...cells.map((line) => widthOf(line[column] ?? []))),
      Math.max(room, columns - 3 * (count - 1) - otherWidths(cells, column)),
    ),
  );
  const drawn = cells.map((line) =>
    line.flatMap((cell, column) => {
      const width = widths[column] ?? room;
      const cut = cutRow(cell, width);
      return [...(column > 0 ? [seg(' │ ', 'dim')] : []), ...cut, seg(' '.repeat(width - widthOf(cut)))];
    }),
  );
  const rule = row(widths.map((width) => '─'.repeat(width)).join('─┼─'), 'dim');
  const [head = [], ...body] = drawn;
  return [head, rule, ...body].map((line) => cutRow(line, columns));
}

const otherWidths = (cells: readonly (readonly StyledRow[])[], column: number): number =>
  (cells[0] ?? []).reduce(
    (sum, _, other) =>
      other === column ? sum : sum + Math.max(...cells.map((line) => widthOf(line[other] ?? []))),
    0,
  );

function inline(tokens: readonly Token[] | undefined, role?: Role): StyledRow {
  return (tokens ?? []).flatMap((token): StyledRow => {
    if (isToken<Tokens.Codespan>(token, 'codespan')) return [seg(token.text, 'name')];
    if (isToken<Tokens.Strong>(token, 'strong')) return inline(token.tokens, role ?? 'strong');
    if (isToken<Tokens.Em>(token, 'em')) return inline(token.tokens, role ?? 'emphasis');
    if (isToken<Tokens.Link>(token, 'link')) return linkSegments(token, role);
    if (isToken<Tokens.Image>(token, 'image')) return [seg(`[${token.text}] (${token.href})`, 'dim')];
    if (token.type === 'br') return [seg('\n')];
    if ('tokens' in token && token.tokens) return inline(token.tokens, role);
    return [seg('text' in token ? String(token.text) : token.raw, role)];
  });
}

/** The address is always shown: the text of a link may name another. */
function linkSegments({ tokens, href }: Tokens.Link, role: Role | undefined): StyledRow {
  const text = inline(tokens, role ?? 'accent');
  return plainText(text) === href ? text : [...text, seg(` (${href})`, 'dim')];
}

/** Segments, broken where lines end. */
function linesOf(segments: StyledRow): readonly StyledRow[] {
  const lines: StyledRow[number][][] = [[]];
  for (const segment of segments) {
    for (const [index, text] of segment.text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push({ ...segment, text });
    }
  }
  return lines;
}
