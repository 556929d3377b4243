import { choicesOf, type Choice as Offered, visibleLine } from '@countersign/display';
import { patternInWords } from '@countersign/kernel';
import type { AnswerPayload, Outcome } from '@countersign/protocol';
import type { Pending } from './pending.js';

/** One way to answer a question. */
export type Choice = { readonly label: string; readonly action: ChoiceAction };
export type ChoiceAction =
  | { readonly type: 'answer'; readonly outcome: Outcome; readonly payload?: AnswerPayload }
  /** No, and words for the model. */
  | { readonly type: 'write feedback' }
  | { readonly type: 'edit here' }
  | { readonly type: 'edit in editor' }
  | { readonly type: 'agree to all' };

/** The rows to choose from. Editing here comes after editing elsewhere, and before a no. */
export function choiceList({ question, where }: Pick<Pending, 'question' | 'where'>): readonly Choice[] {
  const { type } = question.confirmation;
  return choicesOf(question).flatMap((choice) => {
    // What waits elsewhere is known by what it would do, not by its arguments: it can be answered, not changed.
    if (choice.type === 'edit' && where !== null) return [];
    if (choice.type === 'decline')
      return refusals(type === 'exit_plan_mode' ? 'say what should be different' : 'say what to do instead');
    return rowsFor(choice);
  });
}

function rowsFor(choice: Exclude<Offered, { type: 'decline' }>): readonly Choice[] {
  const { type, outcome, payload } = choice;
  const action: ChoiceAction = { type: 'answer', outcome, ...(payload && { payload }) };
  switch (type) {
    case 'allow once':
    case 'fill in a form':
      return [{ label: 'Yes, allow once', action }];
    case 'reply':
      return [{ label: visibleLine(choice.label), action }];
    case 'agree':
      return [{ label: `Yes, and ${AGREED[choice.mode]} (${choice.mode})`, action }];
    case 'allow always': {
      const { grant } = choice;
      const label = grant
        ? `Yes, allow always (${SCOPES[grant.scope]}): ${visibleLine(patternInWords(grant.pattern))}`
        : 'Yes, allow always';
      return [{ label, action }];
    }
    case 'edit': {
      const elsewhere: Choice = { label: 'Modify with external editor', action: { type: 'edit in editor' } };
      if (choice.edits === 'the content') return [elsewhere];
      return [elsewhere, { label: `Change ${choice.edits} here`, action: { type: 'edit here' } }];
    }
    case 'stop':
      return [{ label: 'No, and stop here', action }];
  }
}

/** First, since a pattern may be long: how far it reaches is never cut. */
const SCOPES = { session: 'this session', project: 'every session in this workspace' } as const;

const AGREED = {
  manual: 'ask about each change',
  auto_edit: 'let edits in the workspace through',
} as const;

const refusals = (feedback: string): readonly Choice[] => [
  { label: 'No (esc)', action: { type: 'answer', outcome: 'cancel' } },
  { label: `No, and ${feedback}`, action: { type: 'write feedback' } },
];
