import {
  type Conditions,
  plainWords,
  type RuleDraft,
  readRuleObject,
  type ToolAliases,
  toolsMeant,
} from '@countersign/engine';
import { isJsonObject, plainData } from '@countersign/host';
import type { Rule } from '@countersign/kernel';
import { explain, type JsonObject } from '@countersign/protocol';
import type { ApprovalModeSpelling } from '../types/approval-mode.js';
import type { PolicyDecision } from '../types/enums.js';
import { conditionsOf } from './regexp-condition.js';

/**
 * A rule of a program: the keys of the TOML files, with any number as its priority.
 *
 * @example
 * ```ts
 * const rule: PolicyRule = {
 *   toolName: 'run_shell_command',
 *   commandPrefix: 'git push',
 *   decision: PolicyDecision.ASK_USER,
 *   priority: 10,
 * };
 * ```
 */
export type PolicyRule = {
  readonly name?: string | undefined;
  /** One name, several, or globs such as `read_*`. Absent: every tool. */
  readonly toolName?: string | readonly string[] | undefined;
  readonly mcpName?: string | undefined;
  /**
   * What the arguments must match, as in `"file_path":"src/`. Text is matched by an engine that cannot hang; a RegExp
   * is your own code and runs as it is.
   */
  readonly argsPattern?: RegExp | string | undefined;
  /** Tests of single arguments: `{ amount: { gt: 100 }, currency: 'EUR', branch: ['main', 'next'] }`. */
  readonly when?: JsonObject | undefined;
  /** The files that the call touches, by their real paths: `src/**`, relative to the workspace or absolute. */
  readonly paths?: string | readonly string[] | undefined;
  /** Limits `paths` to files that are read, or written. */
  readonly access?: 'read' | 'write' | undefined;
  readonly commandPrefix?: string | readonly string[] | undefined;
  readonly commandExact?: string | readonly string[] | undefined;
  readonly commandRegex?: string | undefined;
  readonly decision: PolicyDecision;
  /** Higher wins; 0 if omitted. */
  readonly priority?: number | undefined;
  readonly modes?: readonly ApprovalModeSpelling[] | undefined;
  /** Only when a user is attached (true), or only when none is (false). */
  readonly interactive?: boolean | undefined;
  readonly toolAnnotations?: JsonObject | undefined;
  readonly allowRedirection?: boolean | undefined;
  readonly denyMessage?: string | undefined;
  readonly subagent?: string | undefined;
  /** Arguments, or command lines, that the rule must match and must not: checked when it is added. */
  readonly matches?: readonly (JsonObject | string)[] | undefined;
  readonly notMatches?: readonly (JsonObject | string)[] | undefined;
  /** Where it comes from, for explanations. */
  readonly source?: string | undefined;
};

/** What became of a rule: it is in force as it is, or its patterns must be compiled first. */
export type ReadRule =
  | { readonly type: 'ready'; readonly rules: readonly Rule[] }
  /** `given`: what a RegExp became, which needs no compiling. */
  | { readonly type: 'draft'; readonly draft: RuleDraft; readonly given?: readonly Conditions[] };

/** Throws if the rule cannot be used: a rule omitted silently would be a hole. */
export function readPolicyRule(given: PolicyRule, number: number, aliases: ToolAliases): ReadRule {
  const { argsPattern, priority = 0, source = 'PolicyEngine', ...rest } = given;
  const refuse = (problem: string): never => {
    throw new Error(explain({ code: 'policy_invalid', file: source, line: number, problem }).message);
  };
  if (!Number.isFinite(priority)) return refuse('priority must be a number');

  for (const key of ['when', 'toolAnnotations'] as const)
    if (holdsUndefined(given[key]))
      return refuse(`the key "${key}" holds undefined: omit it, or give a value`);

  const isRegExp = argsPattern instanceof RegExp;
  const plain = plainData({
    ...rest,
    ...(given.toolName === undefined && given.mcpName === undefined && { toolName: '*' }),
    ...(argsPattern !== undefined && !isRegExp && { argsPattern }),
    priority: 0,
  });
  if (!plain.ok || !isJsonObject(plain.value))
    return refuse(plain.ok ? 'it is not an object' : plain.problem);
  const read = readRuleObject(plain.value, { file: source, tier: 'user', line: number });
  if (!read.ok) return refuse(read.failure.problem);

  const draft = withPlaceOf(read.draft, priority, aliases);
  if (isRegExp) {
    if (draft.command !== null) return refuse('argsPattern cannot be combined with a condition on commands');
    const conditions = conditionsOf(argsPattern, draft.rule);
    if (!conditions.ok) return refuse(conditions.problem);
    if (isUnfinished(draft)) return { type: 'draft', draft, given: conditions.each };
    return { type: 'ready', rules: conditions.each.map((each) => ({ ...draft.rule, ...each })) };
  }
  const command = readyCondition(draft.command);
  if (draft.argsPattern !== null || command === undefined || isUnfinished(draft))
    return { type: 'draft', draft };
  return { type: 'ready', rules: [{ ...draft.rule, args: null, command }] };
}

/** Copying drops what is undefined, and a condition without one of its parts applies to more calls. */
const holdsUndefined = (value: unknown, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  depth < CONDITION_DEPTH_MAX &&
  Object.values(value).some((each) => each === undefined || holdsUndefined(each, depth + 1));
const CONDITION_DEPTH_MAX = 64; // copying refuses what is nested deeper, or refers to itself

/** Whether its tests of arguments must be compiled, or its examples be tried. */
const isUnfinished = ({ when, matches, notMatches }: RuleDraft): boolean =>
  when !== null || matches.length + notMatches.length > 0;

/** undefined if it takes a moment: a pattern must be compiled, or words be split as a shell would. */
function readyCondition(command: RuleDraft['command']): Rule['command'] | undefined {
  if (command === null) return null;
  if (command.type === 'regex') return undefined;
  const words = command.texts.map(plainWords);
  const plain = words.filter((each) => each !== null);
  return plain.length === words.length ? { type: command.type, words: plain } : undefined;
}

function withPlaceOf(draft: RuleDraft, priority: number, aliases: ToolAliases): RuleDraft {
  const rule = withEveryTool(draft.rule, aliases);
  return { ...draft, rule: { ...rule, ref: { ...rule.ref, priority } } };
}

/**
 * A rule for every tool that answers to its names. The names themselves stay: a
 * program's own tool may be called what is an alias of one of ours, and then the
 * rule means both.
 */
export function withEveryTool<R extends Pick<Rule, 'tools' | 'mcpServer' | 'decision'>>(
  rule: R,
  aliases: ToolAliases,
): R {
  if (rule.mcpServer !== null) return rule;
  const tools = [...new Set([...rule.tools, ...toolsMeant(rule.tools, rule.decision, aliases)])];
  return { ...rule, tools };
}

/** What holds while the patterns of a rule are being compiled: a moment too strict rather than too mild. */
export function meanwhile({ rule }: RuleDraft): readonly Rule[] {
  return rule.decision === 'allow' ? [] : [{ ...rule, args: null, command: null }];
}
