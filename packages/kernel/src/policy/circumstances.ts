import type { Verdict } from '@countersign/protocol';
import {
  guardedPath,
  hasEffects,
  isPlanWriting,
  isWorkspaceEdit,
  ownResource,
  saysItReads,
} from './effects.js';
import type { Subject } from './rule.js';
import {
  asksForOurs,
  BY_MODE,
  byHook,
  deniedUnattended,
  guarded,
  OWN_PROGRAM,
  QUESTION,
  refusesOurs,
  typedByPerson,
} from './verdicts.js';

/** The verdict of the rules, and what the adjustments below need to know about it. */
export type RulesResult = {
  readonly verdict: Verdict;
  /** Whether a rule that names plan mode allows the call. */
  readonly allowedInPlan: boolean;
  /** Asks if unknown parts of the command line could match a rule that denies; computed only for a call that would be allowed. */
  readonly unclear: () => Verdict | null;
  /** Whether the command line would run this program; computed only for a call that would not be denied. */
  readonly runsUs: () => 'as a rule says' | 'unasked for' | 'perhaps' | null;
  /** Whether the matching rule is not a default one and has a condition on arguments or an exact command. */
  readonly isExplicit: () => boolean;
};

/**
 * Adjusts the verdict of the rules to mode, paths, hooks and attendance. The
 * order matters: modes may loosen it, then guards tighten it so that no rule and
 * no mode overrides them, and only a person, or their absence, comes after that.
 */
export function inCircumstances(
  rules: RulesResult,
  subject: Subject,
  changed?: (verdict: Verdict) => void,
): Verdict {
  let verdict = rules.verdict;
  for (const adjust of ADJUSTMENTS) {
    const adjusted = adjust(verdict, subject, rules);
    if (adjusted !== verdict) changed?.(adjusted);
    verdict = adjusted;
  }
  return verdict;
}

type Adjustment = (verdict: Verdict, subject: Subject, rules: RulesResult) => Verdict;

const modeLoosens: Adjustment = (verdict, { mode, plan }) => {
  if (verdict.decision !== 'ask_user') return verdict;
  const mayYield = verdict.rule === null || verdict.rule.tier === 'default';
  switch (mode) {
    case 'yolo':
      return BY_MODE.yolo;
    case 'auto_edit':
      return mayYield && isWorkspaceEdit(plan) ? BY_MODE.autoEdit : verdict;
    case 'plan':
      return mayYield && isPlanWriting(plan) ? BY_MODE.planning : verdict;
    case 'manual':
    case 'confirm_always':
      return verdict;
  }
};

/** A rule may leave it to the user whether to believe an MCP server that a tool only reads; the hint alone permits nothing. */
const planModeReads: Adjustment = (verdict, { mode, plan, commands }, { allowedInPlan }) =>
  mode === 'plan' &&
  verdict.decision !== 'deny' &&
  !allowedInPlan &&
  hasEffects(plan, commands !== null) &&
  !isPlanWriting(plan) &&
  !(verdict.decision === 'ask_user' && verdict.rule !== null && saysItReads(plan))
    ? BY_MODE.plan
    : verdict;

/** A hook answers for the user, so it comes before the guards, which no answer given in advance can override. */
const hookAllows: Adjustment = (verdict, { advice }) =>
  verdict.decision === 'ask_user' && advice?.decision === 'allow' ? byHook(advice) : verdict;

const unclearCommandsAsk: Adjustment = (verdict, _, { unclear }) =>
  verdict.decision === 'allow' ? (unclear() ?? verdict) : verdict;

const guardsAsk: Adjustment = (verdict, { plan, mode }) => {
  if (verdict.decision === 'deny') return verdict;
  const found = guardedPath(plan, mode);
  if (found === null) return verdict;
  const guard = guarded(found.path, found.why);
  // A question that is asked anyway also mentions the path.
  return verdict.rule !== null && verdict.decision === 'ask_user'
    ? { ...guard, rule: verdict.rule, reason: `${verdict.reason} ${guard.reason}` }
    : guard;
};

/**
 * This program, its store, its tokens and its port answer questions and hold
 * permissions. Their use asks each time, and is denied to a model unless a rule
 * names it.
 */
const ownThingsRefused: Adjustment = (verdict, { plan, origin }, { runsUs, isExplicit }) => {
  if (verdict.decision === 'deny') return verdict;
  const ran = runsUs();
  const touched = ownResource(plan);
  if (ran === null && touched === null) return verdict;
  const isNamed = (ran === null || ran === 'as a rule says') && (touched === null || isExplicit());
  const what = touched ?? OWN_PROGRAM;
  return origin === 'person' || isNamed || (touched === null && ran === 'perhaps')
    ? asksForOurs(what, verdict.rule)
    : refusesOurs(what);
};

const hookAsks: Adjustment = (verdict, { advice }) => {
  if (verdict.decision === 'deny' || advice?.decision !== 'ask') return verdict;
  // A question that is asked anyway also mentions the hook's reason.
  return verdict.decision === 'ask_user'
    ? { ...verdict, reason: `${verdict.reason} ${advice.reason}`, because: 'hook' }
    : byHook(advice);
};

const confirmAlwaysAsks: Adjustment = (verdict, { mode }) =>
  mode === 'confirm_always' && verdict.decision !== 'deny' && verdict.because !== 'guard'
    ? BY_MODE.confirmAlways
    : verdict;

const personAnswers: Adjustment = (verdict, { origin }) =>
  verdict.decision === 'ask_user' && origin === 'person' ? typedByPerson(verdict) : verdict;

const QUESTION_TOOLS: readonly string[] = ['ask_user', 'exit_plan_mode'];

/** No rule, mode or hook can answer the questions of these tools, nor can the sender of the call. */
const questionsAsk: Adjustment = (verdict, { tool, mcpServer }) =>
  verdict.decision === 'allow' && mcpServer === null && QUESTION_TOOLS.includes(tool) ? QUESTION : verdict;

const absenceDenies: Adjustment = (verdict, { attended }) =>
  verdict.decision === 'ask_user' && !attended ? deniedUnattended(verdict) : verdict;

/** Last, so that it overrides every allow, also by a grant; a deny of policy keeps its own reason. */
const hookDenies: Adjustment = (verdict, { advice }) =>
  advice?.decision === 'deny' && (verdict.decision !== 'deny' || verdict.because === 'unattended')
    ? byHook(advice)
    : verdict;

const ADJUSTMENTS: readonly Adjustment[] = [
  modeLoosens,
  planModeReads,
  hookAllows,
  unclearCommandsAsk,
  guardsAsk,
  ownThingsRefused,
  hookAsks,
  confirmAlwaysAsks,
  personAnswers,
  questionsAsk,
  absenceDenies,
  hookDenies,
];
