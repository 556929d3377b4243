import type { Ground, Role, Segment, StyledRow } from './styled.js';

/** How to begin and how to end a look, as numbers of SGR sequences. */
type Look = readonly [begin: string, end: string];

export type Palette = {
  readonly roles: { readonly [R in Role]: Look };
  readonly grounds: { readonly [G in Ground]: Look };
};

const STRONG: Look = ['1', '22'];
const ITALIC: Look = ['3', '23'];
const UNDERLINED: Look = ['4', '24'];
const INVERSE: Look = ['7', '27'];
const NOTHING: Look = ['', ''];

/** Without colours: bold, underline and reverse video remain, and signs distinguish the rest. */
const plain: Palette = {
  roles: {
    strong: STRONG,
    dim: NOTHING,
    accent: STRONG,
    ok: NOTHING,
    bad: STRONG,
    warn: STRONG,
    hidden: INVERSE,
    cursor: INVERSE,
    added: NOTHING,
    removed: NOTHING,
    heading: STRONG,
    emphasis: UNDERLINED,
    keyword: NOTHING,
    string: NOTHING,
    comment: NOTHING,
    number: NOTHING,
    name: NOTHING,
  },
  grounds: { added: NOTHING, removed: NOTHING, 'added word': UNDERLINED, 'removed word': UNDERLINED },
};

/** Numbers are of the 256 colours that look the same everywhere: the first 16 depend on the theme of the terminal. */
const text = (code: number): Look => [`38;5;${code}`, '39'];
const on = (ground: number, code: number): Look => [`38;5;${code};48;5;${ground}`, '39;49'];

/** All of it can be read on black and on the greys that people have instead. */
const dark: Palette = {
  roles: {
    ...plain.roles,
    dim: text(247),
    accent: text(80),
    ok: text(114),
    bad: text(210),
    warn: text(221),
    added: text(114),
    removed: text(210),
    heading: ['1;38;5;80', '22;39'],
    emphasis: ITALIC,
    keyword: text(219),
    string: text(222),
    comment: ['3;38;5;252', '23;39'],
    number: text(159),
    name: text(117),
  },
  grounds: {
    added: on(22, 231),
    removed: on(52, 231),
    'added word': on(28, 231),
    'removed word': on(88, 231),
  },
};

/** The same on white and on the paper that people have instead. */
const light: Palette = {
  roles: {
    ...plain.roles,
    dim: text(240),
    accent: text(24),
    ok: text(22),
    bad: text(124),
    warn: text(94),
    added: text(22),
    removed: text(124),
    heading: ['1;38;5;24', '22;39'],
    emphasis: ITALIC,
    keyword: text(90),
    string: text(58),
    comment: ['3;38;5;240', '23;39'],
    number: text(23),
    name: text(25),
  },
  grounds: {
    added: on(194, 16),
    removed: on(224, 16),
    'added word': on(157, 16),
    'removed word': on(217, 16),
  },
};

export const PALETTES = { plain, dark, light } as const;
export type PaletteName = keyof typeof PALETTES;

/** The palette that the environment asks for, also by the background colour; null if it does not define one. */
export function paletteFor(env: { readonly [name: string]: string | undefined }): PaletteName | null {
  if (env['NO_COLOR'] || env['TERM'] === 'dumb') return 'plain';
  const wanted = env['COUNTERSIGN_THEME'];
  if (wanted === 'light' || wanted === 'dark' || wanted === 'plain') return wanted;
  // `foreground;background`, set by some terminals. 7 and 15 are white.
  const background = env['COLORFGBG']?.split(';').at(-1);
  return background ? (background === '7' || background === '15' ? 'light' : 'dark') : null;
}

export const painted = (row: StyledRow, palette: Palette): string =>
  row.map((segment) => paint(segment, palette)).join('');

/** A marked word has one colour: not every syntax colour is readable on its background. */
function paint({ text: drawn, role, on: ground }: Segment, { roles, grounds }: Palette): string {
  if (drawn === '') return '';
  const isMarked = ground === 'added word' || ground === 'removed word';
  const inner = role && !isMarked ? looking(drawn, roles[role]) : drawn;
  return ground ? looking(inner, grounds[ground]) : inner;
}

const looking = (drawn: string, [begin, end]: Look): string =>
  begin === '' ? drawn : `\u001b[${begin}m${drawn}\u001b[${end}m`;
