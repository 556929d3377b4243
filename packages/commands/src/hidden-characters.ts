import type { HiddenCharacter } from '@countersign/protocol';

const HIDDEN = new RegExp(
  [
    '[\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f]', // control characters but tab and newline
    '[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]', // change the direction of what follows
    '[\\u200b-\\u200d\\u2060-\\u2065\\u206a-\\u206f\\ufeff\\xad\\u180b-\\u180f]', // have no width
    '[\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u3164\\uffa0]', // fillers
    '[\\u2028\\u2029\\ufff9-\\ufffb]', // end a line, or annotate, on some screens
    '[\\ufe00-\\ufe0e\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]', // variants and tags
  ].join('|'),
  'gu',
);

/** Gives an emoji its colours (U+FE0F after a character that has them); anywhere else it hides. */
const STRAY_EMOJI_SELECTOR = /(?<!\p{Emoji})\ufe0f/gu;

const PLAIN = /^[\t\n -~]*$/;

export function hiddenCharactersOf(text: string): readonly HiddenCharacter[] {
  if (PLAIN.test(text)) return [];
  return [...text.matchAll(HIDDEN), ...text.matchAll(STRAY_EMOJI_SELECTOR)]
    .map(({ 0: found, index }) => ({
      codePoint: found.codePointAt(0) ?? 0,
      span: { start: index, end: index + found.length },
    }))
    .toSorted((a, b) => a.span.start - b.span.start);
}

/** Why no program can be given this text at all; null if it can. */
export function invalidBecause(text: string): string | null {
  if (text.includes('\0')) return 'it contains a NUL character, which cannot be passed to a program';
  if (/\p{Surrogate}/u.test(text)) return 'it contains half of a surrogate pair, which is not a character';
  return null;
}
