import type { Input, NewCall } from '@countersign/kernel';
import type { Failure } from '@countersign/protocol';
import { isCommitted, type Moment, type Stimulus } from './moment.js';
import type { Seen, SeenCall } from './seen.js';
import { AT, addAnswers, answerTo, BAD_PLAN, modifyTo, planned, Stimuli } from './stimuli-answers.js';
import type { Batch, World } from './world.js';

/** Everything that can happen at a moment, sensible or not. */
export function stimuliAt(world: World, moment: Moment): readonly Stimulus[] {
  const { seen } = moment;
  const found = new Stimuli();
  if (seen.epoch === 0) {
    found.add({
      type: 'open',
      workspace: '/w',
      mode: world.mode,
      policyHash: seen.policy,
      goneGrants: [],
      at: AT,
    });
    return found.all;
  }
  addBatches(found, world, seen);
  if (seen.batches === 0) return found.all;
  addProcess(found, world, moment);
  for (const call of seen.calls.values()) {
    addReports(found, world, moment, call);
    addAnswers(found, world, call);
  }
  addCancels(found, world, seen);
  addUnknowns(found);
  return found.all;
}

function addBatches(found: Stimuli, world: World, seen: Seen): void {
  const next = world.batches[seen.batches];
  if (next) found.add(handIn(next, 'queue'));
  const again = next ?? world.batches[0];
  if (again && seen.turns.length > 0) found.add(handIn(again, 'reject'));
}

function handIn({ calls, start, attended }: Batch, whenBusy: 'queue' | 'reject'): Input {
  const wanted = calls.map(
    ({ id, tool, target, waitForPrevious, broken }): NewCall => ({
      wireId: id,
      name: tool,
      args: { target },
      argsHash: `${tool} ${target}`,
      origin: 'model',
      promptId: '',
      waitForPrevious,
      calledAs: null,
      failure: broken ? { code: 'tool_not_registered', name: tool, nearest: [] } : null,
    }),
  );
  return { type: 'call', calls: wanted, start, attended, whenBusy, at: AT };
}

function addProcess(found: Stimuli, { happens, epochsMax, commit }: World, moment: Moment): void {
  const { seen } = moment;
  const written = isCommitted(moment);
  if (commit === 'many' && !written) found.add('commit');
  if (written && seen.epoch < epochsMax) {
    const goneGrants = [...seen.grants].flatMap(([id, { gone }]) => (gone ? [id] : []));
    found.add({ type: 'open', workspace: '/w', mode: null, policyHash: seen.policy, goneGrants, at: AT });
  }
  for (const mode of happens.modes) found.add({ type: 'set-mode', mode, by: 'mo', at: AT });
  for (const hash of happens.policies) if (hash !== seen.policy) found.add({ type: 'policy', hash, at: AT });
  if (happens.revokes.includes('here')) {
    for (const grantId of [...seen.grants.keys(), 'nonesuch']) {
      found.add({ type: 'revoke-grant', grantId, by: 'rex', at: AT });
    }
  }
  if (happens.revokes.includes('elsewhere')) {
    for (const [grantId, { gone }] of seen.grants) {
      if (!gone) found.add({ type: 'grants-gone', grantIds: [grantId], at: AT });
    }
  }
}

function addReports(found: Stimuli, { happens }: World, { session, work }: Moment, call: SeenCall): void {
  const { callId, turn } = call;
  const revision = session.calls.get(callId)?.request.revision ?? 0;
  const plan = {
    type: 'plan.ended',
    callId,
    turn,
    revision,
    outcome: planned(call, 'first'),
    at: AT,
  } as const;
  if (work.some((effect) => effect.callId === callId && effect.do === 'plan-call')) {
    for (const at of happens.times) found.add({ ...plan, at }, 'fair');
    for (const how of happens.plans) {
      if (how !== 'fails' && call.plans >= happens.plansMax) continue;
      found.add({ ...plan, outcome: how === 'fails' ? BAD_PLAN : planned(call, how) });
    }
    found.add({ ...plan, revision: revision - 1 });
    found.add({ ...plan, revision: revision + 1 });
    found.add({ ...plan, turn: turn - 1 });
  } else found.add(plan);

  const attempt = call.running ?? Math.max(1, call.starts);
  const run = { type: 'tool.ended', callId, turn, attempt, outcome: DONE, at: AT } as const;
  if (call.running !== null) {
    found.add(run, 'fair');
    for (const how of happens.runs) {
      const failure = how === 'fails' ? FAILED : FAILED_FOR_NOW;
      found.add({ ...run, outcome: { ok: false, failure, partial: null } });
    }
    found.add({ ...run, attempt: attempt - 1 });
    found.add({ ...run, attempt: attempt + 1 });
    found.add({ ...run, turn: turn - 1 });
  } else found.add(run);
}

const DONE = { ok: true, result: { llmContent: 'done', returnDisplay: '' } } as const;
const FAILED: Failure = { code: 'execution_failed', message: '' };
const FAILED_FOR_NOW: Failure = { code: 'temporary', message: '' };
function addCancels(found: Stimuli, { happens }: World, seen: Seen): void {
  if (happens.cancels.includes('call')) {
    for (const callId of seen.calls.keys()) found.add(cancelOf({ type: 'call', callId }));
  }
  if (happens.cancels.includes('turn')) {
    for (const { turn } of seen.turns) found.add(cancelOf({ type: 'turn', turn }));
  }
  if (happens.cancels.includes('all')) found.add(cancelOf({ type: 'all' }));
}

function addUnknowns(found: Stimuli): void {
  found.add({ ...answerTo({ callId: 'nonesuch' }, { digest: 'none' }) });
  found.add(modifyTo('nonesuch', 'none', 'f'));
  found.add(cancelOf({ type: 'call', callId: 'nonesuch' }));
  found.add(cancelOf({ type: 'turn', turn: 99 }));
}

const cancelOf = (target: Extract<Input, { type: 'cancel' }>['target']): Input => ({
  type: 'cancel',
  target,
  by: 'cy',
  at: AT,
});
