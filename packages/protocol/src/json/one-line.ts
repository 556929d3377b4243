/** As much of something that was sent as a message repeats: enough to recognise it. */
export const ECHOED_CHARS_MAX = 200;
/** The rest is its end, where the name of a file is. */
const BEGINNING_CHARS = 140;

/** What was sent, as a message repeats it: one line, not too long, and with nothing in it that cannot be seen. */
export function oneLine(text: string): string {
  // Cut first, so that the rest costs the same however long the text is; a code takes the place of one character.
  const short = cut(text);
  return PLAIN.test(short) ? short : cut(short.replace(HIDDEN, codeOf));
}

function cut(text: string): string {
  if (text.length <= ECHOED_CHARS_MAX) return text;
  const end = text.slice(text.length - (ECHOED_CHARS_MAX - BEGINNING_CHARS - 1));
  return `${text.slice(0, BEGINNING_CHARS)}…${end}`;
}

const PLAIN = /^[\x20-\x7e]*$/;
/** Controls, what has no shape of its own, other line breaks, halves of characters, and unassigned code points. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** As the front ends write it. */
function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0xa0 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}
