import { ToolFailure } from '@countersign/engine';
import { bodyOf, kindOf, LINES_WORTH_A_LOOK } from './placeholder-line.js';
import { SIGNS, saysThatSomethingIsLeftOut } from './placeholder-phrase.js';

export type NewText = {
  readonly text: string;
  /** What stands there already: a placeholder among it is content like any other. */
  readonly known: string;
  /** How the file is named; what counts as a comment depends on what kind of file it is. */
  readonly shown: string;
};

const LINE_CHARS_MAX = 200; // a comment that stands for code is short; the patterns may take long on a long line

/** Refuses a text with a line such as `// ... rest of the code unchanged ...`: written as it is, it would delete code. */
export function refuseOmission({ text, known, shown }: NewText): void {
  const kind = kindOf(shown);
  for (const { 0: whole, index } of text.matchAll(LINES_WORTH_A_LOOK)) {
    const line = whole.trim();
    if (line.length > LINE_CHARS_MAX || !SIGNS.test(line)) continue;
    const body = bodyOf(line, kind);
    if (body === null || !saysThatSomethingIsLeftOut(body) || hasLine(known, line)) continue;
    throw new ToolFailure({
      code: 'edit_omission_placeholder',
      path: shown,
      line: text.slice(0, index).split('\n').length,
      text: line,
    });
  }
}

const hasLine = (text: string, line: string): boolean =>
  text.includes(line) && text.split('\n').some((each) => each.trim() === line);
