import { lazily } from './lazily.js';

/** Why a character is not shown as it is. */
export type Why =
  | 'control'
  | 'direction'
  | 'invisible'
  | 'blank'
  | 'unknown'
  | 'line ending'
  | 'pile'
  | 'look-alike'
  | 'name'
  | 'reordering';

/** Says that the character at this place of a line is to be shown as its code. */
export type Note = (index: number, why: Why) => void;

// Controls, formats (bidirectional marks, tags, BOM), half characters, private use, unassigned, line and paragraph
// separators, whatever else Unicode says is drawn as nothing, and some that are drawn as nothing all the same.
export const hidden = lazily(
  () =>
    /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}]|(?! )\p{Zs}/u,
);

export function whyHidden(character: string): Why {
  if (/\p{Cc}/u.test(character)) return 'control';
  if (/\p{Bidi_Control}/u.test(character)) return 'direction';
  if (/[\p{Zs}\u2800\u{1d159}\u115f\u1160\u3164\uffa0]/u.test(character)) return 'blank';
  return /[\p{Cs}\p{Co}\p{Cn}\ufffc]/u.test(character) ? 'unknown' : 'invisible';
}

/** Marks on one letter: Greek of the old spelling needs three, Burmese six of its own. More hide the lines around. */
const MARKS_MAX = 3;
const MARKS_OF_ITS_SCRIPT_MAX = 6;

// These strike through or enclose what they stand on.
const covering = lazily(() => /[\p{Me}\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20e5-\u20eb]/u);
const ofNoScript = lazily(() => /\p{Script=Inherited}/u);

/** Marks that pile up, cover their letter, or have none to stand on: those would go onto whatever is before them. */
export function notePiles(line: string, note: Note): void {
  for (const { 0: marks, index } of line.matchAll(/\p{M}+/gu)) {
    const carriesMarks = /[\p{L}\u25cc]$/u.test(line.slice(Math.max(0, index - 2), index));
    let place = index;
    let ofNone = 0;
    let count = 0;
    for (const mark of marks) {
      count++;
      if (count <= MARKS_OF_ITS_SCRIPT_MAX && ofNoScript().test(mark)) ofNone++;
      const tooMany = ofNone > MARKS_MAX || count > MARKS_OF_ITS_SCRIPT_MAX;
      if (!carriesMarks || tooMany || covering().test(mark)) note(place, 'pile');
      place += mark.length;
    }
  }
}

export const RTL = '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}';
const rtlLetters = lazily(() => new RegExp(`(?=[${RTL}])\\p{L}`, 'gu'));
const turns = lazily(
  () =>
    new RegExp(
      `(?<rtl>[${RTL}])|(?<number>\\p{N})|(?<letter>\\p{L})|(?<syntax>[;&|<>$\`{}[\\]\\\\/=*~#^%@+])`,
      'gu',
    ),
);

/**
 * Between two words of Hebrew or Arabic a symbol is drawn from right to left like them: `a > b` in such letters shows
 * as `b < a`. A sentence in them is left alone.
 */
export function noteReordering(line: string, note: Note): void {
  if (!isReordered(line)) return;
  for (const { index } of line.matchAll(rtlLetters())) note(index, 'reordering');
}

function isReordered(line: string): boolean {
  let since: 'letter' | 'rtl' | 'rtl and syntax' = 'letter';
  for (const { groups } of line.matchAll(turns())) {
    const isTurned = since === 'rtl and syntax';
    if (isTurned && (groups?.['rtl'] ?? groups?.['number']) !== undefined) return true;
    if (groups?.['rtl'] !== undefined) since = 'rtl';
    else if (groups?.['letter'] !== undefined) since = 'letter';
    else if (groups?.['syntax'] !== undefined && since === 'rtl') since = 'rtl and syntax';
  }
  return false;
}
