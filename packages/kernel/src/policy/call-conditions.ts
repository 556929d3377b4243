import { meetsArgs } from './args-condition.js';
import { meetsTests } from './argument-tests.js';
import { meetsPaths } from './path-condition.js';
import type { Rule, Subject } from './rule.js';

/** Whether a rule depends on the arguments or files of a call. */
export const hasCallConditions = ({ args, when, paths }: Rule): boolean =>
  args !== null || (when ?? null) !== null || (paths ?? null) !== null;

/** Why a rule does not apply to the arguments or files of a call; null if it does. */
export function obstacleOfCall(rule: Rule, subject: Subject): string | null {
  if (!meetsArgs(rule, subject.args) || !meetsTests(rule, subject.args)) return 'The arguments do not match.';
  return meetsPaths(rule, subject) ? null : 'The paths do not match.';
}
