import { lazily } from './lazily.js';

// Drawn two columns wide, as far as any terminal does: a row that is thought too wide is only broken early.
const wide = lazily(
  () =>
    /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]/u,
);
// Drawn onto what is before it.
const withoutWidth = lazily(() => /[\p{Mn}\p{Me}\u200d]/u);

/** How many columns of a terminal a character takes. */
export function columnsOfCharacter(character: string): number {
  if (character < '\u0300') return 1;
  // Asks for a picture where there might be a narrow sign.
  if (character === '\ufe0f') return 1;
  if (withoutWidth().test(character)) return 0;
  return wide().test(character) ? 2 : 1;
}

export function columnsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += columnsOfCharacter(character);
  return columns;
}
