import type { Rule } from './rule.js';

/**
 * The seam to judging commands (SPEC P4). A command line is many commands, and
 * each is judged by itself once it is parsed. The evaluator here sees whole
 * calls; until commands are parsed in front of it, two things keep it honest:
 * no rule about commands is ever met, and a call of this tool that such a rule
 * might have stopped is asked about instead of allowed.
 */
export const COMMAND_TOOL = 'run_shell_command';

/** Whether only parsed commands can tell if the rule is met. */
export function isAboutCommands(rule: Pick<Rule, 'command' | 'args' | 'decision'>, tool: string): boolean {
  if (rule.command !== null) return true;
  // `git status; rm -rf ~` begins with `git status`: the text of a whole line may forbid, but not allow.
  return (
    tool === COMMAND_TOOL &&
    rule.decision === 'allow' &&
    rule.args?.type === 'argument' &&
    rule.args.key === 'command'
  );
}
