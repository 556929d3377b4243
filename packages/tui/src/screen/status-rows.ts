import { durationText } from '@countersign/client';
import { visibleLine } from '@countersign/display';
import { type ApprovalMode, explain } from '@countersign/protocol';
import type { Agenda, StreamView } from '@countersign/react';
import { type Role, row, type StyledRow, seg } from '../text/styled.js';
import { cutRow, widthOf } from '../text/wrap.js';

export type Status = {
  readonly mode: ApprovalMode;
  readonly model: string | null;
  readonly tokens: number;
  readonly dollars: number | null;
  readonly place: string;
  readonly waiting: number;
  readonly hint: string | null;
};

const MODE_ROLES: { readonly [mode in ApprovalMode]: Role } = {
  plan: 'accent',
  manual: 'ok',
  auto_edit: 'warn',
  yolo: 'bad',
  confirm_always: 'ok',
};

/** The last row: the mode, the model, its tokens and cost, and the directory. */
export function statusRow(status: Status, columns: number): StyledRow {
  const { mode, model, tokens, dollars, place, waiting, hint } = status;
  const left: StyledRow = [seg(` ${mode} `, MODE_ROLES[mode]), seg('(shift-tab)', 'dim')];
  const spent = tokens === 0 ? [] : [`${tokens.toLocaleString('en')} tokens`];
  const cost = dollars === null || dollars === 0 ? [] : [`$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`];
  const questions = waiting === 0 ? [] : [waiting === 1 ? '1 question' : `${waiting} questions`];
  const words = [...questions, visibleLine(model ?? 'no model'), ...spent, ...cost, visibleLine(place)];
  const right = hint ?? words.join(' · ');
  const room = columns - widthOf(left) - 2;
  const cut = cutRow(row(right, hint === null ? 'dim' : 'warn'), Math.max(1, room));
  return cutRow([...left, seg(' '.repeat(Math.max(1, room - widthOf(cut) + 1))), ...cut], columns);
}

/** The progress of the agent; no row while it is idle. */
export function workRows(stream: StreamView, now: number, columns: number): readonly StyledRow[] {
  if (stream.since === null) return [];
  const since = durationText(now - stream.since);
  if (stream.state === 'waiting_for_confirmation') return [];
  const retry =
    stream.retry === null ? '' : ` · ${explain(stream.retry.because).message} (try ${stream.retry.attempt})`;
  return [cutRow(row(` working, ${since} · esc stops${visibleLine(retry)}`, 'dim'), columns)];
}

const MARKS: { readonly [status: string]: string } = {
  completed: '✓',
  in_progress: '›',
  cancelled: '–',
  blocked: '!',
};

/** The topic and the steps, as many as there is room for; the one in progress is always among them. */
export function agendaRows({ topic, todos }: Agenda, columns: number, rowsMax: number): readonly StyledRow[] {
  if ((topic === null && todos.length === 0) || rowsMax <= 0) return [];
  const done = todos.filter(({ status }) => status === 'completed').length;
  const current = todos.findIndex(({ status }) => status === 'in_progress');
  const title = topic === null ? '' : visibleLine(topic);
  if (todos.length === 0) return [cutRow(row(` ${title}`, 'accent'), columns)];
  const count = `${done} of ${todos.length} done`;
  const step = current === -1 ? '' : `: ${visibleLine(todos[current]?.description ?? '')}`;
  const head = cutRow(
    [seg(` ${title}${title === '' ? '' : ' · '}`, 'accent'), seg(`${count}${rowsMax === 1 ? step : ''}`)],
    columns,
  );
  const room = rowsMax - 1;
  const from = Math.max(0, Math.min(current - 1, todos.length - room));
  const steps = todos.slice(from, from + room).map(({ description, status }) => {
    const isCurrent = status === 'in_progress';
    const text = ` ${MARKS[status] ?? ' '} ${visibleLine(description)}`;
    return cutRow(row(text, isCurrent ? 'strong' : 'dim'), columns);
  });
  return [head, ...steps];
}
