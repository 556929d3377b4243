import type { Verdict } from '@countersign/protocol';
import { guardedPath, hasEffects, isPlanWriting, isWorkspaceEdit, ownResource } from './effects.js';
import type { Subject } from './rule.js';
import {
  asksForOurs,
  BY_MODE,
  byHook,
  guarded,
  nobodyToAsk,
  OWN_PROGRAM,
  QUESTION,
  refusesOurs,
  typedByPerson,
} from './verdicts.js';

/** What the circumstances need to know of the rules, besides the one that spoke. */
export type Heard = {
  readonly verdict: Verdict;
  /** Whether a rule that names plan mode allows the call. */
  readonly allowedInPlan: boolean;
  /** What about its command line no rule and no mode may pass without a question; worked out only if it would pass. */
  readonly unclear: () => Verdict | null;
  /** Whether its command line would run this program; worked out only if it would pass. */
  readonly runsUs: () => 'as a rule says' | 'unasked for' | 'perhaps' | null;
  /** Whether the rule that spoke is somebody's own, and says which calls it means. */
  readonly isExplicit: () => boolean;
};

/**
 * What mode, paths and people make of what the rules said. The order matters:
 * modes may loosen, then guards tighten again so that no rule and no mode gets
 * past them, and only a person, or their absence, comes after that.
 */
export function inCircumstances(
  heard: Heard,
  subject: Subject,
  changed?: (verdict: Verdict) => void,
): Verdict {
  let verdict = heard.verdict;
  for (const turn of TURNS) {
    const turned = turn(verdict, subject, heard);
    if (turned !== verdict) changed?.(turned);
    verdict = turned;
  }
  return verdict;
}

type Turn = (verdict: Verdict, subject: Subject, heard: Heard) => Verdict;

const modeLoosens: Turn = (verdict, { mode, plan }) => {
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

const planModeReads: Turn = (verdict, { mode, plan, commands }, { allowedInPlan }) =>
  mode === 'plan' &&
  verdict.decision !== 'deny' &&
  !allowedInPlan &&
  hasEffects(plan, commands !== null) &&
  !isPlanWriting(plan)
    ? BY_MODE.plan
    : verdict;

/** It stands for the person's answer, so it comes before what no answer given in advance can pass. */
const hookAllows: Turn = (verdict, { advice }) =>
  verdict.decision === 'ask_user' && advice?.decision === 'allow' ? byHook(advice) : verdict;

const unclearCommandsAsk: Turn = (verdict, _, { unclear }) =>
  verdict.decision === 'allow' ? (unclear() ?? verdict) : verdict;

const guardsAsk: Turn = (verdict, { plan, mode }) => {
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
 * What is ours (this program, its store, its tokens, its port) answers questions
 * and keeps permissions. It asks each time, and a model does not even get to ask
 * unless a rule names it.
 */
const ownThingsRefused: Turn = (verdict, { plan, origin }, { runsUs, isExplicit }) => {
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

const hookAsks: Turn = (verdict, { advice }) => {
  if (verdict.decision === 'deny' || advice?.decision !== 'ask') return verdict;
  // A question that is asked anyway also mentions the hook's reason.
  return verdict.decision === 'ask_user'
    ? { ...verdict, reason: `${verdict.reason} ${advice.reason}`, because: 'hook' }
    : byHook(advice);
};

const confirmAlwaysAsks: Turn = (verdict, { mode }) =>
  mode === 'confirm_always' && verdict.decision !== 'deny' && verdict.because !== 'guard'
    ? BY_MODE.confirmAlways
    : verdict;

const personAnswers: Turn = (verdict, { origin }) =>
  verdict.decision === 'ask_user' && origin === 'person' ? typedByPerson(verdict) : verdict;

const QUESTION_TOOLS: readonly string[] = ['ask_user', 'exit_plan_mode'];

/** No rule, mode or hook knows the answer to what these ask, nor does who typed the call. */
const questionsAsk: Turn = (verdict, { tool, mcpServer }) =>
  verdict.decision === 'allow' && mcpServer === null && QUESTION_TOOLS.includes(tool) ? QUESTION : verdict;

const absenceDenies: Turn = (verdict, { attended }) =>
  verdict.decision === 'ask_user' && !attended ? nobodyToAsk(verdict) : verdict;

/** Last, so that it takes back whatever anybody allowed, or a grant would; a deny of policy is told as such. */
const hookDenies: Turn = (verdict, { advice }) =>
  advice?.decision === 'deny' && (verdict.decision !== 'deny' || verdict.because === 'unattended')
    ? byHook(advice)
    : verdict;

const TURNS: readonly Turn[] = [
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
