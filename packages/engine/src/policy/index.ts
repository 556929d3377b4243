export { type Translation, translateArgsPattern } from './args-pattern.js';
export { type BuiltRule, buildRule, type Remark } from './build-rule.js';
export { DEFAULT_POLICY, DEFAULT_POLICY_SOURCE } from './default-policy.js';
export {
  type KnownTools,
  type LoadedPolicy,
  loadPolicy,
  type ParsedPolicy,
  type PolicyNotice,
  type PolicySource,
  parsePolicyFile,
  policyHash,
} from './load-policy.js';
export type { RuleDraft } from './read-rule.js';
export { type RuleObjectPlace, readRuleObject } from './rule-object.js';
