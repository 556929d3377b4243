import { DEFAULT_POLICY_SOURCE, parsePolicyFile } from '@countersign/engine';
import type { Rule } from '@countersign/kernel';
import { explain } from '@countersign/protocol';
import type { PolicyDecision } from '../types/enums.js';

let shipped: Promise<readonly Rule[]> | null = null;

/** The rules that ship with the program: read once, since all engines share them. */
export function shippedRules(): Promise<readonly Rule[]> {
  shipped ??= readShipped();
  return shipped;
}

async function readShipped(): Promise<readonly Rule[]> {
  const parsed = await parsePolicyFile(DEFAULT_POLICY_SOURCE.text, DEFAULT_POLICY_SOURCE);
  if (!parsed.ok) throw new Error(explain(parsed.failure).message);
  return parsed.rules;
}

const SHIPPED = { tier: 'default', file: 'PolicyEngine', line: 0 } as const;
const ANY_CALL = {
  tools: ['*'],
  mcpServer: null,
  args: null,
  command: null,
  annotations: null,
  modes: null,
  interactive: null,
  subagent: null,
  allowRedirection: false,
  denyMessage: null,
} satisfies Partial<Rule>;

/** The shipped rules deny nothing, so asking about everything is at least as strict as they are. */
export const ASK_UNTIL_LOADED: Rule = {
  ...ANY_CALL,
  ref: { ...SHIPPED, name: 'the shipped rules are being loaded', priority: 999 },
  decision: 'ask_user',
};

/** Weaker than every other rule. */
export const fallbackRule = (decision: PolicyDecision): Rule => ({
  ...ANY_CALL,
  ref: { ...SHIPPED, name: 'defaultDecision', priority: -1 },
  decision,
});
