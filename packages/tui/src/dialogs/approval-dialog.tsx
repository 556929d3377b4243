import { readLimits } from '@countersign/display';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { bufferRows } from '../input/buffer-rows.js';
import type { Key } from '../input/keys.js';
import { bufferOf, EMPTY, edited, insert, type TextBuffer } from '../input/text-buffer.js';
import { Rows } from '../screen/rows.js';
import { useKeys, useScreen } from '../screen/screen-context.js';
import { row, type StyledRow, seg } from '../text/styled.js';
import { cutRow, wrap } from '../text/wrap.js';
import { choiceRows, isAmong, isReadable, movedTo } from './choice-rows.js';
import { type Choice, type ChoiceAction, choiceList, type Menu } from './choices.js';
import { headingRow } from './heading-row.js';
import { inlineText, readInline } from './inline-edit.js';
import type { DialogProps, QueuePlace } from './pending.js';
import { QuestionDrawing } from './question-drawing.js';
import { fitsOn, tooSmallRows } from './too-small.js';
import { UNREAD_MS, useArmed } from './use-armed.js';

type Step =
  | { readonly name: 'choosing' }
  | { readonly name: 'feedback' | 'changing' | 'limiting'; readonly buffer: TextBuffer }
  | { readonly name: 'busy'; readonly words: string };

const CONTENT_ROWS_MIN = 3;
/** What the content gets before choices are spelled out in several rows. */
const CONTENT_ROWS_WANTED = 8;
const TYPED_ROWS_MAX = 4;
const MENU_TITLE_ROWS_MAX = 5;
const INPUT_LABELS = {
  feedback: 'What should be done instead?',
  changing: 'Change it, then press enter:',
  limiting: 'How long and how often may it be used? e.g. 2h, 5 uses, or 1d 5 uses',
} as const;
const MODIFYING = 'Modify in progress: Save and close external editor to continue';

