// Questions and the ways to answer them: yes, no with a reason, yes but differently, and always.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AnswerResult,
  Config,
  registerBuiltInTools,
  Scheduler,
  ToolConfirmationOutcome,
  ToolRegistry,
  type WaitingToolCall,
} from 'countersign';

export async function main() {
  const workspace = await mkdtemp(join(tmpdir(), 'countersign-example-'));
  try {
    return await askAboutEdits(workspace);
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

// #region answer
/** What a person would decide after looking at `confirmationDetails`. */
function answer({ request, confirmationDetails }: WaitingToolCall): Promise<AnswerResult> {
  const { onConfirm } = confirmationDetails;
  switch (request.callId) {
    case 'declined':
      return onConfirm(ToolConfirmationOutcome.Cancel, { feedback: 'Keep secrets out of files.' });
    case 'changed':
      // Consent to exactly this content, whatever was proposed.
      return onConfirm(ToolConfirmationOutcome.ProceedOnce, { newContent: 'as the person wants it\n' });
    case 'always':
      // A grant for what `outcomes` spelled out, here narrowed to two more calls.
      return onConfirm(ToolConfirmationOutcome.ProceedAlways, { uses: 2 });
    default:
      return onConfirm(ToolConfirmationOutcome.ProceedOnce);
  }
}
// #endregion

async function askAboutEdits(workspace: string) {
  const config = new Config({ targetDir: workspace });
  const registry = new ToolRegistry(config);
  registerBuiltInTools(registry, config);

  const questions: WaitingToolCall[] = [];
  const answers: Promise<AnswerResult>[] = [];
  // #region draw-and-answer
  const answered = new Set<string>();
  const scheduler = new Scheduler({
    toolRegistry: registry,
    config,
    onToolCallsUpdate: (calls) => {
      for (const call of calls) {
        // Not while an editor is open, and each question once: its digest is what an answer is bound to.
        if (call.status !== 'awaiting_approval' || call.confirmationDetails.isModifying) continue;
        if (answered.has(call.confirmationDetails.digest)) continue;
        answered.add(call.confirmationDetails.digest);
        questions.push(call);
        answers.push(answer(call));
      }
    },
  });
  // #endregion

  const write = (callId: string, file_path: string) => ({
    callId,
    name: 'write_file',
    args: { file_path, content: `as proposed for ${file_path}\n` },
  });
  const first = await scheduler.schedule([
    write('allowed', 'allowed.txt'),
    write('declined', 'declined.txt'),
    write('changed', 'changed.txt'),
  ]);
  const second = await scheduler.schedule(write('always', 'always.txt'));
  const third = await scheduler.schedule([write('granted-1', '1.txt'), write('granted-2', '2.txt')]);
  // Nothing waits any more: whoever answers late is told so, and nothing happens.
  const late = await scheduler.handleConfirmationResponse('always', ToolConfirmationOutcome.Cancel);
  await scheduler.dispose();

  return {
    questions,
    answers: await Promise.all(answers),
    completed: [...first, ...second, ...third],
    late,
    changed: await readFile(join(workspace, 'changed.txt'), 'utf8'),
  };
}
