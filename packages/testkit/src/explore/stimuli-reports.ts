import type { NewCall, PlanOutcome } from '@countersign/kernel';
import type { Failure, ToolOutcome } from '@countersign/protocol';
import { AT, BAD_PLAN, hookSayings, planned, type Stimuli } from './stimuli-answers.js';
import type { Moment } from './world/moment.js';
import type { SeenCall } from './world/seen.js';
import { basisIn, NEED, targetIn } from './world/truth.js';
import { type World, type WorldCall, call as worldCall } from './world/world.js';

/** Work under way ends, one way or another; abandoned work is reported too. */
export function addReports(
  found: Stimuli,
  { happens }: World,
  { session, work }: Moment,
  call: SeenCall,
): void {
  addPlans(found, happens, session.calls.get(call.callId)?.request.revision ?? 0, work, call);
  addRuns(found, happens, call);
  addHooksEnded(found, happens, call);
}

function addPlans(
  found: Stimuli,
  happens: World['happens'],
  revision: number,
  work: Moment['work'],
  call: SeenCall,
): void {
  const { callId, turn } = call;
  const outcome = planned(call, 'first');
  const plan = { type: 'plan.ended', callId, turn, revision, outcome, hooked: null, at: AT } as const;
  if (!work.some((effect) => effect.callId === callId && effect.do === 'plan-call')) return found.add(plan);
  for (const at of happens.times) found.add({ ...plan, at }, 'fair');
  for (const how of happens.plans) {
    if (how !== 'fails' && call.plans >= happens.plansMax) continue;
    found.add({ ...plan, outcome: how === 'fails' ? BAD_PLAN : planned(call, how) });
  }
  for (const hooked of hookSayings(call, happens)) {
    const target = hooked.rewritten ? targetIn(hooked.rewritten.args) : call.target;
    found.add({ ...plan, outcome: planned({ ...call, target }, 'first'), hooked });
    if (hooked.rewritten && happens.plans.includes('fails'))
      found.add({ ...plan, outcome: BAD_PLAN, hooked });
  }
  found.add({ ...plan, revision: revision - 1 });
  found.add({ ...plan, revision: revision + 1 });
  found.add({ ...plan, turn: turn - 1 });
}

function addRuns(found: Stimuli, happens: World['happens'], call: SeenCall): void {
  const { callId, turn } = call;
  const attempt = call.running ?? Math.max(1, call.starts);
  const run = {
    type: 'tool.ended',
    callId,
    turn,
    attempt,
    outcome: DONE,
    widened: null,
    complete: false,
    at: AT,
  } as const;
  if (call.running === null) return found.add(run);
  found.add(run, 'fair');
  if (call.stopped) found.add({ ...run, complete: true });
  for (const how of happens.runs) {
    const isBlocked = how !== 'fails' && how !== 'fails for now';
    const blocks = call.plan?.needs?.length ?? 0;
    if (isBlocked && blocks >= happens.blocksMax) continue;
    const widened = isBlocked ? widenedPlan(call, how, blocks + 1) : null;
    found.add({ ...run, outcome: { ok: false, failure: FAILURES[how], partial: null }, widened });
  }
  found.add({ ...run, attempt: attempt - 1 });
  found.add({ ...run, attempt: attempt + 1 });
  found.add({ ...run, turn: turn - 1 });
}

function widenedPlan(
  call: SeenCall,
  how: 'blocked' | 'blocked, moved' | 'blocked, unplanned',
  blocks: number,
): PlanOutcome {
  switch (how) {
    case 'blocked':
      return planned(call, basisIn(call.plan?.digest ?? ''), blocks);
    case 'blocked, moved':
      return planned(call, 'moved', blocks);
    case 'blocked, unplanned':
      return BAD_PLAN;
  }
}

/** Hooks report a result, whether or not they were shown anything. */
function addHooksEnded(found: Stimuli, happens: World['happens'], call: SeenCall): void {
  const { callId, turn, starts: attempt, finished } = call;
  const ended = {
    type: 'hooks.ended',
    callId,
    turn,
    attempt,
    outcome: null,
    followUp: null,
    notes: [],
    at: AT,
  } as const;
  if (!finished) return found.add(ended);
  found.add(ended, 'fair');
  for (const how of happens.replacements) found.add({ ...ended, outcome: REPLACEMENTS[how] });
  if (call.depth < happens.followUpsMax) {
    for (const words of happens.followUps) {
      const followUp = newCall(asked(`${wireIdOf(callId)} ${words}`));
      found.add({ ...ended, followUp });
      for (const how of happens.replacements) found.add({ ...ended, followUp, outcome: REPLACEMENTS[how] });
    }
  }
  found.add({ ...ended, attempt: attempt - 1 });
  found.add({ ...ended, attempt: attempt + 1 });
  found.add({ ...ended, turn: turn - 1 });
}

/** A call that follows another goes under that one's id, which is still in use. */
const wireIdOf = (callId: string): string => callId.split('~')[0] ?? callId;

function asked(words: string): WorldCall {
  const followUp = worldCall(words);
  return followUp.tool === 'broken' ? { ...followUp, tool: 'think', broken: true } : followUp;
}

const DONE: ToolOutcome = { ok: true, result: { llmContent: 'done', returnDisplay: '' } };
const FAILED: Failure = { code: 'execution_failed', message: '' };
const BLOCKED: Failure = { code: 'sandbox_denied', need: NEED, exitCode: 1 };
const FAILURES: { readonly [how in World['happens']['runs'][number]]: Failure } = {
  fails: FAILED,
  'fails for now': { code: 'temporary', message: '' },
  blocked: BLOCKED,
  'blocked, moved': BLOCKED,
  'blocked, unplanned': BLOCKED,
};
const REPLACEMENTS: { readonly [how in World['happens']['replacements'][number]]: ToolOutcome } = {
  good: { ok: true, result: { llmContent: 'as a hook has it', returnDisplay: '' } },
  bad: {
    ok: false,
    failure: { code: 'hook_denied', hook: 'h', reason: '' },
    partial: { output: 'done', mayHaveHappened: true },
  },
};

export const newCall = ({ id, tool, target, waitForPrevious, broken }: WorldCall): NewCall => ({
  wireId: id,
  name: tool,
  args: { target },
  argsHash: `${tool} ${target}`,
  origin: 'model',
  promptId: '',
  waitForPrevious,
  calledAs: null,
  failure: broken ? { code: 'tool_not_registered', name: tool, nearest: [] } : null,
});
