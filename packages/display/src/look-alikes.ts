import type { Note } from './hidden-characters.js';
import { lazily } from './lazily.js';

// Scripts with letters that look like Latin ones. There is no good reason to mix them with Latin inside a word.
const LIKE_LATIN =
  '\\p{Script=Cyrillic}\\p{Script=Armenian}\\p{Script=Cherokee}\\p{Script=Coptic}\\p{Script=Lisu}\\p{Script=Deseret}';
// Greek is mixed with Latin in formulas (Δx, μs): only the letters that look like others count.
const GREEK_CAPITALS = 'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο';
const GREEK = `${GREEK_CAPITALS}αικνρυχϲϳ`;
const PHONETIC = 'ɑɡ';
/** Latin letters and digits in another dress: fullwidth, mathematical, letter-like. */
const DRESSED =
  '\\u{1d400}-\\u{1d7ff}\\uff10-\\uff19\\uff21-\\uff3a\\uff41-\\uff5a\\u2102\\u210a-\\u2115\\u2119-\\u211d\\u2124\\u212a-\\u2131\\u2133\\u2134\\u2139\\u2145-\\u2149\\u{1f130}-\\u{1f189}';
/** They look like `;` and `` ` ``, and even turn into them when text is normalised. */
const SAME_AS_SYNTAX = '\\u037e\\u1fef';
const FULLWIDTH_SYNTAX = '\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff5e';
const EAST_ASIAN = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u3000-\\u303f';

const words = lazily(() => /[\p{L}\p{M}\p{N}]+/gu);
const latin = lazily(() => new RegExp(`(?![${DRESSED}])\\p{Script=Latin}`, 'u'));
const strangeBesideLatin = lazily(() => new RegExp(`[${LIKE_LATIN}${GREEK}${PHONETIC}${DRESSED}]`, 'gu'));
const onlyDressed = lazily(() => new RegExp(`^[${DRESSED}]{2,}$`, 'u'));
const syntaxInDisguise = lazily(
  () =>
    new RegExp(
      `[${SAME_AS_SYNTAX}]|(?<![${EAST_ASIAN}${FULLWIDTH_SYNTAX}])[${FULLWIDTH_SYNTAX}](?![${EAST_ASIAN}${FULLWIDTH_SYNTAX}])`,
      'gu',
    ),
);

const CYRILLIC_LIKE_LATIN = 'аеорсухіјѕһԁԛԝѵӏАВЕКМНОРСТУХІЈЅԌԚԜѴҮ';
const onlyLikeLatin = lazily(() => new RegExp(`^([${CYRILLIC_LIKE_LATIN}]+|[${GREEK_CAPITALS}]+)$`, 'u'));
const plainlyCyrillic = lazily(() => new RegExp(`(?![${CYRILLIC_LIKE_LATIN}])\\p{Script=Cyrillic}`, 'u'));
const plainlyGreek = lazily(() => new RegExp(`(?![${GREEK}])\\p{Script=Greek}`, 'u'));

/** Whether a line may hold any of it: most do not, and need no closer look. */
export const mayLookAlike = lazily(
  () => new RegExp(`[${LIKE_LATIN}${GREEK}${PHONETIC}${DRESSED}${SAME_AS_SYNTAX}${FULLWIDTH_SYNTAX}]`, 'u'),
);

/** Which scripts a whole text is plainly written in: there, a short word that could be Latin is none. */
export type Writing = { readonly cyrillic: boolean; readonly greek: boolean };
export const writingOf = (text: string): Writing => ({
  cyrillic: plainlyCyrillic().test(text),
  greek: plainlyGreek().test(text),
});

/** Letters that pass for Latin ones: inside a Latin word, or as a whole word where nothing else is in their script. */
export function noteLookAlikes(line: string, writing: Writing, note: Note): void {
  for (const { 0: word, index } of line.matchAll(words())) {
    if (latin().test(word)) noteLetters(word, index, strangeBesideLatin(), note);
    else if (onlyDressed().test(word) || passesForLatin(word, writing))
      noteLetters(word, index, /./gsu, note);
  }
  noteLetters(line, 0, syntaxInDisguise(), note);
}

function passesForLatin(word: string, { cyrillic, greek }: Writing): boolean {
  if (!onlyLikeLatin().test(word)) return false;
  return /^\p{Script=Greek}/u.test(word) ? !greek : !cyrillic;
}

function noteLetters(text: string, from: number, letters: RegExp, note: Note): void {
  for (const { index } of text.matchAll(letters)) note(from + index, 'look-alike');
}

// What comes after `://` in an address, and after the `@` of user@host.
const hosts = lazily(() => /(?<=:\/\/|\w@)[^\s/?#\\"'`<>|;&()[\]{}]+/gu);

/** In the name of a host every letter beyond ASCII is a possible disguise. */
export function noteHosts(line: string, note: Note): void {
  for (const { 0: host, index } of line.matchAll(hosts())) noteBeyondAscii(host, index, note);
}

/** The same for a name that is known to be one. */
export function noteBeyondAscii(name: string, from: number, note: Note): void {
  for (const { index } of name.matchAll(/[^\p{ASCII}]/gu)) note(from + index, 'name');
}
