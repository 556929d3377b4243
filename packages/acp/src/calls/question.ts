import type { PermissionOption, ToolCallContent } from '@agentclientprotocol/sdk';
import { type Block, type Choice, displayOf, textOf, visibleLine } from '@countersign/display';
import type { AwaitingCall, Question } from '@countersign/protocol';
import { askedDiff } from '../content/edit-diffs.js';
import { fenced, quoted } from '../content/markdown.js';
import { text } from './settled-call.js';

/** What the user sees before deciding: the change itself, warnings, and the reason for the question. */
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
  return [...(isEdit ? [askedDiff(confirmation)] : []), text(words.join('\n\n'))];
}

function blockText({ label, lines, as }: Block): string {
  const shown = lines.map(textOf).join('\n');
  if (label === null) return fenced(shown, as === 'diff' ? 'diff' : '');
  return lines.length === 1 ? `${label}: ${quoted(shown)}` : `${label}:\n${fenced(shown)}`;
}

/** An option of an editor, and the answer that it stands for. */
export type AnsweringOption = PermissionOption & Pick<Choice, 'outcome' | 'payload'>;

/**
 * A choice as an editor lists it, an "always" once for each scope; none for what it cannot do. The protocol has no
 * second step, no way to limit an "always" or to hand a changed call back, shows forms by another request, and stops
 * the agent by a request of its own.
 */
export function optionsFor(choice: Choice, question: Question): readonly AnsweringOption[] {
  const { outcome, payload } = choice;
  if (choice.type === 'allow always' && choice.ways.length > 0)
    return choice.ways.map(({ id, text: allows, ...answer }) => ({
      optionId: id,
      name: `Always allow: ${visibleLine(allows)}`,
      kind: 'allow_always',
      outcome: answer.outcome,
      ...(answer.payload && { payload: answer.payload }),
    }));
  const option = optionFor(choice, question);
  return option ? [{ ...option, outcome, ...(payload && { payload }) }] : [];
}

function optionFor(choice: Choice, { confirmation }: Question): PermissionOption | null {
  const { id: optionId } = choice;
  switch (choice.type) {
    case 'allow once':
      return { optionId, name: 'Allow once', kind: 'allow_once' };
    case 'reply':
      return { optionId, name: visibleLine(choice.label), kind: 'allow_once' };
    case 'agree': {
      const name = choice.mode === 'manual' ? 'Approve; ask about each change' : 'Approve; allow edits';
      return { optionId, name, kind: 'allow_once' };
    }
    case 'allow always':
      return { optionId, name: 'Always allow', kind: 'allow_always' };
    case 'decline':
      return { optionId, name: 'Decline', kind: 'reject_once' };
    case 'stop':
      return confirmation.type === 'ask_user'
        ? { optionId, name: 'Stop, and answer in a message', kind: 'reject_once' }
        : null;
    case 'edit':
    case 'fill in a form':
      return null;
  }
}