/** One question with all possible answers. Draws at most `rowsMax` rows. */
export function ApprovalDialog({ pending, place, rowsMax, actions }: DialogProps): ReactNode {
  const { columns, rows } = useScreen();
  const [menu, setMenu] = useState<Menu | null>(null);
  const { keyTarget, onScreen, isShown } = useArmed(menu === null ? 0 : 1);
  const drawing = useMemo(() => new QuestionDrawing(pending, columns), [pending, columns]);
  const atFirst = useMemo(() => withAll(choiceList(pending), place), [pending, place]);
  const choices = menu?.choices ?? atFirst;
  const [selected, setSelected] = useState(0);
  /** How an "always" is limited, as typed. */
  const [limits, setLimits] = useState('');
  const [scrolled, setScrolled] = useState<number | null>(null);
  const [step, setStep] = useState<Step>({ name: 'choosing' });
  const [problem, setProblem] = useState<string | null>(null);

  const { title } = drawing;
  const above: StyledRow[] = [headingRow(pending, place, columns), ...(title ? [[seg('  '), ...title]] : [])];
  const below = belowRows();
  // The last row explains the keys.
  const contentRows = Math.max(CONTENT_ROWS_MIN, rowsMax - above.length - below.length - 1);
  const whole = useMemo(() => (scrolled === null ? [] : drawing.whole()), [drawing, scrolled !== null]);
  const excerpt = useMemo(() => drawing.excerpt(contentRows), [drawing, contentRows]);
  const lastStart = Math.max(0, whole.length - contentRows);
  const start = Math.min(scrolled ?? 0, lastStart);
  const content = scrolled === null ? excerpt.rows : whole.slice(start, start + contentRows);
  const read = useRef({ drawing, rows: 0 });
  if (read.current.drawing !== drawing) read.current = { drawing, rows: 0 };
  // A user who jumps to the end has not seen the rows before it.
  if (scrolled !== null && start <= read.current.rows)
    read.current.rows = Math.max(read.current.rows, start + content.length);
  const isSeen =
    scrolled === null ? !excerpt.isCut && drawing.isHeadWhole : read.current.rows >= whole.length;
  const { onSeen } = actions;
  const keys = cutRow(row(hint(), 'dim'), columns);
  const all = [...above, ...content, ...below, keys];
  const isDrawn = fitsOn({ columns, rows }, all.length, rowsMax);

  const isRead = isSeen && isDrawn && isShown;
  useEffect(() => {
    if (isRead) onSeen(pending.key);
  }, [isRead, pending.key, onSeen]);

  useKeys((key) => {
    if (key.ctrl && key.text === 'c') return false;
    if (!isDrawn && key.name !== 'escape') return true;
    const target = keyTarget(key);
    if (target === 'question') press(key);
    return target !== 'prompt';
  }, 'dialog');

  if (!isDrawn) return <Rows rows={tooSmallRows(headingRow(pending, place, columns), columns)} />;
  return <Rows rows={all.slice(0, rowsMax)} asks={onScreen} />;

  function belowRows(): readonly StyledRow[] {
    const typed = 'buffer' in step ? step : null;
    const failure: readonly StyledRow[] =
      problem === null ? [] : wrap(row(`  ${problem}`, 'bad'), columns - 2, 'words').slice(0, 2);
    const busy: readonly StyledRow[] = step.name === 'busy' ? [row(`  ${step.words}`, 'accent')] : [];
    const wanted = Math.min(CONTENT_ROWS_WANTED, drawing.rowsWanted(CONTENT_ROWS_WANTED));
    const asks = asksRows(rowsMax - above.length - failure.length - choices.length - CONTENT_ROWS_MIN - 2);
    const spare = rowsMax - above.length - failure.length - asks.length - 1;
    const roomy = spare - wanted - drawing.below.length;
    // All choices before all of the reasons, and these before most of the content.
    const choiceRoom = Math.max(roomy, Math.min(choices.length, spare - CONTENT_ROWS_MIN - 1));
    const choose =
      step.name === 'choosing' ? choiceRows(choices.map(labelHere), selected, columns, choiceRoom) : [];
    const input = typed
      ? [
          row(`  ${INPUT_LABELS[typed.name]}`),
          ...bufferRows(typed.buffer, { columns, rowsMax: TYPED_ROWS_MAX, mark: '  > ' }),
        ]
      : [];
    const fixed = [...failure, ...asks, ...busy, ...choose, ...input];
    const room = Math.max(1, rowsMax - above.length - fixed.length - CONTENT_ROWS_MIN - 1);
    return [...drawing.below.slice(0, room), ...fixed];
  }

  function asksRows(room: number): readonly StyledRow[] {
    const asked = row(menu?.title ?? drawing.display.asks, 'strong');
    const asks = menu === null ? [asked] : wrap(asked, columns - 4, 'words');
    const shown = asks.slice(0, Math.min(MENU_TITLE_ROWS_MAX, Math.max(1, room)));
    return shown.map((each, index) => [
      seg('  '),
      ...each,
      ...(index === shown.length - 1 && asks.length > shown.length ? [seg('…')] : []),
    ]);
  }

  function labelHere({ label, action }: Choice): string {
    if (menu !== null && action.type === 'answer' && limits !== '') return `${label} (${limits})`;
    return pending.where === null ? label : label.replace(' (esc)', '');
  }

  function hint(): string {
    if (step.name !== 'choosing') return step.name === 'busy' ? '' : '  enter sends · esc goes back';
    return [
      '  ↑↓ or a number, enter',
      menu !== null ? 'esc: back' : pending.where === null ? 'esc: no' : 'esc: answer later',
      scrolled === null ? 'pgdn: show all' : `rows ${start + 1}–${start + content.length} of ${whole.length}`,
      ...(place.count > 1 ? ['tab: next'] : []),
      ...(menu === null && pending.where === null ? ['ctrl-c: stop'] : []),
    ].join(' · ');
  }

  function press(key: Key): void {
    if (step.name === 'busy') return;
    setProblem(null);
    if (step.name === 'choosing') return pressChoosing(key);
    const { buffer, name } = step;
    if (key.name === 'escape') return setStep({ name: 'choosing' });
    if (key.name === 'enter' && (key.alt || key.shift))
      return setStep({ name, buffer: insert(buffer, '\n') });
    if (key.name === 'enter')
      return { feedback: sendFeedback, changing: sendChange, limiting: limit }[name](buffer.text);
    const next = key.ctrl && key.text === 'j' ? insert(buffer, '\n') : edited(buffer, key);
    if (next) setStep({ name, buffer: next });
  }

  function pressChoosing(key: Key): void {
    const moved = movedTo(selected, choices.length, key.name);
    if (moved !== null) return setSelected(moved);
    if (key.name === 'escape' && menu !== null) return turnTo(null);
    if (key.name === 'escape')
      return pending.where === null ? act({ type: 'answer', outcome: 'cancel' }) : actions.onLeave(pending);
    if (key.name === 'tab') return actions.onTurn(key.shift ? -1 : 1);
    if (key.name === 'pagedown')
      return setScrolled(scrolled === null ? 0 : Math.min(start + contentRows, lastStart));
    if (key.name === 'pageup') return setScrolled(start === 0 ? null : Math.max(0, start - contentRows));
    if (key.name === 'end') return setScrolled(Infinity);
    if (key.name === 'home') return setScrolled(0);
    // A second press of the key that opened a menu does not choose in it.
    if (menu !== null && performance.now() - (onScreen.shownAt ?? performance.now()) < UNREAD_MS) return;
    if (key.name === 'enter') return act(choices[selected]?.action);
    // The tenth choice has the key 0, as on a keyboard.
    const number = key.name === 'text' && !key.ctrl && !key.alt ? Number(key.text) || 10 : Number.NaN;
    const choice = /^\d$/.test(key.text) ? choices[number - 1] : undefined;
    if (!choice) return;
    // A label that was cut is shown in full first: only a choice that can be read is taken.
    const isChoiceRead = isReadable(labelHere(choice), columns) && isAmong(number - 1, below);
    const decidesNothing = choice.action.type === 'open menu';
    if (selected === number - 1 || isChoiceRead || decidesNothing) act(choice.action);
    else setSelected(number - 1);
  }

  function act(action: ChoiceAction | undefined): void {
    switch (action?.type) {
      case undefined:
        return;
      case 'answer':
        return sendAnswer(action);
      case 'agree to all':
        return carryOut(actions.agreeToAll(), 'Sending the answers…');
      case 'write feedback':
        return setStep({ name: 'feedback', buffer: EMPTY });
      case 'open menu':
        return turnTo(action.menu);
      case 'limit':
        return setStep({ name: 'limiting', buffer: bufferOf(limits) });
      case 'edit here':
        return setStep({ name: 'changing', buffer: bufferOf(inlineText(pending)) });
      case 'edit in editor':
        return carryOut(actions.editInEditor(pending), MODIFYING);
    }
  }

  function sendFeedback(feedback: string): void {
    const payload = feedback.trim() === '' ? {} : { feedback };
    carryOut(actions.answer(pending, 'cancel', payload), 'Sending the answer…');
  }

  function turnTo(next: Menu | null): void {
    const opener = atFirst.findIndex(({ action }) => action.type === 'open menu' && action.menu === menu);
    setSelected(next === null ? Math.max(0, opener) : 0);
    setLimits('');
    setMenu(next);
  }

  function sendAnswer({ outcome, payload }: Extract<ChoiceAction, { type: 'answer' }>): void {
    // An expiry counts from now, not from when it was typed.
    const limited = menu === null ? null : readLimits(limits, Date.now());
    if (limited?.ok === false) return setProblem(limited.problem);
    const all = { ...payload, ...limited?.payload };
    const given = Object.keys(all).length === 0 ? payload : all;
    carryOut(actions.answer(pending, outcome, given), 'Sending the answer…');
  }

  function limit(text: string): void {
    const read = readLimits(text, Date.now());
    if (!read.ok) return setProblem(read.problem);
    setLimits(text.trim());
    setSelected(0);
    setStep({ name: 'choosing' });
  }

  function sendChange(text: string): void {
    const read = readInline(pending, text);
    if (read.ok) carryOut(actions.modify(pending, read.args), 'Planning again…');
    else setProblem(read.problem);
  }

  /** Resolves to null on success: the question is then answered, or replaced by another. */
  function carryOut(work: Promise<string | null>, words: string): void {
    const before = step;
    setStep({ name: 'busy', words });
    const settle = (problemFound: string | null) => {
      if (problemFound !== null) setProblem(problemFound);
      setStep(problemFound === null ? { name: 'choosing' } : before);
    };
    work.then(settle, (thrown: unknown) => settle(thrown instanceof Error ? thrown.message : String(thrown)));
  }
}

/** Last: it comes and goes with what others ask and answer, and no other choice may change its number under a finger. */
function withAll(choices: readonly Choice[], { count, isAllSeen }: QueuePlace): readonly Choice[] {
  if (count < 2 || !isAllSeen) return choices;
  const [first] = choices;
  if (first?.action.type !== 'answer' || first.action.outcome !== 'proceed_once') return choices;
  return [...choices, { label: `Yes to all ${count}, each once`, action: { type: 'agree to all' } }];
}
