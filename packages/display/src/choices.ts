import { grantInWords } from '@countersign/kernel';
import type {
  AnswerPayload,
  AskedQuestion,
  Confirmation,
  Offer,
  Outcome,
  Question,
} from '@countersign/protocol';
import { type Editable, KINDS } from './display.js';

/** One way to answer a question. A front end words and draws it; what it means and what it sends is the same everywhere. */
export type Choice = Meaning & {
  /** Distinguishes it from the other choices of its question. */
  readonly id: string;
  readonly outcome: Outcome;
  readonly payload?: AnswerPayload;
};

type Meaning =
  | { readonly type: 'allow once' }
  /** One of the answers that `ask_user` suggests. */
  | { readonly type: 'reply'; readonly label: string }
  /** Several questions, or one without suggested answers: the payload needs `answers`. */
  | { readonly type: 'fill in a form' }
  /** Agreement to a plan names the mode in which it is carried out. */
  | { readonly type: 'agree'; readonly mode: 'manual' | 'auto_edit' }
  | { readonly type: 'allow always'; readonly grant: Offer['grant'] }
  | { readonly type: 'edit'; readonly edits: Editable }
  /** With or without a reason for the model. */
  | { readonly type: 'decline' }
  /** Declined, and the agent waits for the person's next message. */
  | { readonly type: 'stop' };

/** The choices of a question in the order in which they are listed: agreeing first, declining last. */
export function choicesOf({ confirmation, offers }: Question): readonly Choice[] {
  const agreeing = offers.flatMap((offer) => [
    ...agreeingBy(offer, confirmation),
    ...inEverySession(offer, offers),
  ]);
  if (!offers.some(({ outcome }) => outcome === 'cancel')) return agreeing;
  if (confirmation.type === 'ask_user') return [...agreeing, ANSWER_IN_A_MESSAGE, DECLINE];
  if (confirmation.type === 'exit_plan_mode') return [...agreeing, DECLINE];
  return [...agreeing, DECLINE, STOP];
}

function agreeingBy({ outcome, grant }: Offer, confirmation: Confirmation): readonly Choice[] {
  switch (outcome) {
    case 'proceed_once':
      if (confirmation.type === 'ask_user') return repliesTo(confirmation.questions);
      if (confirmation.type === 'exit_plan_mode') return AGREEMENTS;
      return [{ type: 'allow once', id: outcome, outcome }];
    case 'proceed_always':
    case 'proceed_always_tool':
    case 'proceed_always_server':
    case 'proceed_always_and_save':
      return [{ type: 'allow always', id: outcome, outcome, grant }];
    case 'modify_with_editor':
      return [{ type: 'edit', id: outcome, outcome, edits: KINDS[confirmation.type].edits }];
    case 'cancel':
      return [];
  }
}

/**
 * The same "always" in every session of the workspace, where no other offer is that: only one pattern of a question
 * has an outcome of its own for it, and the narrower one is what a careful user wants to keep.
 */
function inEverySession({ outcome, grant }: Offer, offers: readonly Offer[]): readonly Choice[] {
  if (grant?.scope !== 'session' || !grant.scopes?.includes('project')) return [];
  const pattern = JSON.stringify(grant.pattern);
  const isOffered = offers.some(
    ({ grant: other }) => other?.scope === 'project' && JSON.stringify(other.pattern) === pattern,
  );
  if (isOffered || !offers.some(({ grant: other }) => other?.scope === 'project')) return [];
  const scope = 'project';
  const wider = { ...grant, scope, text: grantInWords(grant.pattern, scope) } as const;
  return [{ type: 'allow always', id: `${outcome} project`, outcome, grant: wider, payload: { scope } }];
}

/** One question with suggested answers is a choice among them; anything else needs a form. */
function repliesTo(questions: readonly AskedQuestion[]): readonly Choice[] {
  const labels = suggestedBy(questions);
  if (labels.length === 0) return [{ type: 'fill in a form', id: 'proceed_once', outcome: 'proceed_once' }];
  return labels.map((label, index) => ({
    type: 'reply',
    id: `proceed_once ${index}`,
    label,
    outcome: 'proceed_once',
    payload: { answers: [label] },
  }));
}

function suggestedBy([only, ...others]: readonly AskedQuestion[]): readonly string[] {
  if (!only || others.length > 0 || only.multiSelect === true) return [];
  return only.type === 'yesno' ? ['Yes', 'No'] : (only.options ?? []).map(({ label }) => label);
}

const agreement = (id: string, mode: 'manual' | 'auto_edit'): Choice => ({
  type: 'agree',
  id,
  mode,
  outcome: 'proceed_once',
  payload: { answers: { approvalMode: mode } },
});
const AGREEMENTS: readonly Choice[] = [
  agreement('proceed_once', 'manual'),
  agreement('proceed_once auto_edit', 'auto_edit'),
];

const DECLINE: Choice = { type: 'decline', id: 'cancel', outcome: 'cancel' };
const STOP: Choice = { type: 'stop', id: 'cancel stop', outcome: 'cancel', payload: { stop: true } };
const ANSWER_IN_A_MESSAGE: Choice = {
  ...STOP,
  payload: { feedback: 'The user will answer in the next message.', stop: true },
};
