import { visible, visibleLine } from '@countersign/display';
import type { AskedQuestion, Json } from '@countersign/protocol';
import { useId, useState } from 'react';
import { preventingDefault } from '../parts/preventing-default.js';

type Given = { readonly chosen: readonly string[]; readonly words: string };
const NONE: Given = { chosen: [], words: '' };

/** Questions of a model. An answer in other words is always possible, and none at all, too. */
export function QuestionForm({
  questions,
  hasKeys,
  isSending,
  onAnswer,
  onDecline,
}: {
  readonly questions: readonly AskedQuestion[];
  readonly hasKeys: boolean;
  readonly isSending: boolean;
  readonly onAnswer: (answers: Json) => void;
  readonly onDecline: () => void;
}) {
  const [given, setGiven] = useState<readonly Given[]>(() => questions.map(() => NONE));
  const change = (index: number, to: Given) => setGiven(given.map((each, at) => (at === index ? to : each)));
  return (
    <form
      className="questions"
      onSubmit={preventingDefault(() =>
        onAnswer(questions.map((question, index) => answerTo(question, given[index] ?? NONE))),
      )}
    >
      {questions.map((question, index) => (
        <Asking
          key={index}
          question={question}
          given={given[index] ?? NONE}
          onChange={(to) => change(index, to)}
        />
      ))}
      <div className="choice-row">
        <button type="submit" className="yes" disabled={isSending}>
          Answer
        </button>
        <button type="button" className="no" disabled={isSending} onClick={onDecline}>
          Do not answer{hasKeys && <kbd>D</kbd>}
        </button>
      </div>
    </form>
  );
}

function answerTo({ type, multiSelect }: AskedQuestion, { chosen, words }: Given): Json {
  const other = words.trim();
  if (type === 'text') return other === '' ? null : other;
  if (multiSelect === true) return other === '' ? chosen : [...chosen, other];
  return other !== '' ? other : (chosen[0] ?? null);
}

function Asking({
  question: { question, header, type, options, multiSelect, placeholder },
  given,
  onChange,
}: {
  readonly question: AskedQuestion;
  readonly given: Given;
  readonly onChange: (given: Given) => void;
}) {
  const id = useId();
  const choices = type === 'yesno' ? YES_NO : (options ?? []);
  const isSeveral = multiSelect === true && type === 'choice';
  const choose = (label: string, isOn: boolean) =>
    onChange(
      isSeveral
        ? {
            ...given,
            chosen: isOn ? [...given.chosen, label] : given.chosen.filter((each) => each !== label),
          }
        : { chosen: [label], words: '' },
    );
  return (
    <fieldset>
      <legend>
        <span className="tag">{visibleLine(header)}</span> {visible(question)}
      </legend>
      {choices.map(({ label, description }) => (
        <label key={label} className="check">
          <input
            type={isSeveral ? 'checkbox' : 'radio'}
            name={id}
            checked={given.chosen.includes(label)}
            onChange={(event) => choose(label, event.target.checked)}
          />
          <span>
            {visibleLine(label)}
            {description !== '' && <span className="dim"> {visibleLine(description)}</span>}
          </span>
        </label>
      ))}
      <input
        type="text"
        aria-label={choices.length === 0 ? visible(question) : 'Other answer'}
        placeholder={placeholder ?? (choices.length === 0 ? '' : 'Other answer')}
        value={given.words}
        onChange={({ target: { value } }) =>
          onChange({ chosen: isSeveral || value === '' ? given.chosen : [], words: value })
        }
      />
    </fieldset>
  );
}

const YES_NO = [
  { label: 'Yes', description: '' },
  { label: 'No', description: '' },
];
