import { basename } from 'node:path';
import { type CallItem, durationText } from '@countersign/client';
import { visibleLine } from '@countersign/display';
import type { RuleRef, Status } from '@countersign/protocol';

/** One row for each call: title, duration, and who decided. */
export function accountOf(calls: readonly CallItem[]): readonly string[] {
  const titles = calls.map(({ title, call }) => cut(visibleLine(title ?? call.request.name)));
  const width = Math.max(...titles.map((title) => title.length));
  return calls.map((item, index) => {
    const ran = item.ranMs === null ? 'not run' : durationText(item.ranMs);
    return `  ${markOf(item.call.status)} ${titles[index]?.padEnd(width)}  ${ran.padStart(7)}  ${decidedBy(item)}`;
  });
}

/** Who decided, as recorded in the journal. */
export function decidedBy({ call, verdict, waitedMs }: CallItem, extent: 'name' | 'place' = 'name'): string {
  const answer = 'answer' in call ? call.answer : null;
  if (!answer) return verdict?.rule ? ruleText(verdict.rule, extent) : 'no rule';
  return `${visibleLine(answer.by)}, after ${durationText(waitedMs ?? 0)}`;
}

export function markOf(status: Status): string {
  if (status === 'success') return '✓';
  return status === 'error' ? '✗' : '–';
}

function ruleText({ name, file, line }: RuleRef, extent: 'name' | 'place'): string {
  const place = `${basename(file)}:${line}`;
  if (name === null) return `the rule in ${place}`;
  return extent === 'name' ? `rule "${name}"` : `rule "${name}" (${place})`;
}

/** Keeps a row within 80 columns. */
const TITLE_CHARS_MAX = 36;
const cut = (title: string): string =>
  title.length <= TITLE_CHARS_MAX ? title : `${title.slice(0, TITLE_CHARS_MAX - 1)}…`;
