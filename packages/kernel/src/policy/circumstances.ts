import type { Verdict } from '@countersign/protocol';
import { guardedPath, hasEffects, isWorkspaceEdit } from './effects.js';
import type { Subject } from './rule.js';
import { BY_MODE, guarded, nobodyToAsk, typedByPerson, UNJUDGED_COMMAND } from './verdicts.js';

/** What the circumstances need to know of the rules, besides the one that spoke. */
export type Heard = {
  readonly verdict: Verdict;
  /** Whether a rule that names plan mode allows the call. */
  readonly allowedInPlan: boolean;
  /** Whether a rule about commands might have stopped it. */
  readonly commandUnjudged: boolean;
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
  switch (mode) {
    case 'yolo':
      return BY_MODE.yolo;
    case 'auto_edit': {
      const mayYield = verdict.rule === null || verdict.rule.tier === 'default';
      return mayYield && isWorkspaceEdit(plan) ? BY_MODE.autoEdit : verdict;
    }
    case 'plan':
    case 'manual':
    case 'confirm_always':
      return verdict;
  }
};

const planModeReads: Turn = (verdict, { mode, plan }, { allowedInPlan }) =>
  mode === 'plan' && verdict.decision !== 'deny' && !allowedInPlan && hasEffects(plan)
    ? BY_MODE.plan
    : verdict;

const commandsAsk: Turn = (verdict, _, { commandUnjudged }) =>
  verdict.decision === 'allow' && commandUnjudged ? UNJUDGED_COMMAND : verdict;

const guardsAsk: Turn = (verdict, { plan, mode }) => {
  if (verdict.decision === 'deny') return verdict;
  const found = guardedPath(plan, mode);
  if (found === null) return verdict;
  const guard = guarded(found.path, found.why);
  // Whoever is asked anyway learns of the path as well.
  return verdict.rule !== null && verdict.decision === 'ask_user'
    ? { ...guard, rule: verdict.rule, reason: `${verdict.reason} ${guard.reason}` }
    : guard;
};

const confirmAlwaysAsks: Turn = (verdict, { mode }) =>
  mode === 'confirm_always' && verdict.decision !== 'deny' && verdict.because !== 'guard'
    ? BY_MODE.confirmAlways
    : verdict;

const personAnswers: Turn = (verdict, { origin }) =>
  verdict.decision === 'ask_user' && origin === 'person' ? typedByPerson(verdict) : verdict;

const absenceDenies: Turn = (verdict, { attended }) =>
  verdict.decision === 'ask_user' && !attended ? nobodyToAsk(verdict) : verdict;

const TURNS: readonly Turn[] = [
  modeLoosens,
  planModeReads,
  commandsAsk,
  guardsAsk,
  confirmAlwaysAsks,
  personAnswers,
  absenceDenies,
];
