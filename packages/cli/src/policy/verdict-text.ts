import { visibleLine } from '@countersign/display';
import type { RuleRef } from '@countersign/protocol';
import { type Explained, type Judged, WOULD_FAIL } from './call-judge.js';
import type { AskedCall } from './read-call.js';

/** A verdict as text: the decision, the reason, and the decision on each command if there are several. */
export function verdictText({ decision, rule, reasons, commands }: Judged, call: AskedCall): string {
  const [reason = '', ...others] = reasons;
  const failing = others.find((note) => note.startsWith(WOULD_FAIL));
  const notes = others.filter((note) => note !== failing);
  // Most reasons name the rule, except those written by the author of the rule.
  const isNamed = rule === null || reason.includes(`${rule.file}:${rule.line}`);
  const by = isNamed ? '' : ` Rule ${ruleLabel(rule)}.`;
  const id =
    call.id === undefined ? '' : `${typeof call.id === 'string' ? call.id : JSON.stringify(call.id)}: `;
  const each = commands.map(
    (command) => `  ${command.decision.padEnd(DECISION_COLUMNS)}${visibleLine(command.text)}`,
  );
  return [
    ...(failing === undefined
      ? [`${visibleLine(id)}${decision}: ${visibleLine(`${reason}${by}`)}`]
      : [
          `${visibleLine(id)}invalid: ${visibleLine(failing)}`,
          `  The rules alone: ${decision}: ${visibleLine(`${reason}${by}`)}`,
        ]),
    ...notes.map((note) => `  Note: ${visibleLine(note)}`),
    ...(each.length > 1 ? each : []),
  ].join('\n');
}

/** The whole explanation: circumstances, affected resources, and every rule in the order of evaluation. */
export function storyText(explained: Explained, call: AskedCall): string {
  const { tool, mode, interactive, policy, resources, trace } = explained;
  const touched = resources.map((resource) => {
    switch (resource.kind) {
      case 'fs.read':
      case 'fs.write': {
        const where = resource.place === 'outside' ? ', outside the workspace' : '';
        const guarded = resource.guarded === null ? '' : ` (${resource.guarded})`;
        return `${resource.kind === 'fs.read' ? 'reads' : 'writes'} ${resource.path}${where}${guarded}`;
      }
      case 'net':
        return `${resource.access === 'read' ? 'reads from' : 'writes to'} ${resource.host}`;
      case 'mcp':
        return `calls ${resource.tool} on the MCP server ${resource.server}`;
      case 'opaque':
        return resource.why;
    }
  });
  const steps = trace.map(({ rule, met, why }) => {
    const by = rule === null ? '' : `${ruleLabel(rule)}: `;
    return `  ${met ? '>' : '-'} ${visibleLine(`${by}${why}`)}`;
  });
  return [
    verdictText(explained, call),
    '',
    `${visibleLine(tool)} ${visibleLine(JSON.stringify(call.args))}`,
    `  mode ${mode}, ${interactive ? 'somebody' : 'nobody'} attached, policy ${policy.slice(0, HASH_CHARS_SHOWN)}`,
    ...touched.map((line) => `  ${visibleLine(line)}`),
    '',
    'Considered, in this order (> marks the rule that decided):',
    ...steps,
    '',
  ].join('\n');
}

export const ruleLabel = ({ name, file, line, tier, priority }: RuleRef): string =>
  `${name === null ? '' : `"${name}" `}${file}:${line} (${tier} ${priority})`;

/** The width of the longest decision, and two spaces. */
const DECISION_COLUMNS = 'ask_user'.length + 2;
/** Enough to distinguish two policies. */
export const HASH_CHARS_SHOWN = 12;
