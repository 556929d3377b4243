import { type Choice, choicesOf, visibleLine } from '@countersign/display';
import type { Outcome, Question } from '@countersign/protocol';

/** A choice with the key that selects it. */
export type KeyedChoice = {
  readonly key: string;
  readonly label: string;
  readonly does: Choice | 'show the whole';
};

export const SHOW_THE_WHOLE: KeyedChoice = {
  key: 'w',
  label: 'Show everything',
  does: 'show the whole',
};

/** Without "stop", since Ctrl-C does that here. */
export const keyedChoices = (question: Question): readonly KeyedChoice[] =>
  choicesOf(question).flatMap((does, index) =>
    does.type === 'stop' ? [] : { key: keyOf(does, index), label: labelOf(does), does },
  );

function keyOf(choice: Choice, index: number): string {
  if (choice.type === 'reply') return String(index + 1);
  if (choice.type === 'allow always' && choice.payload?.scope !== undefined) return 'x';
  return choice.type === 'agree' && choice.mode !== 'manual' ? 'a' : KEYS[choice.outcome];
}

const KEYS: { readonly [outcome in Outcome]: string } = {
  proceed_once: 'y',
  proceed_always: 'a',
  proceed_always_tool: 't',
  proceed_always_server: 'v',
  proceed_always_and_save: 's',
  modify_with_editor: 'e',
  cancel: 'n',
};

function labelOf(choice: Exclude<Choice, { type: 'stop' }>): string {
  switch (choice.type) {
    case 'allow once':
      return 'Yes, allow once';
    case 'fill in a form':
      return 'Answer, one line for each question';
    case 'reply':
      return visibleLine(choice.label);
    case 'agree':
      return choice.mode === 'manual' ? 'Yes, and ask about each change' : 'Yes, and let edits through';
    case 'allow always':
      return `Yes, and always: ${visibleLine(choice.grant?.text ?? '')}`;
    case 'edit':
      return 'Modify with external editor';
    case 'decline':
      return 'No (n, or: n why not)';
  }
}
