import { once } from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';
import { bodyOf, kindOf, MAY_STAND_FOR_OTHERS } from './placeholder-line.js';
import { announcesOmission, SIGNS } from './placeholder-phrase.js';

export type NewText = {
  readonly text: string;
  /** What stands there already: a placeholder among it is content like any other. */
  readonly known: string;
  /** How the file is named; what counts as a comment depends on what kind of file it is. */
  readonly shown: string;
};

const LINE_CHARS_MAX = 200; // a comment that stands for code is short; the patterns may take long on a long line

/** Looked at closely, each once however often it occurs: a model that omits something marks it in a few lines. */
const LINES_LOOKED_AT_MAX = 2_000;
/** Lines with a sign, of the same or other words; what has more of them is data. */
const LINES_WITH_SIGNS_MAX = 20_000;

/** Refuses a text with a line such as `// ... rest of the code unchanged ...`: written as it is, it would delete code. */
export function refuseOmission({ text, known, shown }: NewText): void {
  const kind = kindOf(shown);
  // Made once, if at all: a text may have a placeholder on every line, and the file all of them.
  const knownLines = once(() => Array.from(linesWithSigns(known), ({ line }) => line));
  const isKnown = once(() => new Set(knownLines()));
  const lookedAt = new Set<string>();
  for (const { line, index } of linesWithSigns(text)) {
    if (lookedAt.has(line) || isKnown().has(line)) continue;
    lookedAt.add(line);
    if (lookedAt.size > LINES_LOOKED_AT_MAX || knownLines().length === LINES_WITH_SIGNS_MAX) return;
    const body = bodyOf(line, kind);
    if (body === null || !announcesOmission(body)) continue;
    throw new ToolFailure({
      code: 'edit_omission_placeholder',
      path: shown,
      line: text.slice(0, index).split('\n').length,
      text: line,
    });
  }
}

/** From sign to sign, so that a text without any is not even taken apart. */
function* linesWithSigns(text: string): Generator<{ readonly line: string; readonly index: number }> {
  const signs = new RegExp(SIGNS.source, 'giu');
  for (let count = 0; count < LINES_WITH_SIGNS_MAX; count++) {
    const sign = signs.exec(text);
    if (!sign) return;
    const index = text.lastIndexOf('\n', sign.index) + 1;
    const next = text.indexOf('\n', sign.index);
    const end = next === -1 ? text.length : next;
    signs.lastIndex = end;
    if (end - index > LINE_CHARS_MAX * 2) continue;
    const line = text.slice(index, end).trim();
    if (line.length <= LINE_CHARS_MAX && MAY_STAND_FOR_OTHERS.test(line)) yield { line, index };
  }
}
