import { stopwatch } from '@countersign/testkit';
import { describe, expect, test } from 'vitest';
import { cases, codeAs, confirmationOf, type Must, partsOf, titleOf } from './approvals-ui-cases.js';
import { Dialog, type Seen } from './dialog.js';

const CHECKED_HERE = new Set<string>([
  'shows',
  'visibleEscape',
  'noRawControl',
  'layoutIntact',
  'lineCount',
  'fullTextReachable',
  'tailVisibleBeforeApprove',
  'warn',
  'marksNonAscii',
  'approveOffered',
  'distinctFrame',
  'showsCount',
  'maxRenderMs',
  'noCrash',
  'noHtml',
  'noLink',
  'noRemoteLoad',
] satisfies (keyof Must)[]);

test('every assertion of the corpus is one that is checked here', () => {
  const unknown = cases.flatMap(({ must }) => Object.keys(must)).filter((name) => !CHECKED_HERE.has(name));
  expect(unknown).toEqual([]);
});

describe.each(cases)('$id: $why', ({ field, text, must }) => {
  test('what is shown is what would run [A7] [U2]', async () => {
    const confirmation = confirmationOf(field, text);
    const dialog = new Dialog();
    const elapsedMs = stopwatch();
    const seen = await dialog.ask(titleOf(confirmation), confirmation);
    const tookMs = elapsedMs();
    const bytes = dialog.bytes;
    const quoted = quotedText(seen);

    for (const part of must.shows ?? []) expect(quoted).toContain(part);
    for (const code of must.visibleEscape ?? []) expect(quoted).toMatch(codeAs(code));
    expect(withoutOurs(bytes)).not.toMatch(RAW);
    expectLayout(seen);
    if (must.lineCount !== undefined) expect(linesOfMain(seen)).toHaveLength(must.lineCount);
    if (must.tailVisibleBeforeApprove !== undefined)
      expect(seen.screen.join('\n')).toContain(must.tailVisibleBeforeApprove);
    if (must.warn !== undefined) expect(/^ {2}Warning: /m.test(seen.screen.join('\n'))).toBe(must.warn);
    if (must.marksNonAscii) expect(quoted).toMatch(/\\u\{[0-9a-f]+\}/);
    expect(/^ {2}\[y\] /m.test(seen.screen.join('\n'))).toBe(must.approveOffered ?? true);
    if (must.showsCount !== undefined) expect(seen.screen.join('\n')).toContain(must.showsCount);
    if (must.maxRenderMs !== undefined) expect(tookMs).toBeLessThan(must.maxRenderMs);
    if (must.fullTextReachable) {
      const whole = (await dialog.type('w')).everything;
      for (const part of partsOf(text)) expect(quotedText({ screen: [], everything: whole })).toContain(part);
    }
    expect(await dialog.end('n')).toMatchObject({ status: 'cancelled' });
  });
});

/** Without our own colours and cursor moves, and the joiners that make one picture of two. */
const withoutOurs = (bytes: string): string =>
  bytes.replace(
    /\u001b\[(?:\d+(?:;\d+)*)?[mGJ]|(?<=\p{Extended_Pictographic})\u200d(?=\p{Extended_Pictographic})/gu,
    '',
  );
/** What acts on a terminal or cannot be seen on it. Line feeds are ours, and so is the return before the prompt. */
const RAW = /(?![\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;

/** `  │ `, with our word for what it is before the bar, or `  ┆ ` where a line continues. */
const QUOTED = /^ {2}(?:[A-Z][a-z ]+)? *([│┆]) (.*)$/;

function quotedText({ everything }: Seen): string {
  return everything
    .map((row) => QUOTED.exec(row))
    .filter((row) => row !== null)
    .map(([, bar, text]) => (bar === '│' ? `\n${text}` : text))
    .join('');
}

/** The lines of what is asked about itself. */
const linesOfMain = ({ everything }: Seen): readonly string[] =>
  everything.filter((row) => row.startsWith('  │'));

/** Question and answers are on one screen, and between them is nothing but what has our gutter. */
function expectLayout({ screen }: Seen): void {
  const text = screen.join('\n');
  expect(text).toMatch(/^(Run|Write|Fetch|Call) /m);
  for (const ours of [
    /^ {2}Why you are asked: /m,
    /^ {2}(Allow|Apply|Do you) .*\?$/m,
    /^ {2}\[n\] No/m,
    /^> ?$/m,
  ])
    expect(text).toMatch(ours);
  const first = screen.findIndex((row) => QUOTED.test(row));
  const last = screen.findLastIndex((row) => QUOTED.test(row));
  for (const row of screen.slice(first, last))
    expect(row).toMatch(/^ {2}([A-Z][a-z ]+)? *[│┆]|^ {2}⋮ not shown/);
}
