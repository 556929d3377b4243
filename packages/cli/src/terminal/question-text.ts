import type { Confirmation, Question, Verdict } from '@countersign/protocol';
import { visible } from './visible.js';

/** Lines of a diff shown before the rest is only counted; the whole is in the approval (`approvals list --json`). */
const DIFF_LINES_MAX = 60;

/** A question as plain text: what would happen, why it is asked, and nothing that could pass for our own words. */
export function questionText(
  asked: { readonly title: string; readonly question: Question; readonly verdict: Verdict },
  colour: boolean,
): string {
  const { confirmation } = asked.question;
  const paint = colour ? painted : (_: string, text: string) => text;
  const body = bodyOf(confirmation)
    .split('\n')
    .map((line) => `  │ ${paint(line, visible(line))}`)
    .join('\n');
  return ['', `${visible(asked.title)}`, body, `  Why you are asked: ${visible(asked.verdict.reason)}`].join(
    '\n',
  );
}

function bodyOf(confirmation: Confirmation): string {
  switch (confirmation.type) {
    case 'edit': {
      const lines = confirmation.fileDiff.replace(/\n$/, '').split('\n');
      const hidden = lines.length - DIFF_LINES_MAX;
      const notes = confirmation.notes ?? [];
      return [
        ...lines.slice(0, DIFF_LINES_MAX),
        ...(hidden > 0 ? [`… ${hidden} more lines of this diff are not shown here`] : []),
        ...notes,
      ].join('\n');
    }
    case 'exec':
      return `${confirmation.command}\nin ${confirmation.directory}\nRisk: ${confirmation.riskLevel}${confirmation.riskReasons.map((reason) => `; ${reason}`).join('')}`;
    case 'mcp':
      return `${confirmation.serverName} / ${confirmation.toolName}\n${JSON.stringify(confirmation.toolArgs, null, 2)}`;
    case 'info':
      return [confirmation.prompt, ...confirmation.urls].join('\n');
    case 'ask_user':
      return confirmation.questions.map(({ question }) => question).join('\n');
    case 'exit_plan_mode':
      return confirmation.plan;
  }
}

function painted(line: string, text: string): string {
  if (line.startsWith('+')) return `\u001b[32m${text}\u001b[39m`;
  if (line.startsWith('-')) return `\u001b[31m${text}\u001b[39m`;
  if (line.startsWith('@@')) return `\u001b[36m${text}\u001b[39m`;
  return text;
}
