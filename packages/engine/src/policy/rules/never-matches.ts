import { COMMAND_TOOL, isGlob, matchesGlob } from '@countersign/kernel';
import { nearest } from '../../tool/nearest.js';
import { NO_ALIASES, type ToolAliases } from '../../tool/tool-names.js';
import type { Remark } from './build-rule.js';
import type { RuleDraft } from './read-rule.js';

/** What of a rule can never come true, or is easily taken for something else: reported, so that no one relies on it. */
export function doubtsAbout(
  draft: RuleDraft,
  knownTools: readonly string[] | null,
  aliases: ToolAliases = NO_ALIASES,
): readonly Remark[] {
  const { tools, mcpServer, decision, modes, ref } = draft.rule;
  const remarks: Remark[] = [];
  const warn = (key: string, text: string) =>
    remarks.push({ severity: 'warning', line: draft.lineOf(key), text });

  if (
    draft.command !== null &&
    (mcpServer !== null || !tools.some((tool) => matchesGlob(tool, COMMAND_TOOL)))
  ) {
    const key = { prefix: 'commandPrefix', exact: 'commandExact', regex: 'commandRegex' }[draft.command.type];
    warn(
      key,
      `The rule can never match: only ${COMMAND_TOOL} runs commands, but the rule is for ${tools.join(', ')}.`,
    );
  }
  if (decision === 'ask_user' && modes?.includes('yolo') && !tools.every(isQuestion)) {
    warn(
      'modes',
      'In yolo mode the rule has no effect: calls that would ask are allowed there. Use "deny" instead.',
    );
  }
  for (const tool of tools) {
    if (mcpServer !== null && mcpServer !== '*' && namesOtherServer(tool, mcpServer)) {
      warn(
        'toolName',
        `"${tool}" can never match together with mcpName "${mcpServer}": it names another server.`,
      );
    }
    if (tool.includes('__')) {
      warn(
        'toolName',
        `"${tool}": two underscores have no meaning here. Name the server with mcpName instead.`,
      );
    }
    if (decision === 'allow' && mcpServer === null && hasSeveralReadings(tool)) {
      const text = `"${tool}" can mean several servers. Name one with mcpName.`;
      remarks.push({ severity: 'info', line: draft.lineOf('toolName'), text });
    }
    // The shipped rules mention every tool there is, whichever of them this program was built with.
    const checkable =
      knownTools !== null && mcpServer === null && ref.tier !== 'default' && !tool.startsWith('mcp_');
    if (!checkable || mayBeOfServer(tool)) continue;
    // A pattern that allows does not reach aliases.
    const names = decision === 'allow' ? knownTools : [...knownTools, ...aliases.keys()];
    if (names.some((known) => matchesGlob(tool, known))) continue;
    const [guess] = isGlob(tool) ? [] : nearest(tool, knownTools);
    const hint = guess === undefined ? '' : ` Did you mean "${guess}"?`;
    const verb = isGlob(tool) ? 'is named like' : 'is called';
    warn('toolName', `No tool ${verb} "${tool}", so for it the rule can never match.${hint}`);
  }
  return remarks;
}

/** A pattern that tools of MCP servers may fit, which are known only when their servers have said so. */
const mayBeOfServer = (tool: string): boolean => isGlob(tool) && /^(?:m|mc|mcp|mcp_.*)?[*?]/.test(tool);

/** These ask in every mode, whatever rules say. */
const isQuestion = (tool: string): boolean => tool === 'ask_user' || tool === 'exit_plan_mode';

const namesOtherServer = (tool: string, server: string): boolean =>
  tool.startsWith('mcp_') &&
  !isGlob(tool.slice(0, `mcp_${server}_`.length)) &&
  !tool.startsWith(`mcp_${server}_`);

/** `mcp_a_b_c*`: a tool `b_c…` of server `a`, or `c…` of server `a_b`? */
const hasSeveralReadings = (tool: string): boolean =>
  tool.startsWith('mcp_') && isGlob(tool) && !/^mcp_[^*?]*_\*$/.test(tool) && tool.split('_').length > 3;
