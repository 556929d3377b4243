import { type CallItem, decisionText, durationText } from '@countersign/client';
import { lineOf, visibleLine } from '@countersign/display';
import { resultOf } from '@countersign/kernel';
import { cancelText, explain, isSettled, type Json, type Live, type ToolCall } from '@countersign/protocol';
import { diffRows } from '../diff/diff-rows.js';
import { languageOf } from '../text/highlight.js';
import { tailRows, textRows } from '../text/plain-rows.js';
import { type Role, type StyledRow, seg } from '../text/styled.js';
import { cutRow } from '../text/wrap.js';
import { progressRow } from './progress-row.js';

export type CardSize = {
  readonly columns: number;
  /** For what a running call shows. */
  readonly tailRowsMax: number;
  /** Milliseconds since 1970. */
  readonly now: number;
};

const INDENT = '    ';
/** Rows of a result: enough to recognise it; the pager shows the rest. */
const RESULT_ROWS = 3;
/** For a change that was made without approval, and so was not shown. */
const DIFF_ROWS = 10;
/** More does not fit on any row, and is not made visible again for each frame. */
const TITLE_CHARS_MAX = 300;
const FRAME_MS = 500;
const TURNING = ['◐', '◓', '◑', '◒'];

/** An open call: what it is, its status, and its live output. */
export function openCardRows(item: CallItem, live: Live | undefined, size: CardSize): readonly StyledRow[] {
  const { call } = item;
  const inside = size.columns - INDENT.length;
  const more: StyledRow[] = [];
  if (call.status === 'executing') {
    if (live?.progress && size.tailRowsMax > 0) more.push(progressRow(live.progress, inside));
    more.push(...tailRows(live?.output ?? '', inside, size.tailRowsMax - more.length));
  }
  return [headRow(item, live, size), ...indented(more, 'dim')];
}

/** A settled call, in few rows. */
export function doneCardRows(item: CallItem, columns: number): readonly StyledRow[] {
  const { call, permit } = item;
  const head = headRow(item, undefined, { columns, tailRowsMax: 0, now: 0 });
  const inside = columns - INDENT.length;
  if (!isSettled(call)) return [head];
  const display = resultOf(call).display;
  const change = changeIn(display);
  if (call.status === 'success' && change) {
    const wasSeen = permit?.by.type === 'person';
    return [head, ...(wasSeen ? [] : indented(changeRows(change, inside, DIFF_ROWS)))];
  }
  const why = whyNot(item);
  const result = typeof display === 'string' && display !== why ? display.trimEnd() : '';
  return [
    head,
    ...indented(why === null ? [] : textRows(why, inside, '', 'bad').slice(0, RESULT_ROWS)),
    ...indented(resultRows(result, inside)),
  ];
}

/** Everything about a call, for the pager. */
export function wholeCardRows(item: CallItem, live: Live | undefined, columns: number): readonly StyledRow[] {
  const { call } = item;
  const decided = decisionText(item);
  const display = isSettled(call) ? resultOf(call).display : (live?.output ?? '');
  const change = changeIn(display);
  const why = whyNot(item);
  return [
    headRow(item, live, { columns, tailRowsMax: 0, now: call.request.at }),
    ...textRows(`${call.request.name} ${JSON.stringify(call.request.args, null, 1)}`, columns, '  ', 'dim'),
    ...(decided === null ? [] : textRows(decided, columns, '  ')),
    ...(why === null ? [] : textRows(why, columns, '  ', 'bad')),
    ...(change ? changeRows(change, columns, Infinity) : textRows(displayText(display), columns, '  ')),
  ];
}

function headRow(item: CallItem, live: Live | undefined, { columns, now }: CardSize): StyledRow {
  const { call, title } = item;
  const [still, role] = MARKS[call.status];
  const mark = call.status === 'executing' ? TURNING[Math.floor(now / FRAME_MS) % TURNING.length] : still;
  const after = visibleLine(afterWords(item, live, now).join(' · '));
  const name = visibleLine(call.request.name);
  const words = visibleLine((title ?? argsText(call)).slice(0, TITLE_CHARS_MAX));
  const room = columns - after.length - 3;
  const head = cutRow([seg(` ${mark} `, role), seg(name, 'strong'), seg(` ${words}`)], Math.max(8, room));
  return cutRow([...head, ...(after === '' ? [] : [seg(`  ${after}`, 'dim')])], columns);
}

