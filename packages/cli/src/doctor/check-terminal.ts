import type { Io } from '../io/io.js';
import { type Check, note, ok } from './check.js';

/** Below this a question and its choices do not fit beside each other (SPEC U1). */
const COLUMNS_WANTED = 80;
const ROWS_WANTED = 24;

export function checkTerminal({ stdout, stderr, env }: Io): Check {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  if (!/utf-?8/i.test(locale))
    return note(
      'terminal',
      `The locale is "${locale || 'C'}", so non-ASCII characters may be displayed incorrectly.`,
      'Set LANG to one that ends in UTF-8, for instance C.UTF-8.',
    );
  if (stdout.isTTY !== true) return ok('terminal', 'Output goes to a file or another program, in UTF-8.');
  const { columns = COLUMNS_WANTED } = stdout;
  const { rows = ROWS_WANTED } = stderr;
  const colours = env['NO_COLOR']
    ? 'without colours (NO_COLOR)'
    : env['TERM'] === 'dumb'
      ? 'without colours'
      : 'with colours';
  const text = `${columns} columns and ${rows} rows, ${colours}, in UTF-8.`;
  return columns >= COLUMNS_WANTED && rows >= ROWS_WANTED
    ? ok('terminal', text)
    : note('terminal', text, `Make the window at least ${COLUMNS_WANTED} by ${ROWS_WANTED}.`);
}
