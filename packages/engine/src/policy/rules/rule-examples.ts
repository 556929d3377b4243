import {
  decideCommand,
  matchRule,
  meetsArgs,
  meetsTests,
  type Rule,
  type RuleExample,
} from '@countersign/kernel';
import type { CommandAnalysis } from '@countersign/protocol';
import { analyzeLine } from '../../planning/known-commands.js';
import type { Problem, RuleDraft } from './read-rule.js';

/** An example that a rule carries, held against the rule. */
export type TriedExample = {
  readonly line: number;
  readonly says: 'matches' | 'notMatches';
  readonly example: RuleExample;
  readonly holds: boolean;
};

/** `rules`: what the one that was written became. It matches what any of them does. */
export async function tryExamples(
  rules: readonly Rule[],
  { matches, notMatches, lineOf }: RuleDraft,
): Promise<readonly TriedExample[]> {
  const tried: TriedExample[] = [];
  for (const [says, examples] of [
    ['matches', matches],
    ['notMatches', notMatches],
  ] as const) {
    for (const example of examples) {
      const met = await Promise.all(rules.map((rule) => isMet(rule, example)));
      tried.push({ line: lineOf(says), says, example, holds: met.includes(true) === (says === 'matches') });
    }
  }
  return tried;
}

export function wrongExample(tried: readonly TriedExample[]): Problem | null {
  const wrong = tried.find(({ holds }) => !holds);
  if (wrong === undefined) return null;
  const { line, says, example } = wrong;
  const text = JSON.stringify(example);
  const problem =
    says === 'matches'
      ? `the rule does not match its example ${text}`
      : `the rule matches ${text}, which its notMatches lists`;
  return { line, problem };
}

async function isMet(rule: Rule, example: RuleExample): Promise<boolean> {
  if (rule.command === null)
    return typeof example !== 'string' && meetsArgs(rule, example) && meetsTests(rule, example);
  const line = typeof example === 'string' ? example : example['command'];
  return typeof line === 'string' && speaksOf(rule, await analyzeLine(line));
}

/** A rule that forbids mentions a line with any command it names; one that allows, of a line it would let pass alone. */
function speaksOf({ decision, command, allowRedirection }: Rule, line: CommandAnalysis): boolean {
  const alone = { decision, condition: command, allowRedirection };
  const isNamed = line.units.some((unit) => matchRule(alone, unit).type === 'applies');
  if (decision !== 'allow') return isNamed;
  return isNamed && decideCommand(line, () => [[alone]], 'ask_user').decision === 'allow';
}
