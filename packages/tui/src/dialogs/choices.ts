import { choicesOf, type Choice as Offered, visibleLine } from '@countersign/display';
import type { AnswerPayload, GrantScope, Outcome } from '@countersign/protocol';
import type { Pending } from './pending.js';

/** One way to answer a question. */
export type Choice = { readonly label: string; readonly action: ChoiceAction };
export type ChoiceAction =
  | { readonly type: 'answer'; readonly outcome: Outcome; readonly payload?: AnswerPayload }
  /** No, and words for the model. */
  | { readonly type: 'write feedback' }
  /** The second step of an answer; nothing is decided yet. */
  | { readonly type: 'open menu'; readonly menu: Menu }
  /** Sets how long and how often an "always" is valid. */
  | { readonly type: 'limit' }
  | { readonly type: 'edit here' }
  | { readonly type: 'edit in editor' }
  | { readonly type: 'agree to all' };

/** The choices of a second step. */
export type Menu = { readonly title: string; readonly choices: readonly Choice[] };

/** The rows to choose from at first. What needs more decisions opens a menu, so that few rows are to be read. */
export function choiceList({ question, where }: Pick<Pending, 'question' | 'where'>): readonly Choice[] {
  const { type } = question.confirmation;
  return choicesOf(question).flatMap((choice) => {
    // What waits elsewhere is known by what it would do, not by its arguments: it can be answered, not changed.
    if (choice.type === 'edit' && where !== null) return [];
    if (choice.type === 'decline')
      return refusals(type === 'exit_plan_mode' ? 'say what should be different' : 'say what to do instead');
    // In the session on the screen, ctrl-c does that.
    if (choice.type === 'stop' && where === null) return [];
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
    case 'allow always':
      return [choice.ways.length === 0 ? { label: 'Yes, allow always', action } : alwaysRow(choice)];
    case 'edit': {
      const elsewhere: Choice = { label: 'Modify with external editor', action: { type: 'edit in editor' } };
      if (choice.edits === 'the content') return [elsewhere];
      const here: Choice = { label: `Change ${choice.edits} here`, action: { type: 'edit here' } };
      const menu: Menu = { title: `How do you want to change ${choice.edits}?`, choices: [here, elsewhere] };
      return [{ label: `Change ${choice.edits} …`, action: { type: 'open menu', menu } }];
    }
    case 'stop':
      return [{ label: 'No, and stop here', action }];
  }
}

function alwaysRow({ covers, ways }: Extract<Offered, { type: 'allow always' }>): Choice {
  const shown = visibleLine(covers);
  const scopes = ways.map(
    ({ scope, outcome, payload }): Choice => ({
      label: `Yes, ${SCOPES[scope]}`,
      action: { type: 'answer', outcome, ...(payload && { payload }) },
    }),
  );
  const limit: Choice = { label: LIMIT, action: { type: 'limit' } };
  const menu: Menu = { title: `Allow always: ${shown}`, choices: [...scopes, limit] };
  // The dots come first, since a pattern may be cut.
  return { label: `Yes, allow always …: ${shown}`, action: { type: 'open menu', menu } };
}

const SCOPES: { readonly [scope in GrantScope]: string } = {
  session: 'in this session',
  project: 'in every session of this workspace',
  user: 'in every session of every workspace',
};
const LIMIT = 'First limit how long or how often it is valid …';

const AGREED = {
  manual: 'ask about each change',
  auto_edit: 'let edits in the workspace through',
} as const;

const refusals = (feedback: string): readonly Choice[] => [
  { label: 'No (esc)', action: { type: 'answer', outcome: 'cancel' } },
  { label: `No, and ${feedback}`, action: { type: 'write feedback' } },
];
