import type { AnswerPayload, Outcome, Question } from '@countersign/protocol';
import { CommandFailure, usage } from '../io/failure-text.js';
import { readChoice, readMode } from '../options/options.js';
import { answersTo } from './given-answers.js';
import { readExpiry } from './read-expiry.js';
import { readJson, readJsonObject } from './read-json.js';

/** Options of `approvals answer` that are part of the answer. */
export const PAYLOAD_OPTIONS = {
  feedback: { type: 'string' },
  stop: { type: 'boolean' },
  answer: { type: 'string', multiple: true },
  answers: { type: 'string' },
  'own-words': { type: 'boolean' },
  mode: { type: 'string' },
  args: { type: 'string' },
  scope: { type: 'string' },
  expires: { type: 'string' },
  uses: { type: 'string' },
} as const;

type Given = {
  readonly [name in Exclude<keyof typeof PAYLOAD_OPTIONS, 'answer' | 'stop' | 'own-words'>]?:
    | string
    | undefined;
} & {
  readonly answer?: readonly string[] | undefined;
  readonly stop?: boolean | undefined;
  readonly 'own-words'?: boolean | undefined;
};

/**
 * The payload of an answer. An option that does not belong to the outcome or the question is refused: the answer would
 * mean something other than what was typed. `question` is null if it is no longer pending, and then nothing is decided;
 * `answered` is the question that was answered then.
 */
export function readPayload(
  outcome: Outcome,
  given: Given,
  question: Question | null,
  answered: Question | null = null,
): AnswerPayload {
  for (const [option, outcomes] of BELONGS_TO)
    if (given[option] !== undefined && !outcomes.test(outcome))
      throw usage(
        `--${option} does not belong to ${outcome}`,
        BELONGING[option] ?? 'countersign help approvals',
      );
  const answers = question ? readAnswers(outcome, given, question) : lateAnswers(outcome, given, answered);
  return {
    ...(given.feedback !== undefined && { feedback: given.feedback }),
    ...(given.stop && { stop: true }),
    ...(answers !== undefined && { answers }),
    ...(given.args !== undefined && outcome === 'proceed_once' && { args: readArgs(given.args, question) }),
    ...readLimits(given, outcome, question),
  };
}

const BELONGING: { readonly [option in keyof Given]?: string } = {
  feedback: 'cancel --feedback TEXT',
  stop: 'cancel --stop',
  answer: 'proceed_once --answer TEXT',
  answers: 'proceed_once --answers JSON',
  'own-words': 'proceed_once --answer TEXT --own-words',
  mode: 'proceed_once --mode MODE, for a plan',
  args: 'proceed_once --args JSON',
  scope: 'proceed_always --scope SCOPE',
  expires: 'proceed_always --expires 2h',
  uses: 'proceed_always --uses 3',
};

const BELONGS_TO: readonly (readonly [keyof Given, RegExp])[] = [
  ['feedback', /^cancel$/],
  ['stop', /^cancel$/],
  ['answer', /^proceed_once$/],
  ['answers', /^proceed_once$/],
  ['own-words', /^proceed_once$/],
  ['mode', /^proceed_once$/],
  ['args', /^(?:proceed_once|modify_with_editor)$/],
  ['scope', /^proceed_always/],
  ['expires', /^proceed_always/],
  ['uses', /^proceed_always/],
];

function readAnswers(outcome: Outcome, given: Given, { confirmation }: Question): AnswerPayload['answers'] {
  const { type } = confirmation;
  if (given.mode !== undefined && type !== 'exit_plan_mode')
    throw usage('--mode answers a plan, and this is another question', 'without --mode');
  const isGiven =
    given.answer !== undefined || given.answers !== undefined || given['own-words'] !== undefined;
  if (type === 'ask_user')
    return outcome === 'proceed_once' ? answersTo(confirmation.questions, given) : undefined;
  if (type !== 'exit_plan_mode' && isGiven)
    throw usage('This question has no answers of its own', 'one of the outcomes alone');
  if (type !== 'exit_plan_mode') return undefined;
  if (given.answer !== undefined) throw usage('A plan is answered by agreeing or not', '--mode auto_edit');
  if (given.answers !== undefined) return readJson('--answers', given.answers);
  const mode = readMode(given.mode);
  return mode === undefined ? undefined : { approvalMode: mode };
}

/** What comes after the first answer decides nothing: it is sent as it was typed if it does not fit, to be compared. */
function lateAnswers(outcome: Outcome, given: Given, answered: Question | null): AnswerPayload['answers'] {
  const isGiven = given.answer !== undefined || given.answers !== undefined || given.mode !== undefined;
  if (!isGiven) return undefined;
  try {
    if (answered) return readAnswers(outcome, given, answered);
  } catch (thrown) {
    if (!(thrown instanceof CommandFailure)) throw thrown;
  }
  return [...(given.answer ?? []), ...(given.answers === undefined ? [] : [given.answers])];
}

export function readArgs(text: string, question: Question | null) {
  const canChange = question?.offers.some(({ outcome }) => outcome === 'modify_with_editor') ?? true;
  if (!canChange) throw usage('The arguments of this call cannot be changed', 'without --args');
  return readJsonObject('--args', text);
}

function readLimits(
  { scope: wanted, expires, uses }: Given,
  outcome: Outcome,
  question: Question | null,
): Pick<AnswerPayload, 'scope' | 'expiresAt' | 'uses'> {
  const grant = question?.offers.find((offer) => offer.outcome === outcome)?.grant;
  const scopes = grant ? (grant.scopes ?? [...new Set(['session', grant.scope] as const)]) : SCOPES;
  const scope = readChoice('--scope', wanted, scopes);
  const count = uses === undefined || /^[1-9]\d{0,8}$/.test(uses) ? Number(uses) : Number.NaN;
  if (uses !== undefined && Number.isNaN(count))
    throw usage(`"${uses}" is not a number of uses`, '--uses 1, or more');
  return {
    ...(scope !== undefined && { scope }),
    ...(expires !== undefined && { expiresAt: readExpiry(expires, Date.now()) }),
    ...(uses !== undefined && { uses: count }),
  };
}

const SCOPES = ['session', 'project', 'user'] as const;
