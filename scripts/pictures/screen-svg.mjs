/**
 * @import { IBufferCell, Terminal } from '@xterm/headless'
 *
 * @typedef {object} Theme
 * @property {string} background
 * @property {string} foreground
 * @property {string} frame
 */

/** @type {{ readonly dark: Theme, readonly light: Theme }} */
export const THEMES = {
  dark: { background: '#16181d', foreground: '#d8dee9', frame: '#2b303b' },
  light: { background: '#ffffff', foreground: '#24292f', frame: '#d0d7de' },
};

const CELL = { width: 8.4, height: 18 };
const PADDING = 14;
const BAR = 26;
const FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";

/**
 * What a terminal shows, as a picture whose text is text: it can be searched, copied and read aloud.
 * @param {Terminal} terminal
 * @param {Theme} theme
 * @param {string} title
 * @returns {string}
 */
export function screenSvg(terminal, theme, title) {
  const width = Math.ceil(terminal.cols * CELL.width + 2 * PADDING);
  const height = Math.ceil(terminal.rows * CELL.height + BAR + 2 * PADDING);
  const { active } = terminal.buffer;
  const rows = Array.from({ length: terminal.rows }, (_, row) => {
    const line = active.getLine(active.baseY + row);
    const cells = Array.from({ length: terminal.cols }, (_cell, column) => line?.getCell(column));
    return runsOf(cells.filter((cell) => cell !== undefined)).map((run) => drawn(run, row, theme));
  });
  const lights = ['#ff5f57', '#febc2e', '#28c840'].map(
    (colour, index) => `<circle cx="${18 + index * 16}" cy="${BAR / 2 + 2}" r="5" fill="${colour}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${theme.background}" stroke="${theme.frame}"/>`,
    ...lights,
    `<g font-family="${FONT}" font-size="14" fill="${theme.foreground}">`,
    ...rows.flat().filter((part) => part !== ''),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** @typedef {{ readonly look: IBufferCell, readonly column: number, text: string, columns: number }} Run cells that look alike */

/** @param {readonly IBufferCell[]} cells @returns {Run[]} */
function runsOf(cells) {
  /** @type {Run[]} */
  const runs = [];
  let column = 0;
  for (const cell of cells) {
    // The second half of a wide character.
    if (cell.getWidth() === 0) continue;
    const last = runs.at(-1);
    const text = cell.getChars() || ' ';
    if (last && lookOf(last.look) === lookOf(cell)) {
      last.text += text;
      last.columns += cell.getWidth();
    } else runs.push({ look: cell, column, text, columns: cell.getWidth() });
    column += cell.getWidth();
  }
  return runs;
}

const lookOf = (/** @type {IBufferCell} */ cell) =>
  [
    cell.getFgColorMode(),
    cell.getFgColor(),
    cell.getBgColorMode(),
    cell.getBgColor(),
    cell.isBold(),
    cell.isItalic(),
    cell.isUnderline(),
    cell.isInverse(),
  ].join(' ');

/** @param {Run} run @param {number} row @param {Theme} theme */
function drawn({ look, column, text, columns }, row, theme) {
  const front = look.isFgDefault() ? theme.foreground : colourOf(look.getFgColor());
  const behind = look.isBgDefault() ? null : colourOf(look.getBgColor());
  const [fill, ground] = look.isInverse() ? [behind ?? theme.background, front] : [front, behind];
  const x = PADDING + column * CELL.width;
  const y = BAR + PADDING + row * CELL.height;
  const size = columns * CELL.width;
  const rectangle = ground
    ? `<rect x="${x.toFixed(1)}" y="${y}" width="${size.toFixed(1)}" height="${CELL.height}" fill="${ground}"/>`
    : '';
  if (text.trim() === '') return rectangle;
  const looks = [
    fill === theme.foreground ? '' : ` fill="${fill}"`,
    look.isBold() ? ' font-weight="bold"' : '',
    look.isItalic() ? ' font-style="italic"' : '',
    look.isUnderline() ? ' text-decoration="underline"' : '',
  ].join('');
  // Blanks in a row would become one.
  const words = text.trim().replaceAll(/ {2,}/g, (blanks) => '\u00a0'.repeat(blanks.length));
  const before = text.length - text.trimStart().length;
  const after = text.length - text.trimEnd().length;
  const from = x + before * CELL.width;
  // As long as its cells, whatever the font that the reader has.
  const length = (columns - before - after) * CELL.width;
  const place = `x="${from.toFixed(1)}" y="${y + 13}" textLength="${length.toFixed(1)}" lengthAdjust="spacingAndGlyphs"`;
  return `${rectangle}<text ${place}${looks}>${escaped(words)}</text>`;
}

/** One of the 256 colours; the first 16, which are up to the terminal, are not used by us. @param {number} code */
function colourOf(code) {
  if (code >= 232) return rgb([0, 0, 0].map(() => 8 + (code - 232) * 10));
  const place = Math.max(0, code - 16);
  const levels = [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6];
  return rgb(levels.map((level) => (level === 0 ? 0 : 55 + level * 40)));
}

const rgb = (/** @type {readonly number[]} */ parts) =>
  `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

const escaped = (/** @type {string} */ text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
