import { visibleLine } from '@countersign/display';
import { patternInWords } from '@countersign/kernel';
import type { AnswerPayload, Offer, Outcome } from '@countersign/protocol';
import type { Pending } from './pending.js';

/** Something that can be done about a question. */
export type Choice = { readonly label: string; readonly does: Doing };
export type Doing =
  | { readonly type: 'answer'; readonly outcome: Outcome; readonly payload?: AnswerPayload }
  /** No, and words for the model. */
  | { readonly type: 'write feedback' }
  | { readonly type: 'edit here' }
  | { readonly type: 'edit in editor' }
  | { readonly type: 'agree to all' };

/** The choices of a question, in the order in which they are listed; a no is always among them, and last. */
export function choicesFor({ question, where }: Pick<Pending, 'question' | 'where'>): readonly Choice[] {
  const { confirmation } = question;
  if (confirmation.type === 'exit_plan_mode') return PLAN_CHOICES;
  // What waits elsewhere is known by what it would do, not by its arguments: it can be answered, not changed.
  const offers = question.offers.filter(({ outcome }) => where === null || outcome !== 'modify_with_editor');
  const agreeing = offers.filter(({ outcome }) => outcome !== 'cancel').flatMap(choicesOf);
  const inline =
    confirmation.type !== 'edit' && offers.some(({ outcome }) => outcome === 'modify_with_editor');
  const what = confirmation.type === 'exec' ? 'the command' : 'the arguments';
  return [
    ...agreeing,
    ...(inline ? [{ label: `Change ${what} here`, does: { type: 'edit here' } as const }] : []),
    ...REFUSALS,
  ];
}

function choicesOf({ outcome, grant }: Offer): readonly Choice[] {
  switch (outcome) {
    case 'proceed_once':
      return [{ label: 'Yes, allow once', does: { type: 'answer', outcome } }];
    case 'proceed_always':
    case 'proceed_always_tool':
    case 'proceed_always_server':
    case 'proceed_always_and_save':
      return [
        {
          label: grant
            ? `Yes, allow always (${SCOPES[grant.scope]}): ${visibleLine(patternInWords(grant.pattern))}`
            : 'Yes, allow always',
          does: { type: 'answer', outcome },
        },
      ];
    case 'modify_with_editor':
      return [{ label: 'Modify with external editor', does: { type: 'edit in editor' } }];
    case 'cancel':
      return [];
  }
}

/** First, since a pattern may be long: how far it reaches is never cut. */
const SCOPES = { session: 'this session', project: 'every session in this workspace' } as const;

const NO: Choice = { label: 'No (esc)', does: { type: 'answer', outcome: 'cancel' } };
const WITH_FEEDBACK: Choice = {
  label: 'No, and say what to do instead',
  does: { type: 'write feedback' },
};
const AND_STOP: Choice = {
  label: 'No, and stop here',
  does: { type: 'answer', outcome: 'cancel', payload: { stop: true } },
};
const REFUSALS: readonly Choice[] = [NO, WITH_FEEDBACK, AND_STOP];

const agreed = (approvalMode: string): Choice['does'] => ({
  type: 'answer',
  outcome: 'proceed_once',
  payload: { answers: { approvalMode } },
});
const PLAN_CHOICES: readonly Choice[] = [
  { label: 'Yes, and ask about each change (manual)', does: agreed('manual') },
  { label: 'Yes, and let edits in the workspace through (auto_edit)', does: agreed('auto_edit') },
  NO,
  { ...WITH_FEEDBACK, label: 'No, and say what should be different' },
];
