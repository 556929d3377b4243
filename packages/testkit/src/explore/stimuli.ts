import type { Input, PlanOutcome } from '@countersign/kernel';
import type { ModelMessage, SessionSetup } from '@countersign/protocol';
import { AT, addAnswers, answerTo, modifyTo, Stimuli } from './stimuli-answers.js';
import { addReports, newCall } from './stimuli-reports.js';
import { isCommitted, type Moment, type Stimulus } from './world/moment.js';
import type { Seen, SeenCall } from './world/seen.js';
import { basisIn, planOf } from './world/truth.js';
import type { Batch, World } from './world/world.js';

/** What every process that may resume the session has loaded. */
const SETUP: SessionSetup = {
  policies: [{ path: '/rules.toml', hash: 'h' }],
  tools: [{ path: '/tools.mjs', hash: 'h' }],
  sandbox: 'on',
};

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
      setup: SETUP,
      goneGrants: [],
      replanned: new Map(),
      at: AT,
    });
    return found.all;
  }
  addBatches(found, world, seen);
  if (seen.batches === 0 && seen.stream === null) return found.all;
  addProcess(found, world, moment);
  for (const call of seen.calls.values()) {
    addReports(found, world, moment, call);
    addAnswers(found, world, call);
  }
  addCancels(found, world, seen);
  addTalk(found, world.happens);
  addUnknowns(found);
  return found.all;
}

function addBatches(found: Stimuli, world: World, seen: Seen): void {
  const next = world.batches[seen.batches];
  if (next?.comes === 'streamed') addStream(found, next, seen);
  else if (next) found.add(handIn(next, 'queue'));
  const again = next ?? world.batches[0];
  if (again && seen.turns.length > 0) found.add(handIn(again, 'reject'));
}

/** A model speaks: its calls come, and it ends or breaks off at any time. */
function addStream(found: Stimuli, { calls, start, attended }: Batch, { stream, calls: seen }: Seen): void {
  const next = calls[stream?.came ?? 0];
  const turn = stream?.turn ?? null;
  const planned = new Map(
    [...seen.values()].flatMap((call) =>
      call.turn === turn && call.plan
        ? [[call.callId, planOf(call, basisIn(call.plan.digest))] as const]
        : [],
    ),
  );
  const speaks = { turn, start, attended, at: AT } as const;
  const ended = { ...speaks, type: 'stream.ended', calls: [], message: SPOKEN, planned } as const;
  if (next) {
    const call = newCall(next);
    found.add({ ...speaks, type: 'stream.call', call });
    found.add({ ...speaks, type: 'stream.call', call, turn: 99 });
    found.add({ ...ended, calls: [call] });
    found.add({ ...ended, calls: [call], turn: 99 });
  }
  if (turn === null) return;
  found.add(ended, 'fair');
  found.add({ ...ended, planned: new Map() });
  found.add({ ...ended, turn: 99 });
  found.add({ type: 'stream.broke', turn, by: 'cy', at: AT });
  found.add({ type: 'stream.broke', turn: 99, by: 'cy', at: AT });
}

const SPOKEN: ModelMessage = {
  role: 'model',
  parts: [],
  model: 'm',
  usage: null,
  finish: 'STOP',
  turn: null,
  promptId: '',
};

function addTalk(found: Stimuli, { talk }: World['happens']): void {
  for (const what of talk) {
    switch (what) {
      case 'said':
        found.add({ type: 'say', message: { role: 'user', parts: [], by: 'ann', promptId: '' }, at: AT });
        break;
      case 'compressed':
        found.add({ type: 'compress', summary: '', keptFrom: 1, usage: null, at: AT });
        break;
      case 'masked':
        found.add({ type: 'mask', throughTurn: 1, at: AT });
    }
  }
}

function handIn({ calls, start, attended }: Batch, whenBusy: 'queue' | 'reject'): Input {
  return { type: 'call', calls: calls.map(newCall), start, attended, whenBusy, at: AT };
}

function addProcess(found: Stimuli, { happens, epochsMax, commit }: World, moment: Moment): void {
  const { seen } = moment;
  const written = isCommitted(moment);
  if (commit === 'many' && !written) found.add('commit');
  if (written && seen.epoch < epochsMax) {
    const goneGrants = [...seen.grants].flatMap(([id, { gone }]) => (gone ? [id] : []));
    const taken = {
      type: 'open',
      workspace: '/w',
      mode: null,
      policyHash: seen.policy,
      setup: SETUP,
    } as const;
    const replanned = new Map([...seen.calls.values()].flatMap(plannedAgain));
    found.add({ ...taken, goneGrants, replanned, at: AT });
    if (replanned.size > 0) found.add({ ...taken, goneGrants, replanned: new Map(), at: AT });
    found.add({ ...taken, setup: null, goneGrants, replanned, at: AT });
    found.add({ ...taken, setup: { ...SETUP, sandbox: 'off' }, goneGrants, replanned, at: AT });
  }
  for (const mode of happens.modes) found.add({ type: 'set-mode', mode, by: 'mo', at: AT });
  for (const rules of happens.policies) if (rules !== seen.policy) found.add({ rules });
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

/** What another process finds when it looks at a call that was granted and has not started. */
function plannedAgain(call: SeenCall): readonly (readonly [string, PlanOutcome])[] {
  const { status, callId, plan } = call;
  if (status !== 'scheduled' || !plan) return [];
  return [[callId, { ok: true, ...planOf(call, basisIn(plan.digest), plan.needs?.length ?? 0) }]];
}

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
