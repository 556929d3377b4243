import type { PermissionOption, ToolCallContent } from '@agentclientprotocol/sdk';
import { type Block, displayOf, textOf, visibleLine } from '@countersign/display';
import type { AnswerPayload, AskedQuestion, AwaitingCall, Offer, Outcome } from '@countersign/protocol';
import { askedDiff } from './edit-diffs.js';
import { fenced, quoted } from './markdown.js';

/** What an option stands for. */
export type Choice = {
  readonly option: PermissionOption;
  readonly outcome: Outcome;
  readonly payload?: AnswerPayload;
};

/** What a person is shown before they decide: the change itself, what speaks against it, and why they are asked. */
export function questionContent({ plan, question, verdict }: AwaitingCall): ToolCallContent[] {
  const { confirmation } = question;
  const { blocks, warnings } = displayOf(plan.title, confirmation);
  const isEdit = confirmation.type === 'edit';
  // An editor draws the diff itself, and draws it better; but only ours makes visible what hides.
  const shown = isEdit && warnings.length === 0 ? blocks.filter(({ as }) => as !== 'diff') : blocks;
  const words = [
    ...warnings.map((warning) => `**Warning:** ${warning}`),
    ...shown.map(blockText),
    `Why you are asked: ${quoted(visibleLine(verdict.reason))}`,
  ];
  const text = { type: 'content', content: { type: 'text', text: words.join('\n\n') } } as const;
  return isEdit ? [askedDiff(confirmation), text] : [text];
}

function blockText({ label, lines, as }: Block): string {
  const text = lines.map(textOf).join('\n');
  if (label === null) return fenced(text, as === 'diff' ? 'diff' : '');
  return lines.length === 1 ? `${label}: ${quoted(text)}` : `${label}:\n${fenced(text)}`;
}

/** The answers on offer, as far as an editor can give them. */
export function choicesFor({ question: { confirmation, offers } }: AwaitingCall): readonly Choice[] {
  const choices = offers.flatMap(choiceFor);
  if (confirmation.type === 'ask_user') {
    const refusals = choices.filter(({ outcome }) => outcome === 'cancel');
    return [...answersTo(confirmation.questions), IN_OWN_WORDS, ...refusals];
  }
  if (confirmation.type === 'exit_plan_mode')
    return choices.flatMap((choice) => (choice.outcome === 'proceed_once' ? AGREEMENTS : choice));
  return choices;
}

function choiceFor({ outcome, grant }: Offer): Choice | [] {
  switch (outcome) {
    case 'proceed_once':
      return choice(outcome, 'Allow once', 'allow_once');
    case 'proceed_always':
    case 'proceed_always_tool':
    case 'proceed_always_server':
    case 'proceed_always_and_save':
      return choice(outcome, `Always allow: ${visibleLine(grant?.text ?? '')}`, 'allow_always');
    case 'cancel':
      return choice(outcome, 'Decline', 'reject_once');
    case 'modify_with_editor':
      // The protocol has no way to hand a changed call back.
      return [];
  }
}

const choice = (outcome: Outcome, name: string, kind: PermissionOption['kind']): Choice => ({
  option: { optionId: outcome, name, kind },
  outcome,
});

/** An approval of a plan also chooses how it is carried out. */
const AGREEMENTS: readonly Choice[] = [
  choice('proceed_once', 'Approve; ask about each change', 'allow_once'),
  {
    option: { optionId: 'proceed_once auto_edit', name: 'Approve; allow edits', kind: 'allow_once' },
    outcome: 'proceed_once',
    payload: { answers: { approvalMode: 'auto_edit' } },
  },
];

/** The agent stops, and what the person says next is the answer. */
const IN_OWN_WORDS: Choice = {
  option: { optionId: 'cancel stop', name: 'Stop, and answer in a message', kind: 'reject_once' },
  outcome: 'cancel',
  payload: { feedback: 'The user will answer in the next message.', stop: true },
};

/** One question with answers to choose from can be put as a choice; anything else needs a form. */
function answersTo(questions: readonly AskedQuestion[]): readonly Choice[] {
  const [only, ...others] = questions;
  if (!only || others.length > 0 || only.multiSelect === true) return [];
  const labels = only.type === 'yesno' ? ['Yes', 'No'] : (only.options ?? []).map(({ label }) => label);
  return labels.map((label, index) => ({
    option: { optionId: `proceed_once ${index}`, name: visibleLine(label), kind: 'allow_once' },
    outcome: 'proceed_once',
    payload: { answers: [label] },
  }));
}
