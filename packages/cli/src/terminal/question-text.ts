import type { Confirmation, Question, Verdict } from '@countersign/protocol';
import { visible, visibleLine } from './visible.js';
import { wrapped } from './wrapped.js';

/** Lines of a question that are shown before the rest is only counted and offered. */
const LINES_MAX = 60;

type Asked = { readonly title: string; readonly question: Question; readonly verdict: Verdict };
type Shown = {
  readonly colour: boolean;
  readonly extent: 'beginning' | 'whole';
  /** Of the terminal; undefined where there is none. */
  readonly columns?: number | undefined;
};

/** A question as plain text: what would happen, why it is asked, and nothing that could pass for our own words. */
export function questionText(
  { title, question, verdict }: Asked,
  { colour, extent, columns }: Shown,
): string {
  const lines = linesOf(question.confirmation);
  const paint = colour ? painted : (_: string, text: string) => text;
  const left = extent === 'whole' ? 0 : linesLeftOut(question);
  return [
    '',
    visibleLine(title),
    ...lines.slice(0, lines.length - left).map((line) => `  │ ${paint(line, visible(line))}`),
    ...(left > 0 ? [`  … and ${left === 1 ? '1 line' : `${left} lines`} more, not shown here`] : []),
    wrapped(`  Why you are asked: ${visibleLine(verdict.reason)}`, columns, '    '),
  ].join('\n');
}

/** How many lines of a question its beginning leaves out. */
export const linesLeftOut = ({ confirmation }: Question): number =>
  Math.max(0, linesOf(confirmation).length - LINES_MAX);

const linesOf = (confirmation: Confirmation): readonly string[] => bodyOf(confirmation).split('\n');

function bodyOf(confirmation: Confirmation): string {
  switch (confirmation.type) {
    case 'edit':
      return [confirmation.fileDiff.replace(/\n$/, ''), ...(confirmation.notes ?? [])].join('\n');
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
