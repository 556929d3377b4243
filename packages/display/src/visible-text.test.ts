import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineOf, textOf, visible, visibleJson, visibleLine } from './visible-text.js';

const char = (code: number) => String.fromCodePoint(code);
const codeOf = (code: number) =>
  code < 0xa0 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;

describe('what acts on a terminal or is not seen is shown as its code [A7]', () => {
  const range = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);
  test.each([
    ['controls', [...range(0x00, 0x08), ...range(0x0b, 0x1f), ...range(0x7f, 0x9f)]],
    ['writing direction', [0x061c, 0x200e, 0x200f, ...range(0x202a, 0x202e), ...range(0x2066, 0x2069)]],
    ['zero width', [0x00ad, 0x034f, 0x180e, ...range(0x200b, 0x200d), ...range(0x2060, 0x2065), 0xfeff]],
    ['separators', [0x2028, 0x2029]],
    ['tags and selectors', [...range(0xe0020, 0xe007f), 0xfe00, 0xfe0e, 0xfe0f, 0xe0100]],
    ['annotations', [0xfff9, 0xfffa, 0xfffb, 0xfffc]],
    [
      'blanks that are none',
      [0xa0, 0x1680, ...range(0x2000, 0x200a), 0x202f, 0x205f, 0x3000, 0x2800, 0x1d159],
    ],
    ['fillers', [0x115f, 0x1160, 0x3164, 0xffa0]],
    ['private and unassigned', [0xe000, 0xf8ff, 0xf0000, 0x10fffd, 0x0378, 0xffff]],
    ['half characters', [0xd800, 0xdfff]],
  ])('%s', (_, codes) => {
    for (const code of codes) {
      expect(visible(`a${char(code)}b`)).toBe(`a${codeOf(code)}b`);
      expect(visible(char(code))).toBe(codeOf(code));
    }
  });
});

test.each([
  'echo "Grüße 日本語 🙂"',
  'Ελληνικά, русский, о том и о сём, українська їжак',
  'tab\tand\nline',
  '👩‍💻 ❤️ 1️⃣ 🇩🇪 👍🏽 ©️ 👨‍👩‍👧',
  'e\u0301 ñ Việt ệ ᾧ \u03b1\u0313\u0301\u0345',
  'हिन्दी ไทย မြန်မာ ខ្មែរ தமிழ்',
  'שלום עולם, (שלום) "שלום": עולם! مرحبا بالعالم',
  'Δx = 3 μs, λ → π, x² ½ ™ № … “quoted” — dash',
  'Ｔシャツ、全角：（テスト）！ 東京　大阪',
  'HTML-код, C++20, naïve façade',
  '//комментарий // Grüße',
])('ordinary writing stays as it is: %s', (text) => {
  expect(visible(text)).toBe(text);
});

test.each([
  ['сurl', '\\u{441}url', 'a Cyrillic letter in a Latin word'],
  ['сору x', '\\u{441}\\u{43e}\\u{440}\\u{443} x', 'a whole word that passes for Latin'],
  ['paypαl ΟK', 'payp\\u{3b1}l \\u{39f}K', 'Greek'],
  ['ɡit pսll', '\\u{261}it p\\u{57d}ll', 'phonetic and Armenian'],
  ['ｃｕｒｌ', '\\u{ff43}\\u{ff55}\\u{ff52}\\u{ff4c}', 'fullwidth'],
  ['𝐫𝐦 x', '\\u{1d42b}\\u{1d426} x', 'mathematical'],
  ['\u212a8s', '\\u{212a}8s', 'the sign of kelvin'],
  ['ls ＃ x \u037e y', 'ls \\u{ff03} x \\u{37e} y', 'signs that look like syntax'],
  [
    'curl https://münchen.example/ü',
    'curl https://m\\u{fc}nchen.example/ü',
    'a letter beyond ASCII in a host',
  ],
  ['https://good.example／x', 'https://good.example\\u{ff0f}x', 'a slash that is none'],
  ['ssh root@hоst', 'ssh root@h\\u{43e}st', 'the host after a user'],
  ['א > ב', '\\u{5d0} > \\u{5d1}', 'what would be drawn the other way round'],
  ['z\u0300\u0301\u0302\u0303\u0304', 'z\u0300\u0301\u0302\\u{303}\\u{304}', 'marks piled up'],
  [' \u0301x', ' \\u{301}x', 'a mark without a letter'],
  ['r\u0336m', 'r\\u{336}m', 'a stroke through a letter'],
  ['а\u0301b', '\\u{430}\\u{301}b', 'a mark that would go onto a code'],
  ['git\u200dhub ❤\ufe0e', 'git\\u{200d}hub ❤\\u{fe0e}', 'a joiner outside a picture'],
])('%s is shown as %s: %s [A7]', (text, shown) => {
  expect(visible(text)).toBe(shown);
});

test('a name shows every letter beyond ASCII as its code, and a line is never broken [A7]', () => {
  expect(textOf(lineOf('rêad_file🙂', 'name'))).toBe('r\\u{ea}ad_file\\u{1f642}');
  expect(visibleLine('a\n\tb\r')).toBe('a\\x0a\\x09b\\x0d');
});

test('whatever comes, nothing that acts on a terminal goes through, and plain text is not touched [A7]', () => {
  const acts = /(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
      expect(visible(text)).not.toMatch(acts);
      expect(visibleLine(text)).not.toMatch(/[\n\t]/);
    }),
    { numRuns: 2_000 },
  );
  fc.assert(fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => visible(text) === text));
});

test('JSON for a terminal parses to the same value and holds no control characters [A7]', () => {
  const value = { '\u009b2J': ['\u202ex', '\u{e0041}', 'Grüße 🙂', '\u2028', '\ud800'] };
  const shown = visibleJson(JSON.stringify(value));
  expect(JSON.parse(shown)).toEqual(value);
  expect(shown).toBe('{"\\u009b2J":["\\u202ex","\\udb40\\udc41","Grüße 🙂","\\u2028","\\ud800"]}');
});
