import { grantInWords, patternInWords } from '@countersign/kernel';
import type {
  AnswerPayload,
  AskedQuestion,
  Confirmation,
  GrantPattern,
  GrantScope,
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
  /** One choice for everything that is allowed by the same grant. It sends the first of its ways. */
  | {
      readonly type: 'allow always';
      readonly grant: Offer['grant'];
      /** What it would allow, without the scope; empty if the question does not describe it. */
      readonly covers: string;
      /** The scopes in which it can be allowed, narrowest first. */
      readonly ways: readonly AlwaysWay[];
    }
  | { readonly type: 'edit'; readonly edits: Editable }
  /** With or without a reason for the model. */
  | { readonly type: 'decline' }
  /** Declined, and the agent waits for the person's next message. */
  | { readonly type: 'stop' };

/** An "always" in one scope. */
export type AlwaysWay = {
  /** Distinguishes it from every other choice and way of its question. */
  readonly id: string;
  readonly scope: GrantScope;
  readonly outcome: Outcome;
  readonly payload?: AnswerPayload;
  /** What it would allow, and where. */
  readonly text: string;
};

/** The choices of a question in the order in which they are listed: agreeing first, declining last. */
export function choicesOf({ confirmation, offers }: Question): readonly Choice[] {
  const agreeing = offers.flatMap((offer) => agreeingBy(offer, offers, confirmation));
  if (!offers.some(({ outcome }) => outcome === 'cancel')) return agreeing;
  if (confirmation.type === 'ask_user') return [...agreeing, ANSWER_IN_A_MESSAGE, DECLINE];
  if (confirmation.type === 'exit_plan_mode') return [...agreeing, DECLINE];
  return [...agreeing, DECLINE, STOP];
}

function agreeingBy(offer: Offer, offers: readonly Offer[], confirmation: Confirmation): readonly Choice[] {
  const { outcome } = offer;
  switch (outcome) {
    case 'proceed_once':
      if (confirmation.type === 'ask_user') return repliesTo(confirmation.questions);
      if (confirmation.type === 'exit_plan_mode') return AGREEMENTS;
      return [{ type: 'allow once', id: outcome, outcome }];
    case 'proceed_always':
    case 'proceed_always_tool':
    case 'proceed_always_server':
    case 'proceed_always_and_save':
      return alwaysBy(offer, offers);
    case 'modify_with_editor':
      return [{ type: 'edit', id: outcome, outcome, edits: KINDS[confirmation.type].edits }];
    case 'cancel':
      return [];
  }
}

/** Several offers of the same grant differ in scope only: the first of them is the choice, and the others are ways of it. */
function alwaysBy(offer: Offer, offers: readonly Offer[]): readonly Choice[] {
  const { outcome, grant } = offer;
  if (grant === null) return [{ type: 'allow always', id: outcome, outcome, grant, covers: '', ways: [] }];
  const same = offers.flatMap((other) =>
    other.grant && isSamePattern(other.grant.pattern, grant.pattern)
      ? [{ ...other, grant: other.grant }]
      : [],
  );
  if (same[0]?.outcome !== outcome) return [];
  const ways = SCOPES.flatMap((scope) => wayIn(scope, same));
  const [narrowest] = ways;
  const payload = narrowest?.payload;
  return [
    {
      type: 'allow always',
      id: outcome,
      outcome: narrowest?.outcome ?? outcome,
      grant,
      covers: patternInWords(grant.pattern),
      ways,
      ...(payload && { payload }),
    },
  ];
}

const SCOPES: readonly GrantScope[] = ['session', 'project', 'user'];

type Lasting = Offer & { readonly grant: NonNullable<Offer['grant']> };

/** An offer of this very scope needs no payload; else the first one that can be given in it. */
function wayIn(scope: GrantScope, same: readonly Lasting[]): readonly AlwaysWay[] {
  const own = same.find(({ grant }) => grant.scope === scope);
  if (own) return [{ id: own.outcome, scope, outcome: own.outcome, text: own.grant.text }];
  const other = same.find(({ grant }) => (grant.scopes ?? ['session']).includes(scope));
  if (!other) return [];
  const { outcome, grant } = other;
  const text = grantInWords(grant.pattern, scope);
  return [{ id: `${outcome} ${scope}`, scope, outcome, payload: { scope }, text }];
}

const isSamePattern = (one: GrantPattern, other: GrantPattern): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

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
