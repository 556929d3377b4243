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