/** Until it is planned; a file that is to be written may be part of it. */
const argsText = ({ request }: ToolCall): string =>
  JSON.stringify(request.args, (_, value: unknown) =>
    typeof value === 'string' ? value.slice(0, TITLE_CHARS_MAX) : value,
  );

const MARKS: { readonly [S in ToolCall['status']]: readonly [mark: string, role: Role] } = {
  validating: ['○', 'dim'],
  awaiting_approval: ['?', 'warn'],
  scheduled: ['○', 'accent'],
  executing: ['◐', 'accent'],
  success: ['✓', 'ok'],
  error: ['✗', 'bad'],
  cancelled: ['–', 'dim'],
};

function afterWords({ call, ranMs }: CallItem, live: Live | undefined, now: number): readonly string[] {
  switch (call.status) {
    case 'validating':
      return ['being planned'];
    case 'awaiting_approval':
      return [call.step === 'replanning' ? 'being planned again' : 'waits for you'];
    case 'scheduled':
      return ['queued'];
    case 'executing':
      return [
        ...(call.attempt > 1 ? [`attempt ${call.attempt}`] : []),
        ...(live?.pid === undefined ? [] : [`process ${live.pid}`]),
        call.aborting ? 'stopping' : durationText(now - call.startedAt),
      ];
    case 'success':
    case 'error':
    case 'cancelled':
      return [
        ...exitWords(call),
        ...statWords(call),
        ...(call.status === 'cancelled' ? [call.reason.type === 'declined' ? 'declined' : 'cancelled'] : []),
        ...(ranMs === null ? [] : [durationText(ranMs)]),
      ];
  }
}

function exitWords(call: ToolCall): readonly string[] {
  if (call.status === 'success' && call.result.exitCode !== undefined)
    return [`exit ${call.result.exitCode}`];
  if (call.status === 'error' && call.failure.code === 'command_failed')
    return [call.failure.signal ?? `exit ${call.failure.exitCode}`];
  return [];
}

function statWords(call: ToolCall): readonly string[] {
  const change = call.status === 'success' ? changeIn(call.result.returnDisplay) : null;
  return change?.stat ? [`+${change.stat.added} -${change.stat.removed}`] : [];
}

function whyNot(item: CallItem): string | null {
  const { call } = item;
  if (call.status === 'error')
    return call.failure.code === 'policy_violation'
      ? (decisionText(item) ?? explain(call.failure).message)
      : explain(call.failure).message;
  return call.status === 'cancelled' && call.reason.type !== 'aborted' ? cancelText(call.reason) : null;
}

function resultRows(result: string, columns: number): readonly StyledRow[] {
  if (result === '') return [];
  const count = result.split('\n').length;
  const tail = tailRows(result, columns, count > RESULT_ROWS ? RESULT_ROWS - 1 : RESULT_ROWS);
  const left = count - tail.length;
  const note: StyledRow[] = left > 0 ? [[seg(`⋮ ${left} more lines, ctrl-o shows them`, 'dim')]] : [];
  return [...note.map((each) => cutRow(each, columns)), ...tail];
}

type Change = {
  readonly fileName: string;
  readonly fileDiff: string;
  readonly stat: { readonly added: number; readonly removed: number } | null;
};

/** The diff in the result of an edit; null if there is none. */
export function changeIn(display: Json): Change | null {
  if (typeof display !== 'object' || display === null || Array.isArray(display)) return null;
  const { fileName = '', fileDiff, diffStat } = display as { readonly [key: string]: Json | undefined };
  if (typeof fileDiff !== 'string') return null;
  const { added, removed } =
    typeof diffStat === 'object' && diffStat !== null && !Array.isArray(diffStat)
      ? (diffStat as { readonly [key: string]: Json })
      : {};
  const stat = typeof added === 'number' && typeof removed === 'number' ? { added, removed } : null;
  return { fileName: typeof fileName === 'string' ? fileName : '', fileDiff, stat };
}

const changeRows = ({ fileName, fileDiff }: Change, columns: number, rowsMax: number) =>
  diffRows(
    fileDiff
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => lineOf(line.replaceAll('\t', '    '), 'one line')),
    languageOf(fileName),
    { columns, rowsMax },
  );

const displayText = (display: Json): string =>
  typeof display === 'string' ? display : display === null ? '' : JSON.stringify(display, null, 1);

const indented = (rows: readonly StyledRow[], role?: Role): readonly StyledRow[] =>
  rows.map((segments) => [
    seg(INDENT),
    ...segments.map((segment) => (role && !segment.role ? { ...segment, role } : segment)),
  ]);
