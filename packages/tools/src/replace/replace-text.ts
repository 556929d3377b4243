import { type DecodedText, formatRemarks } from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';
import { PRESENT_BYTES_MAX } from '../edit/file-change.js';
import type { RewrittenText } from '../edit/file-edit.js';
import { newContent } from '../edit/new-content.js';
import { refuseOmission } from '../edit/omission.js';
import { excerptsOf, lineNumberAt } from './excerpts.js';
import { findPlaces, type Place, type Search } from './find-places.js';
import { type LfView, lfView, withLf } from './lf-view.js';
import { apart } from './occurrences.js';
import { matchInWords, remarksOn, whereInWords, whyNotFound } from './replace-words.js';

export type Replacement = {
  readonly oldString: string;
  readonly newString: string;
  /** How many places there must be; null: any number. */
  readonly expected: number | null;
};

/** The text of a file with one text in it replaced by another; the new text of a file that is to be made. */
export function replaceText(
  present: DecodedText | null,
  { oldString, newString, expected }: Replacement,
  shown: string,
): RewrittenText {
  const change = changeOf(oldString, newString);
  if (change.oldText === change.newText)
    throw new ToolFailure({
      code: 'edit_no_change',
      path: shown,
      reason: 'old_string and new_string are the same',
    });
  if (present === null || (change.oldText === '' && present.text === ''))
    return newContent(present, newString, shown);
  if (change.oldText === '') throw new ToolFailure({ code: 'attempt_to_create_existing_file', path: shown });
  refuseOmission({ text: change.newText, known: change.oldText, shown });

  const view = lfView(present);
  const search = findPlaces(view.text, change);
  const places = agreedPlaces(search, { expected, change, shown, text: view.text });
  const where = whereInWords(view.text, places);
  // A replacement of a whole text includes its line breaks.
  const text =
    oldString === present.text ? newContent(present, newString, shown).text : replaced(view, places, shown);
  if (text === present.text)
    throw new ToolFailure({
      code: 'edit_no_change',
      path: shown,
      reason: `new_string is already in the file, in ${where}`,
    });
  const { encoding, bom } = present;
  return {
    text,
    encoding,
    bom,
    line: lineNumberAt(view.text, places[0]?.start ?? 0),
    done: `Edited ${shown}: ${matchInWords(search.match, places.length)}, in ${where}`,
    kept: formatRemarks(present),
    remarks: remarksOn(search, where),
  };
}

type Sought = {
  readonly expected: number | null;
  readonly change: ReturnType<typeof changeOf>;
  readonly shown: string;
  readonly text: string;
};

/** Line breaks match whichever way they are stored, and a byte order mark is no part of a text. */
function changeOf(oldString: string, newString: string) {
  const marked = oldString.startsWith('\ufeff');
  const unmarked = (text: string) => (marked && text.startsWith('\ufeff') ? text.slice(1) : text);
  return { oldText: withLf(unmarked(oldString)), newText: withLf(unmarked(newString)) };
}

/** As many as were expected, or a failure: nothing is replaced where it is not clear what was meant. */
function agreedPlaces(search: Search, { expected, change, shown, text }: Sought): readonly Place[] {
  if (search.match === 'none')
    throw new ToolFailure({
      code: 'edit_no_occurrence_found',
      path: shown,
      searched: search.searched,
      nearest: excerptsOf(text, search.nearest),
      remarks: whyNotFound(text, change),
    });
  // What is only similar is one place, however many were expected: of two, one is the wrong one.
  const count = search.match === 'fuzzy' ? 1 : expected;
  const places = count === 1 ? search.places : apart(search.places);
  const isAmbiguous = count === 1 && places.length > 1;
  if (search.more && !isAmbiguous)
    throw new ToolFailure({
      code: 'invalid_tool_params',
      name: 'replace',
      problems: [`"old_string" occurs too often in ${shown} to say where all of it is`],
    });
  if ((count === null || places.length === count) && (expected === null || places.length === expected))
    return places;
  throw new ToolFailure({
    code: 'edit_expected_occurrence_mismatch',
    path: shown,
    match: search.match,
    expected: expected ?? 1,
    found: places.length,
    places: excerptsOf(text, places),
  });
}

function replaced(view: LfView, places: readonly Place[], shown: string): string {
  const parts = places.map((place) => place.replaced());
  const length = parts.reduce(
    (sum, { start, end, text }) => sum + text.length - (end - start),
    view.text.length,
  );
  if (length <= PRESENT_BYTES_MAX) return view.withReplaced(parts);
  throw new ToolFailure({
    code: 'invalid_tool_params',
    name: 'replace',
    problems: [
      `"new_string" would make ${shown} grow to ${length} characters (at most ${PRESENT_BYTES_MAX})`,
    ],
  });
}
