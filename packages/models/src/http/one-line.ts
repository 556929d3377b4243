import type { Credential } from './call.js';

/** Enough to recognise what it is, little enough for a line of a terminal and a row of the journal. */
const EXCERPT_CHARS_MAX = 300;
/** Blanks and keys may fill the beginning; an excerpt is taken from this much of a text. */
const LOOKED_AT_CHARS = 64 * 1024;
/** No provider gives shorter keys, and to take out every `x` would leave no message. */
const KEY_CHARS_MIN = 8;
/** The first half of a character that the cut went through. */
const HALF = /[\ud800-\udbff]$/;
const CONTROL_AND_BLANK = /[\p{Cc}\p{Cf}\p{Z}]+/gu;

/** Foreign text as one short line that holds no key and steers no terminal. */
export function oneLine(text: string, credential: Credential | null): string {
  const head = withoutKey(text.slice(0, LOOKED_AT_CHARS), credential);
  const plain = head.replace(CONTROL_AND_BLANK, ' ').trim();
  return plain.length <= EXCERPT_CHARS_MAX
    ? plain
    : `${plain.slice(0, EXCERPT_CHARS_MAX).replace(HALF, '')}…`;
}

function withoutKey(text: string, credential: Credential | null): string {
  if (credential === null || credential.value.length < KEY_CHARS_MIN) return text;
  const { value, from } = credential;
  const whole = text.replaceAll(value, `(${from})`);
  // The text may have been cut within the key, by us or before.
  for (let length = value.length - 1; length >= KEY_CHARS_MIN; length -= 1) {
    if (whole.endsWith(value.slice(0, length))) return `${whole.slice(0, -length)}(${from})`;
  }
  return whole;
}
