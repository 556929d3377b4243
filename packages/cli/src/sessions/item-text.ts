import {
  type CallItem,
  decisionText,
  durationText,
  noticeText,
  type TranscriptItem,
} from '@countersign/client';
import { visibleLine } from '@countersign/display';
import { resultOf } from '@countersign/kernel';
import { type FailureCode, isSettled, type Json, type ToolCall } from '@countersign/protocol';
import { rowsOf, timeText } from './plain-rows.js';

export type Shown = {
  readonly columns: number;
  /** 'excerpts': only head and tail of long texts. */
  readonly extent: 'excerpts' | 'whole';
};

/** Enough to recognise a result or a thought. */
const RESULT_ROWS_MAX = 6;
const THOUGHT_ROWS_MAX = 4;

/** An item as plain rows, with a heading if its author is not `before`, the previous one. */
export function itemText(item: TranscriptItem, shown: Shown, before: string | null): readonly string[] {
  const { columns } = shown;
  const speaker = speakerOf(item);
  const heading =
    speaker === null || speaker === before
      ? []
      : ['', visibleLine(`${speaker}  ${timeText(item.at, 'seconds')}`)];
  switch (item.kind) {
    case 'user':
    case 'text':
      return [...heading, ...rowsOf(item.text, columns, '  ')];
    case 'thought':
      return [...heading, ...rowsOf(`(thought) ${item.text}`, columns, '  ', limit(shown, THOUGHT_ROWS_MAX))];
    case 'call':
      return callText(item, shown);
    case 'notice':
      return ['', ...rowsOf(`-- ${noticeText(item.notice)} (${timeText(item.at)})`, columns, '')];
  }
}

/** The author of a message; null for calls and notices. */
export function speakerOf(item: TranscriptItem): string | null {
  switch (item.kind) {
    case 'user':
      return item.by;
    case 'text':
    case 'thought':
      return item.model;
    case 'call':
    case 'notice':
      return null;
  }
}

const limit = ({ extent }: Shown, rowsMax: number): number => (extent === 'whole' ? Infinity : rowsMax);

function callText(item: CallItem, shown: Shown): readonly string[] {
  const { call, title, ranMs } = item;
  const { columns } = shown;
  const { name } = call.request;
  const took = ranMs === null ? '' : ` (${durationText(ranMs)})`;
  const decided = decisionText(item);
  // A call that was not allowed has no result besides the decision.
  const isToBeSeen = isSettled(call) && (call.startedAt !== null || decided === null);
  const result = isToBeSeen ? displayText(resultOf(call).display) : '';
  const head = rowsOf(
    `${name}: ${title ?? JSON.stringify(call.request.args)}${took}`,
    columns,
    CALL_INDENT,
    3,
  );
  const [first = '', ...more] = head;
  return [
    `  ${statusWord(call).padEnd(STATUS_COLUMNS)}${first.slice(CALL_INDENT.length)}`,
    ...more,
    ...(decided === null ? [] : rowsOf(decided, columns, CALL_INDENT, limit(shown, 4))),
    ...(result.trim() === ''
      ? []
      : rowsOf(result, columns, `${CALL_INDENT}| `, limit(shown, RESULT_ROWS_MAX))),
  ];
}

const STATUS_COLUMNS = 10;
const CALL_INDENT = ' '.repeat(2 + STATUS_COLUMNS);

/** One word each, readable without colours. */
function statusWord(call: ToolCall): string {
  switch (call.status) {
    case 'validating':
      return 'planned';
    case 'awaiting_approval':
      return 'waits';
    case 'scheduled':
      return 'queued';
    case 'executing':
      return call.aborting ? 'stopping' : 'runs';
    case 'success':
      return 'done';
    case 'error':
      return DENIALS.includes(call.failure.code) ? 'denied' : 'failed';
    case 'cancelled':
      return call.reason.type === 'declined' ? 'declined' : 'cancelled';
  }
}

const DENIALS: readonly FailureCode[] = ['policy_violation', 'nobody_to_ask', 'hook_denied'];

/** A tool displays a text, a file diff, or any other JSON. */
function displayText(display: Json): string {
  if (typeof display === 'string') return display;
  if (typeof display !== 'object' || display === null || Array.isArray(display))
    return display === null ? '' : JSON.stringify(display);
  const fileDiff = 'fileDiff' in display ? display.fileDiff : null;
  return typeof fileDiff === 'string' ? fileDiff : JSON.stringify(display);
}
