import {
  buildRule,
  DEFAULT_POLICY_SOURCE,
  parsePolicyFile,
  type RuleDraft,
  readRuleObject,
  type Toolbox,
} from '@countersign/engine';
import { compilePolicy, type Policy, type Rule } from '@countersign/kernel';
import { canonicalJson, type JsonObject } from '@countersign/protocol';
import { CommandFailure } from '../io/failure-text.js';

/** A policy given with a call. */
export type InlinePolicy =
  | {
      readonly ok: true;
      readonly policy: Policy;
      /** How invalid rules are replaced. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

/** Scripts send the same few policies with thousands of calls. A full cache only costs time. */
const POLICIES_REMEMBERED_MAX = 256;

export class InlinePolicies {
  readonly #tools: Toolbox;
  readonly #shipped: Promise<readonly Rule[]>;
  readonly #made = new Map<string, Promise<InlinePolicy>>();

  constructor(tools: Toolbox, shipped: 'all' | 'none') {
    this.#tools = tools;
    this.#shipped = shipped === 'all' ? shippedRules() : Promise.resolve([]);
  }

  of(rules: readonly JsonObject[]): Promise<InlinePolicy> {
    const key = canonicalJson(rules);
    const known = this.#made.get(key);
    if (known) return known;
    if (this.#made.size >= POLICIES_REMEMBERED_MAX) this.#made.clear();
    const made = this.#make(rules);
    this.#made.set(key, made);
    return made;
  }

  async #make(given: readonly JsonObject[]): Promise<InlinePolicy> {
    const rules: Rule[] = [...(await this.#shipped)];
    const notes: string[] = [];
    const aliases = this.#tools.aliases();
    for (const [index, rule] of given.entries()) {
      const line = index + 1;
      // Rules without a priority have the same one, and then the strictest decides.
      const withPriority = { ...rule, priority: rule['priority'] ?? 0 };
      const read = readRuleObject(withPriority, { file: 'policy', tier: 'user', line, aliases });
      if (!read.ok) return { ok: false, problem: `rule ${line} of "policy": ${read.failure.problem}` };
      const { draft } = read;
      const built = await buildRule(draft);
      if (built.ok) rules.push(...built.rules);
      else {
        const { decision, tools } = draft.rule;
        notes.push(
          `Rule ${line} is refused: ${built.problem.problem}. ${STANDS_FOR[decision](tools.join(', '))}`,
        );
        rules.push(...insteadOf(draft));
      }
    }
    return { ok: true, policy: compilePolicy(rules, 'inline'), notes };
  }
}

/** An invalid rule must not allow more than it was meant to. */
const insteadOf = ({ rule }: RuleDraft): readonly Rule[] =>
  rule.decision === 'allow' ? [] : [{ ...rule, args: null, command: null }];

const STANDS_FOR = {
  allow: () => 'It has no effect.',
  ask_user: (tools: string) => `Instead, every call of ${tools} asks.`,
  deny: (tools: string) => `Instead, every call of ${tools} is denied.`,
};

async function shippedRules(): Promise<readonly Rule[]> {
  const parsed = await parsePolicyFile(DEFAULT_POLICY_SOURCE.text, DEFAULT_POLICY_SOURCE);
  if (!parsed.ok) throw new CommandFailure(parsed.failure);
  return parsed.rules;
}
