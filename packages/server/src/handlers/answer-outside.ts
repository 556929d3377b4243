import type { Journal } from '@countersign/engine';
import type { BodyOf } from '../contract/operations.js';
import { Refusal } from '../contract/problems.js';

type Answer = BodyOf<'answerApproval'>;

/**
 * In a folder that is not served, a question is allowed once and as it was asked, or declined. Anything wider
 * would be work, or a lasting permission, in a folder that this server was not started for. Throws a `Refusal`.
 */
export async function requireAsAsked(answer: Answer, workspace: string, journal: Journal): Promise<void> {
  const wider = await whatGoesFurther(answer, journal);
  if (wider !== null) throw new Refusal({ code: 'answer_too_wide', workspace, wider });
}

async function whatGoesFurther(
  { sessionId, callId, outcome, payload = {} }: Answer,
  journal: Journal,
): Promise<string | null> {
  switch (outcome) {
    case 'cancel':
      return null;
    case 'modify_with_editor':
      return 'it changes the question';
    case 'proceed_always':
    case 'proceed_always_tool':
    case 'proceed_always_server':
    case 'proceed_always_and_save':
      return 'it allows more than the question asked';
    case 'proceed_once':
      if (payload.args !== undefined || payload.newContent !== undefined) return 'it changes the question';
      return (await agreesToMode(sessionId, callId, payload.answers, journal))
        ? 'it changes the approval mode'
        : null;
  }
}

/** An agreement to a plan can name the mode in which it is carried out; the one that asks most is the default. */
async function agreesToMode(
  sessionId: string,
  callId: string,
  answers: unknown,
  journal: Journal,
): Promise<boolean> {
  const named =
    typeof answers === 'object' && answers !== null && 'approvalMode' in answers
      ? answers.approvalMode
      : 'manual';
  if (named === 'manual' || named === 'default') return false;
  const [row] = await journal.approvals({ sessionId, callId });
  return row?.question.confirmation.type === 'exit_plan_mode';
}
