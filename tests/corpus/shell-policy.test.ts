import { readFileSync } from 'node:fs';
import { analyzeCommand } from '@countersign/commands';
import { buildRule, readRuleObject } from '@countersign/engine';
import { type CommandRule, decideCommand } from '@countersign/kernel';
import type { JsonObject } from '@countersign/protocol';
import { stopwatch } from '@countersign/testkit';
import { expect, test } from 'vitest';

/** A case of the shell policy corpus; its meaning is section 1 of the corpus's SEMANTICS. */
type Case = {
  readonly id: string;
  readonly class: string;
  readonly policy: readonly JsonObject[];
  readonly command: string;
  readonly expect: Answer;
  readonly benign: boolean;
  readonly interactive?: boolean;
  readonly maxMs?: number;
};
type Answer = 'allow' | 'ask' | 'deny';

const STRICTNESS: { readonly [A in Answer]: number } = { allow: 0, ask: 1, deny: 2 };
const ANSWER_MS_MAX = 1_000; // of the corpus's own runner

const casesIn = (file: string): readonly Case[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

test.each([
  ['public', './shell-policy.public.jsonl', 200],
  ['own', './shell-policy.own.jsonl', 450],
])(
  'the %s corpus of shell policy: no false allow, no needless question, no wrong denial [P4] [P3]',
  async (name, file, least) => {
    const cases = casesIn(file);
    const judged = await Promise.all(
      cases.map(async (each) => {
        const rules = await Promise.all(each.policy.map(rulesOf));
        const elapsedMs = stopwatch();
        return { ...each, got: answer(rules.flat(), each), tookMs: elapsedMs() };
      }),
    );
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
    console.log(`${name}: ${cases.length} cases`);
    console.table(rows);
    expect(judged.filter(({ got, expect: wanted }) => got !== wanted)).toEqual([]);
    expect(judged.filter(({ tookMs, maxMs = ANSWER_MS_MAX }) => tookMs > maxMs)).toEqual([]);
    expect(cases.length).toBeGreaterThan(least);
  },
);

function answer(rules: readonly CommandRule[], { command, interactive = true }: Case): Answer {
  const { decision } = decideCommand(analyzeCommand(command), () => [rules], 'ask_user');
  if (decision !== 'ask_user') return decision;
  return interactive ? 'ask' : 'deny';
}

/** As policy files are read. What cannot be used allows nothing, and forbids everything it was about. */
async function rulesOf(rule: JsonObject, index: number): Promise<readonly CommandRule[]> {
  const read = readRuleObject({ priority: 0, ...rule }, { file: 'corpus', tier: 'user', line: index + 1 });
  if (!read.ok) throw new Error(read.failure.problem);
  const built = await buildRule(read.draft);
  if (built.ok)
    return built.rules.map(({ decision, allowRedirection, command: condition }) => ({
      decision,
      allowRedirection,
      condition,
    }));
  const { decision, allowRedirection } = read.draft.rule;
  return decision === 'allow' ? [] : [{ decision, allowRedirection, condition: null }];
}
