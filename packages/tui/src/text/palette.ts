import type { Ground, Role, Segment, StyledRow } from './styled.js';

/** How to begin and how to end a look, as numbers of SGR sequences. */
type Look = readonly [begin: string, end: string];

export type Palette = {
  readonly roles: { readonly [R in Role]: Look };
  readonly grounds: { readonly [G in Ground]: Look };
};

const STRONG: Look = ['1', '22'];
const DIM: Look = ['2', '22'];
const ITALIC: Look = ['3', '23'];
const UNDERLINED: Look = ['4', '24'];
const INVERSE: Look = ['7', '27'];
const NOTHING: Look = ['', ''];
const colour = (code: string): Look => [code, '39'];
const ground = (code: number): Look => [`48;5;${code}`, '49'];

/** Without colours: weight, lines and reversal are none, and a sign says the rest. */
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

const coloured: Palette['roles'] = {
  ...plain.roles,
  dim: DIM,
  accent: colour('36'),
  ok: colour('32'),
  bad: colour('31'),
  warn: colour('33'),
  added: colour('32'),
  removed: colour('31'),
  heading: ['1;36', '22;39'],
  emphasis: ITALIC,
  keyword: colour('35'),
  string: colour('33'),
  comment: DIM,
  number: colour('36'),
  name: colour('34'),
};

const dark: Palette = {
  roles: coloured,
  grounds: {
    added: ground(22),
    removed: ground(52),
    'added word': ground(28),
    'removed word': ground(88),
  },
};

const light: Palette = {
  roles: { ...coloured, string: colour('38;5;130'), warn: colour('38;5;130') },
  grounds: {
    added: ground(194),
    removed: ground(224),
    'added word': ground(157),
    'removed word': ground(217),
  },
};

export const PALETTES = { plain, dark, light } as const;
export type PaletteName = keyof typeof PALETTES;

/** What the environment says of colours: `NO_COLOR`, a terminal that has none, and what lies behind the text. */
export function paletteFor(env: { readonly [name: string]: string | undefined }): PaletteName {
  if (env['NO_COLOR'] || env['TERM'] === 'dumb') return 'plain';
  const wanted = env['COUNTERSIGN_THEME'];
  if (wanted === 'light' || wanted === 'dark' || wanted === 'plain') return wanted;
  // `foreground;background`, set by some terminals. 7 and 15 are white.
  const background = env['COLORFGBG']?.split(';').at(-1);
  return background === '7' || background === '15' ? 'light' : 'dark';
}

export const painted = (row: StyledRow, palette: Palette): string =>
  row.map((segment) => paint(segment, palette)).join('');

function paint({ text, role, on }: Segment, { roles, grounds }: Palette): string {
  let drawn = text;
  for (const [begin, end] of [role ? roles[role] : NOTHING, on ? grounds[on] : NOTHING])
    if (begin !== '' && text !== '') drawn = `\u001b[${begin}m${drawn}\u001b[${end}m`;
  return drawn;
}
