import { describe, expect, test } from 'vitest';
import { PALETTES, painted, paletteFor } from './palette.js';
import type { Ground, Role } from './styled.js';

/** What WCAG asks of text. */
const CONTRAST_MIN = 4.5;

/** Behind the text of most people: black, white, and what well-known themes have instead. */
const BACKGROUNDS = { dark: ['000000', '1e1e1e', '282c34'], light: ['ffffff', 'fafafa', 'fdf6e3'] } as const;
/** What stands in the lines of a diff. */
const IN_DIFFS: readonly Role[] = ['keyword', 'string', 'comment', 'number', 'name'];
const LINES: readonly Ground[] = ['added', 'removed'];

describe.each(['dark', 'light'] as const)('the %s palette', (name) => {
  const { roles, grounds } = PALETTES[name];

  test.each(BACKGROUNDS[name])('every colour can be read on #%s [U1]', (background) => {
    const faint = Object.entries(roles).flatMap(([role, [begin]]) => {
      const code = codeOf(begin, 38);
      return code !== null && contrast(rgbOf(code), hex(background)) < CONTRAST_MIN ? [role] : [];
    });
    expect(faint).toEqual([]);
  });

  test('in a diff, every colour can be read on what lies behind the line [U1]', () => {
    for (const line of LINES) {
      const ground = codeOf(grounds[line][0], 48) ?? 0;
      for (const role of IN_DIFFS)
        expect(
          contrast(rgbOf(codeOf(roles[role][0], 38) ?? 0), rgbOf(ground)),
          `${role} on ${line}`,
        ).toBeGreaterThanOrEqual(CONTRAST_MIN);
    }
  });

  test.each(['added', 'removed', 'added word', 'removed word'] as const)(
    'plain text that is %s can be read, whatever colour the terminal has for text [U1]',
    (ground) => {
      const [begin] = grounds[ground];
      expect(contrast(rgbOf(codeOf(begin, 38) ?? 0), rgbOf(codeOf(begin, 48) ?? 0))).toBeGreaterThanOrEqual(
        CONTRAST_MIN,
      );
    },
  );

  test('a marked word has the colour of its mark, not of its syntax [U1]', () => {
    const drawn = painted([{ text: 'const', role: 'keyword', on: 'added word' }], PALETTES[name]);
    expect(drawn).not.toContain(roles.keyword[0]);
    expect(drawn).toContain(grounds['added word'][0]);
  });
});

test('without colours, nothing has one [U1]', () => {
  const { roles, grounds } = PALETTES.plain;
  for (const [begin] of [...Object.values(roles), ...Object.values(grounds)])
    expect(begin).not.toMatch(/(?:^|;)[34][0-8](?:;|$)/);
});

test('the environment chooses the palette; without it, the terminal is queried [U1]', () => {
  expect(paletteFor({ NO_COLOR: '1', COUNTERSIGN_THEME: 'light' })).toBe('plain');
  expect(paletteFor({ TERM: 'dumb' })).toBe('plain');
  expect(paletteFor({ COUNTERSIGN_THEME: 'light', COLORFGBG: '15;0' })).toBe('light');
  expect(paletteFor({ COLORFGBG: '0;15' })).toBe('light');
  expect(paletteFor({ COLORFGBG: '15;0' })).toBe('dark');
  expect(paletteFor({ TERM: 'xterm-256color' })).toBeNull();
});

type Rgb = readonly [red: number, green: number, blue: number];

const codeOf = (begin: string, which: 38 | 48): number | null => {
  const code = new RegExp(`(?:^|;)${which};5;(\\d+)`).exec(begin)?.[1];
  return code === undefined ? null : Number(code);
};

const hex = (digits: string): Rgb => {
  const part = (at: number) => Number.parseInt(digits.slice(at, at + 2), 16);
  return [part(0), part(2), part(4)];
};

/** The cube of 6 × 6 × 6 colours, and the greys after it. */
function rgbOf(code: number): Rgb {
  if (code < 16) throw new Error(`What colour ${code} looks like is up to the terminal`);
  if (code >= 232) return [8 + (code - 232) * 10, 8 + (code - 232) * 10, 8 + (code - 232) * 10];
  const level = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  const place = code - 16;
  return [level(Math.floor(place / 36)), level(Math.floor(place / 6) % 6), level(place % 6)];
}

function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
