export { type ToolAliases, toolsMeant } from '../tool/tool-names.js';
export { DEFAULT_POLICY, DEFAULT_POLICY_SOURCE } from './default-policy.js';
export {
  type KnownTools,
  type LoadedPolicy,
  loadPolicy,
  type OnExample,
  type ParsedPolicy,
  type PolicyNotice,
  type PolicySource,
  parsePolicyFile,
  policyHash,
  SharedPolicies,
} from './load-policy.js';
export { type Translation, translateArgsPattern } from './rules/args-pattern.js';
export { type BuiltRule, buildRule, type Conditions, type Remark } from './rules/build-rule.js';
export { compilePattern } from './rules/pattern.js';
export { RULE_KEYS, type RuleDraft } from './rules/read-rule.js';
export type { TriedExample } from './rules/rule-examples.js';
export { type RuleObjectPlace, readRuleObject } from './rules/rule-object.js';
export { plainWords } from './rules/rule-words.js';
export { type Lookout, type Supposed, supposeCall, type UnrunCall } from './unrun-call.js';
