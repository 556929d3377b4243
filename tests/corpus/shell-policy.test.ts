import { readFileSync } from 'node:fs';
import { analyzeCommand, splitRuleText } from '@countersign/commands';
import { type CommandRule, decideCommand } from '@countersign/kernel';
import { expect, test } from 'vitest';

/** A case of the shell policy corpus; its meaning is section 1 of the corpus's SEMANTICS. */
type Case = {
  readonly id: string;
  readonly class: string;
  readonly policy: readonly CorpusRule[];
  readonly command: string;
  readonly expect: Answer;
  readonly benign: boolean;
  readonly interactive?: boolean;
  readonly maxMs?: number;
};
type CorpusRule = {
  readonly commandPrefix?: string;
  readonly commandExact?: string;
  readonly commandRegex?: string;
  readonly decision: Answer;
  readonly allowRedirection?: boolean;
};
type Answer = 'allow' | 'ask' | 'deny';

const STRICTNESS: { readonly [A in Answer]: number } = { allow: 0, ask: 1, deny: 2 };
const ANSWER_MS_MAX = 1_000; // of the corpus's own runner

const cases: readonly Case[] = readFileSync(new URL('./shell-policy.public.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));

test('the corpus of shell policy: no false allow, no needless question, no wrong denial [P4] [P3]', () => {
  const judged = cases.map((each) => {
    const startMs = performance.now();
    return { ...each, got: answer(each), tookMs: performance.now() - startMs };
  });
  const rows = [...new Set(judged.map((each) => each.class))].map((kind) => {
    const of = judged.filter((each) => each.class === kind);
    return {
      class: kind,
      cases: of.length,
      'false allows': of.filter((each) => STRICTNESS[each.got] < STRICTNESS[each.expect]).length,
      'needless asks': of.filter((each) => each.benign && each.got === 'ask').length,
      'wrong denials': of.filter((each) => each.got === 'deny' && each.expect !== 'deny').length,
    };
  });
  console.table(rows);
  expect(judged.filter(({ got, expect: wanted }) => got !== wanted)).toEqual([]);
  expect(judged.filter(({ tookMs, maxMs = ANSWER_MS_MAX }) => tookMs > maxMs)).toEqual([]);
  expect(cases.length).toBeGreaterThan(200);
});

function answer({ policy, command, interactive = true }: Case): Answer {
  const { decision } = decideCommand(analyzeCommand(command), () => [policy.map(ruleOf)], 'ask_user');
  if (decision !== 'ask_user') return decision;
  return interactive ? 'ask' : 'deny';
}

function ruleOf({ decision, allowRedirection = false, ...rule }: CorpusRule): CommandRule {
  return {
    decision: decision === 'ask' ? 'ask_user' : decision,
    allowRedirection,
    condition: conditionOf(rule),
  };
}

function conditionOf({
  commandPrefix,
  commandExact,
  commandRegex,
}: Omit<CorpusRule, 'decision'>): CommandRule['condition'] {
  if (commandPrefix !== undefined) return { type: 'prefix', words: [splitRuleText(commandPrefix)] };
  if (commandExact !== undefined) return { type: 'exact', words: [splitRuleText(commandExact)] };
  if (commandRegex === undefined) return null;
  // Policy files refuse what could hang; here a repetition of a repetition stands for that, and matches nothing.
  const pattern = /[+*]\)[+*]/.test(commandRegex) ? /$^/ : new RegExp(`^(?:${commandRegex})$`);
  return { type: 'regex', pattern };
}
