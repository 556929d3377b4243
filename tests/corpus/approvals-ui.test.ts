import { readFileSync } from 'node:fs';
import type { Confirmation, Json, JsonObject } from '@countersign/protocol';
import { describe, expect, test } from 'vitest';
import { Dialog, type Seen } from './dialog.js';

/** A case of the corpus; its meaning is section 3 of the corpus's SEMANTICS. */
type Case = {
  readonly id: string;
  readonly field: string;
  readonly text: string | Generated;
  readonly why: string;
  readonly must: Must;
};
type Generated =
  | {
      readonly gen: 'concat';
      readonly parts: readonly (string | { readonly repeat: string; readonly n: number })[];
    }
  | { readonly gen: 'json'; readonly depth: number };
type Must = {
  readonly shows?: readonly string[];
  readonly visibleEscape?: readonly string[];
  readonly noRawControl?: true;
  readonly layoutIntact?: true;
  readonly lineCount?: number;
  readonly fullTextReachable?: true;
  readonly tailVisibleBeforeApprove?: string;
  readonly warn?: boolean;
  readonly marksNonAscii?: true;
  readonly approveOffered?: false;
  readonly distinctFrame?: true;
  readonly showsCount?: string;
  readonly maxRenderMs?: number;
  readonly noCrash?: true;
  /** These three are for a page. In a terminal nothing is ever more than text. */
  readonly noHtml?: true;
  readonly noLink?: true;
  readonly noRemoteLoad?: true;
};
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

const read = (file: string): readonly Case[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** The corpus as it was given, and more of the same kinds. */
const cases = [...read('./approvals-ui.public.jsonl'), ...read('./approvals-ui.own.jsonl')];

test('every assertion of the corpus is one that is checked here', () => {
  const unknown = cases.flatMap(({ must }) => Object.keys(must)).filter((name) => !CHECKED_HERE.has(name));
  expect(unknown).toEqual([]);
});

describe.each(cases)('$id: $why', ({ field, text, must }) => {
  test('what is shown is what would run [A7] [U2]', async () => {
    const confirmation = confirmationOf(field, text);
    const dialog = new Dialog();
    const began = performance.now();
    const seen = await dialog.ask(titleOf(confirmation), confirmation);
    const tookMs = performance.now() - began;
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

/** The title of most tools holds what the model wrote as well. */
const titleOf = (confirmation: Confirmation): string =>
  confirmation.type === 'exec' ? `Run ${confirmation.command}` : confirmation.title;

function confirmationOf(field: string, given: Case['text']): Confirmation {
  const text = typeof given === 'string' ? given : generated(given);
  const mcp = {
    type: 'mcp',
    title: 'Call deploy',
    serverName: 'cloud',
    toolName: 'deploy',
    toolDisplayName: 'deploy',
    toolArgs: { region: 'eu' },
    toolDescription: 'Deploys.',
  } as const;
  switch (field) {
    case 'command':
      return {
        type: 'exec',
        title: '',
        command: text,
        rootCommand: '',
        rootCommands: [],
        directory: '/home/me/project',
        riskLevel: 'low',
        riskReasons: [],
      };
    case 'diff':
      return {
        type: 'edit',
        title: 'Write src/a.ts',
        fileName: 'a.ts',
        filePath: '/home/me/project/src/a.ts',
        fileDiff: text,
        originalContent: '',
        newContent: text.replace(/^\+/gm, ''),
        diffStat: { added: text.match(/^\+/gm)?.length ?? 0, removed: 0 },
      };
    case 'url':
      return { type: 'info', title: 'Fetch a page', prompt: 'Summarise it.', urls: [text] };
    case 'toolName':
      return { ...mcp, title: `Call ${text}`, toolName: text, toolDisplayName: text };
    case 'mcpDescription':
      return { ...mcp, toolDescription: text };
    case 'args':
      return { ...mcp, toolArgs: asObject(JSON.parse(text)) };
    default:
      throw new Error(`A case has the field ${field}, which is not known here`);
  }
}

const asObject = (value: Json): JsonObject => (isObject(value) ? value : { value });
const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function generated(given: Generated): string {
  if (given.gen === 'json') return `${'{"a":'.repeat(given.depth)}1${'}'.repeat(given.depth)}`;
  return given.parts.map((part) => (typeof part === 'string' ? part : part.repeat.repeat(part.n))).join('');
}

const partsOf = (text: Case['text']): readonly string[] =>
  typeof text === 'string' || text.gen === 'json'
    ? []
    : text.parts.filter((part) => typeof part === 'string').flatMap((part) => part.trim().split('\n'));

/** Without our own colours and cursor moves, and the joiners that make one picture of two. */
const withoutOurs = (bytes: string): string =>
  bytes.replace(
    /\u001b\[(?:\d+(?:;\d+)*)?[mGJ]|(?<=\p{Extended_Pictographic})\u200d(?=\p{Extended_Pictographic})/gu,
    '',
  );
/** What acts on a terminal or can not be seen on it. Line feeds are ours, and so is the return before the prompt. */
const RAW = /(?![\n\r])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;

const codeAs = (code: string): RegExp => {
  const digits = code.slice(2).replace(/^0+(?=..)/, '');
  return new RegExp(`\\\\x${digits}|\\\\u\\{${digits}\\}`, 'i');
};

/** `  │ `, with our word for what it is before the bar, or `  ┆ ` where a line goes on. */
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
