import { type Choice, type Display, visibleLine } from '@countersign/display';
import type { AnswerPayload } from '@countersign/protocol';
import type { Ref } from 'react';
import type { Answering } from './asked.js';
import { GrantLimitFields, useGrantLimits } from './grant-limits.js';

/** The ways to answer; each "always" states its scope. */
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
  const limits = useGrantLimits();
  const isAlways = ({ type }: Choice) => type === 'allow always';
  const button = (choice: Choice) => (
    <ChoiceButton
      key={choice.id}
      choice={choice}
      hasKeys={hasKeys}
      isSending={isSending || (isAlways(choice) && limits.payload() === null)}
      onChoose={() => {
        if (choice.type === 'edit') onEdit();
        else if (choice.type === 'decline') onDecline();
        else if (isAlways(choice)) onAnswer(choice.outcome, limitedPayload(choice.payload, limits.payload()));
        else onAnswer(choice.outcome, choice.payload);
      }}
    />
  );
  return (
    <div ref={ref} className="choices" role="group" aria-label={display.asks}>
      <div className="choice-row">{choices.filter((choice) => !isAlways(choice)).map(button)}</div>
      {!served && (
        <p className="dim">
          Its folder is not served here, so it can only be answered once and unchanged. Changing it, or
          allowing it always, is done where the session was started.
        </p>
      )}
      {choices.filter(isAlways).map(button)}
      {choices.some(isAlways) && <GrantLimitFields limits={limits} />}
    </div>
  );
}

function limitedPayload(
  payload: AnswerPayload | undefined,
  limits: AnswerPayload | null,
): AnswerPayload | undefined {
  const all = { ...payload, ...limits };
  return Object.keys(all).length === 0 ? undefined : all;
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
      {choice.type === 'allow always' && (
        <>
          <strong>Allow always</strong>{' '}
        </>
      )}
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
      return { words: visibleLine(choice.grant?.text ?? ''), look: 'always' };
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
