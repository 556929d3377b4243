import { type Choice, type Display, visibleLine } from '@countersign/display';
import { type Ref, useState } from 'react';
import { AlwaysForm } from './always-form.js';
import type { Answering } from './asked.js';

/** The ways to answer. What an "always" covers, where and how long is decided in a second step. */
export function Choices({
  ref,
  choices,
  display,
  served,
  hasKeys,
  isSending,
  onAnswer,
  onEdit,
  onDecline,
}: {
  readonly ref: Ref<HTMLDivElement>;
  readonly choices: readonly Choice[];
  readonly display: Display;
  readonly served: boolean;
  readonly hasKeys: boolean;
  readonly isSending: boolean;
  readonly onAnswer: Answering;
  readonly onEdit: () => void;
  readonly onDecline: () => void;
}) {
  const [isAlwaysOpen, setAlwaysOpen] = useState(false);
  const always = choices.filter((choice) => choice.type === 'allow always');
  const [first] = always;
  const before = first ? choices.indexOf(first) : choices.length;
  const button = (choice: Choice) => (
    <ChoiceButton
      key={choice.id}
      choice={choice}
      hasKeys={hasKeys}
      isSending={isSending}
      onChoose={() => {
        if (choice.type === 'edit') onEdit();
        else if (choice.type === 'decline') onDecline();
        else onAnswer(choice.outcome, choice.payload);
      }}
    />
  );
  return (
    <div ref={ref} className="choices" role="group" aria-label={display.asks}>
      <div className="choice-row">
        {choices.slice(0, before).map(button)}
        {always.length > 0 && (
          <button
            type="button"
            disabled={isSending}
            aria-expanded={isAlwaysOpen}
            onClick={() => setAlwaysOpen(!isAlwaysOpen)}
          >
            Allow always …
          </button>
        )}
        {choices.slice(before).map((choice) => choice.type !== 'allow always' && button(choice))}
      </div>
      {!served && (
        <p className="dim">
          Its folder is not served here, so it can only be answered once and unchanged. Changing it, or
          allowing it always, is done where the session was started.
        </p>
      )}
      {isAlwaysOpen && <AlwaysForm choices={always} isSending={isSending} onAnswer={onAnswer} />}
    </div>
  );
}

function ChoiceButton({
  choice,
  hasKeys,
  isSending,
  onChoose,
}: {
  readonly choice: Choice;
  readonly hasKeys: boolean;
  readonly isSending: boolean;
  readonly onChoose: () => void;
}) {
  const { words, look, shortcut } = drawn(choice);
  return (
    <button type="button" className={look} disabled={isSending} onClick={onChoose}>
      {words}
      {hasKeys && shortcut && <kbd>{shortcut}</kbd>}
    </button>
  );
}

type Drawn = { readonly words: string; readonly look?: string; readonly shortcut?: string };

function drawn(choice: Choice): Drawn {
  switch (choice.type) {
    case 'allow once':
      return { words: 'Allow once', look: 'yes', shortcut: 'A' };
    case 'fill in a form':
      return { words: 'Answer', look: 'yes' };
    case 'reply':
      return { words: visibleLine(choice.label), look: 'yes' };
    case 'agree':
      return choice.mode === 'manual'
        ? { words: 'Agree, and ask about each change', look: 'yes' }
        : { words: 'Agree, and let edits in the workspace through' };
    case 'allow always':
      return { words: 'Allow always' };
    case 'edit': {
      const words = choice.edits === 'the content' ? 'Edit, then allow' : `Change ${choice.edits}`;
      return { words, shortcut: 'E' };
    }
    case 'decline':
      return { words: 'Decline', look: 'no', shortcut: 'D' };
    case 'stop':
      return { words: 'Decline, and stop there', look: 'no' };
  }
}
