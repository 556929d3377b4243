export { type Translation, translateArgsPattern } from './args-pattern.js';
export { type BuiltRule, buildRule, type Remark } from './build-rule.js';
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
export { compilePattern } from './pattern.js';
export type { RuleDraft } from './read-rule.js';
export type { TriedExample } from './rule-examples.js';
export { type RuleObjectPlace, readRuleObject } from './rule-object.js';
export { plainWords } from './rule-words.js';
export { type ToolAliases, toolsMeant } from './tool-names.js';
export { type Lookout, type Supposed, supposeCall, type UnrunCall } from './unrun-call.js';
