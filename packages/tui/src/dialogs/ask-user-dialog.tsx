import { visible } from '@countersign/display';
import type { AskedQuestion, Json } from '@countersign/protocol';
import { type ReactNode, useRef, useState } from 'react';
import { bufferRows } from '../input/buffer-rows.js';
import type { Key } from '../input/keys.js';
import { EMPTY, edited, insert, type TextBuffer } from '../input/text-buffer.js';
import { Rows } from '../screen/rows.js';
import { useKeys, useScreen } from '../screen/screen-context.js';
import { textRows } from '../text/plain-rows.js';
import { row, type StyledRow, seg } from '../text/styled.js';
import { cutRow } from '../text/wrap.js';
import { movedTo } from './choice-rows.js';
import { headingRow } from './heading-row.js';
import type { DialogProps } from './pending.js';
import { fitsOn, tooSmallRows } from './too-small.js';
import { useArmed } from './use-armed.js';

type Option = { readonly label: string; readonly description: string };

const OWN_WORDS: Option = { label: 'Something else', description: 'in your own words' };
const OPTION_ROWS_MAX = 3;

/** What an agent asks the person, one question after the other. */
export function AskUserDialog({
  pending,
  questions,
  place,
  rowsMax,
  actions,
}: DialogProps & { readonly questions: readonly AskedQuestion[] }): ReactNode {
  const { columns, rows } = useScreen();
  const [answers, setAnswers] = useState<readonly Json[]>([]);
  const { keyTarget, onScreen } = useArmed(answers.length);
  const [selected, setSelected] = useState(0);
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const [buffer, setBuffer] = useState<TextBuffer>(EMPTY);
  const [isWriting, setWriting] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const question = questions[answers.length];

  const isDrawn = useRef(false);
  useKeys((key) => {
    if (key.ctrl && key.text === 'c') return false;
    if (!isDrawn.current && key.name !== 'escape') return true;
    const target = keyTarget(key);
    if (target === 'question') press(key);
    return target !== 'prompt';
  }, 'dialog');

  if (!question) return <Rows rows={[headingRow(pending, place, columns), row('  Sending the answers…')]} />;
  const options = optionsOf(question);
  const isTyping = isWriting || options.length === 0;
  const fixed = [...fixedRows(question)];
  // Right of the bar are the agent's words, and nothing there can pass for ours.
  const asked = textRows(question.question, columns - 4).map(
    (each): StyledRow => [seg('  │ ', 'dim'), ...each],
  );
  const askedRows = Math.max(1, rowsMax - fixed.length - 1);
  const cut: StyledRow[] =
    asked.length > askedRows
      ? [row(`  ⋮ ${asked.length - askedRows + 1} more rows of the question`, 'dim')]
      : [];
  const all = [
    headingRow(pending, place, columns),
    ...asked.slice(0, askedRows - cut.length),
    ...cut,
    ...fixed,
  ];
  isDrawn.current = fitsOn({ columns, rows }, all.length, rowsMax);
  if (!isDrawn.current) return <Rows rows={tooSmallRows(headingRow(pending, place, columns), columns)} />;
  return <Rows rows={all.slice(0, rowsMax)} asks={onScreen} />;

  function fixedRows({ header, multiSelect, placeholder }: AskedQuestion): readonly StyledRow[] {
    const number = questions.length > 1 ? `Question ${answers.length + 1} of ${questions.length}: ` : '';
    const title = cutRow(
      [seg('  '), seg(`${number}${visible(header).replaceAll('\n', ' ')}`, 'strong')],
      columns,
    );
    const list = options.flatMap((option, index) => optionRows(option, index, multiSelect === true));
    const example = placeholder ? [cutRow(row(`  e.g. ${visible(placeholder)}`, 'dim'), columns)] : [];
    const typed = isTyping ? [...example, ...bufferRows(buffer, { columns, rowsMax: 4, mark: '  > ' })] : [];
    const failure = problem === null ? [] : [cutRow(row(`  ${problem}`, 'bad'), columns)];
    const keys = isTyping
      ? '  enter sends · esc: no answer'
      : multiSelect
        ? '  space ticks · enter sends · esc: no answer'
        : '  ↑↓ or a number, enter · esc: no answer';
    return [title, ...(isWriting ? [] : list), ...typed, ...failure, cutRow(row(keys, 'dim'), columns)];
  }

  function optionRows({ label, description }: Option, index: number, many: boolean): readonly StyledRow[] {
    const isSelected = index === selected;
    const box = many && index < options.length - 1 ? (ticked.has(index) ? '[x] ' : '[ ] ') : '';
    const mark = `${isSelected ? '›' : ' '} ${index + 1}. ${box}`;
    const words = description === '' ? label : `${label}: ${description}`;
    const rows = textRows(words, columns - mark.length - 1).slice(0, OPTION_ROWS_MAX);
    return rows.map((segments, place_) => [
      seg(place_ === 0 ? mark : ' '.repeat(mark.length), isSelected ? 'accent' : undefined),
      ...segments.map((segment) => (isSelected ? { ...segment, role: 'strong' as const } : segment)),
    ]);
  }

  function press(key: Key): void {
    if (!question) return;
    setProblem(null);
    if (key.name === 'escape') {
      if (isWriting) return setWriting(false);
      return pending.where === null ? report(actions.answer(pending, 'cancel')) : actions.onLeave(pending);
    }
    if (isTyping) return pressTyping(key);
    if (key.name === 'tab') return actions.onTurn(key.shift ? -1 : 1);
    const moved = movedTo(selected, options.length, key.name);
    if (moved !== null) return setSelected(moved);
    if (key.name === 'enter') return choose(selected);
    if (key.name !== 'text' || key.text.length !== 1) return;
    if (key.text === ' ' && question.multiSelect) return tick(selected);
    const number = Number(key.text);
    if (!options[number - 1]) return;
    setSelected(number - 1);
    if (question.multiSelect && number < options.length) tick(number - 1);
    else choose(number - 1);
  }

  function pressTyping(key: Key): void {
    if (key.name === 'enter' && !key.alt && !key.shift) {
      if (buffer.text.trim() === '') return setProblem('Type an answer first, or press esc.');
      const ticks = inOrder(ticked).flatMap((at) => options[at]?.label ?? []);
      return take(ticks.length > 0 ? [...ticks, buffer.text] : buffer.text);
    }
    const next =
      key.name === 'enter' || (key.ctrl && key.text === 'j') ? insert(buffer, '\n') : edited(buffer, key);
    if (next) setBuffer(next);
  }

  function tick(index: number): void {
    if (index >= options.length - 1) return;
    const next = new Set(ticked);
    if (!next.delete(index)) next.add(index);
    setTicked(next);
  }

  function choose(index: number): void {
    const option = options[index];
    if (!question || !option) return;
    if (option === OWN_WORDS) return setWriting(true);
    if (!question.multiSelect) return take(option.label);
    const chosen = ticked.size > 0 ? inOrder(ticked) : [index];
    take(chosen.flatMap((at) => options[at]?.label ?? []));
  }

  function take(answer: Json): void {
    const next = [...answers, answer];
    setAnswers(next);
    setSelected(0);
    setTicked(new Set());
    setBuffer(EMPTY);
    setWriting(false);
    if (next.length === questions.length)
      report(actions.answer(pending, 'proceed_once', { answers: next }), () => setAnswers(answers));
  }

  function report(work: Promise<string | null>, undo = () => {}): void {
    void work.then((found) => {
      if (found === null) return;
      undo();
      setProblem(found);
    });
  }
}

const inOrder = (places: ReadonlySet<number>): readonly number[] => [...places].sort((a, b) => a - b);

function optionsOf({ type, options = [] }: AskedQuestion): readonly Option[] {
  if (type === 'yesno')
    return [{ label: 'Yes', description: '' }, { label: 'No', description: '' }, OWN_WORDS];
  return type === 'choice' ? [...options, OWN_WORDS] : [];
}
