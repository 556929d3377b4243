import type { Fresh, Input, NewCall, PlanOutcome } from '@countersign/kernel';
import { type AnswerPayload, type Failure, OUTCOMES, type Outcome } from '@countersign/protocol';
import { isCommitted, type Moment, type Stimulus } from './moment.js';
import { isOver, type Seen, type SeenCall } from './seen.js';
import { type Basis, type PlannedCall, planOf } from './truth.js';
import type { Batch, World } from './world.js';

/** Everything that can happen at a moment, sensible or not. */
export function stimuliAt(world: World, moment: Moment): readonly Stimulus[] {
  const { seen } = moment;
  const found = new Stimuli();
  if (seen.epoch === 0) {
    found.add({ type: 'open', workspace: '/w', mode: world.mode, policyHash: seen.policy, at: AT });
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

/** Time mostly stands still: it may change no order, so it need not multiply the states. */
const AT = 1_000;

class Stimuli {
  readonly all: Stimulus[] = [];
  add(input: Stimulus['input'], how: 'fair' | 'any' = 'any'): void {
    this.all.push({ input, fair: how === 'fair' });
  }
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
    found.add({ type: 'open', workspace: '/w', mode: null, policyHash: seen.policy, at: AT });
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
  const { callId } = call;
  const revision = session.calls.get(callId)?.request.revision ?? 0;
  const planning = work.some((effect) => effect.callId === callId && effect.do === 'plan-call');
  if (planning) {
    for (const at of happens.times) {
      found.add({ type: 'plan.ended', callId, revision, outcome: planned(call, 'first'), at }, 'fair');
    }
    for (const how of happens.plans) {
      if (how !== 'fails' && call.plans >= happens.plansMax) continue;
      const outcome = how === 'fails' ? BAD_PLAN : planned(call, how);
      found.add({ type: 'plan.ended', callId, revision, outcome, at: AT });
    }
  }
  for (const stamp of planning ? [revision - 1, revision + 1] : [revision]) {
    found.add({ type: 'plan.ended', callId, revision: stamp, outcome: planned(call, 'first'), at: AT });
  }

  const attempt = call.running ?? Math.max(1, call.starts);
  if (call.running !== null) {
    found.add({ type: 'tool.ended', callId, attempt, outcome: DONE, at: AT }, 'fair');
    for (const how of happens.runs) {
      const failure = how === 'fails' ? FAILED : FAILED_FOR_NOW;
      found.add({
        type: 'tool.ended',
        callId,
        attempt,
        outcome: { ok: false, failure, partial: null },
        at: AT,
      });
    }
  }
  for (const stamp of call.running === null ? [attempt] : [attempt - 1, attempt + 1]) {
    found.add({ type: 'tool.ended', callId, attempt: stamp, outcome: DONE, at: AT });
  }
}

const DONE = { ok: true, result: { llmContent: 'done', returnDisplay: '' } } as const;
const FAILED: Failure = { code: 'execution_failed', message: '' };
const FAILED_FOR_NOW: Failure = { code: 'temporary', message: '' };
const BAD_PLAN: PlanOutcome = { ok: false, failure: { code: 'invalid_tool_params', name: '', problems: [] } };

const planned = (call: PlannedCall, basis: Basis): PlanOutcome => ({ ok: true, ...planOf(call, basis) });

function addAnswers(found: Stimuli, { happens }: World, call: SeenCall): void {
  const { callId, answer, shown } = call;
  if (answer) return addSecondAnswers(found, call, answer);
  if (isOver(call) || call.status !== 'awaiting_approval' || !shown) {
    // Not asked, not asked any more, or about to be asked something else.
    found.add(answerTo(call, { digest: call.plan?.digest ?? 'none' }));
    found.add(modifyTo(callId, call.plan?.digest ?? 'none', 'f'));
    return;
  }
  const { digest, offers } = shown;
  const basis = basisIn(digest);
  const same: Fresh = { type: 'planned', outcome: planned(call, basis) };

  for (const key of happens.keys) found.add(answerTo(call, { digest, outcome: 'cancel', key }), 'fair');
  for (const outcome of OUTCOMES) {
    if (!offers.has(outcome) || outcome === 'modify_with_editor')
      found.add(answerTo(call, { digest, outcome }));
  }
  for (const outcome of happens.answers) {
    const grants = offers.get(outcome);
    if (grants === undefined) continue;
    const limits = grants ? happens.uses : [null];
    for (const key of happens.keys) {
      for (const uses of limits) {
        const payload = uses === null ? {} : { uses };
        found.add(answerTo(call, { digest, outcome, key, fresh: same, payload }));
      }
    }
    if (grants && happens.badUses)
      found.add(answerTo(call, { digest, outcome, fresh: same, payload: { uses: 0 } }));
  }
  for (const stale of staleDigests(call, digest)) {
    found.add(answerTo(call, { digest: stale }));
    found.add(answerTo(call, { digest: stale, outcome: 'cancel' }));
    found.add(modifyTo(callId, stale, 'f'));
  }
  addChanges(found, happens, call, digest, basis);
}

/** The world changed since the question was asked, or a person changes what it is about. */
function addChanges(
  found: Stimuli,
  happens: World['happens'],
  call: SeenCall,
  digest: string,
  basis: Basis,
): void {
  const { callId } = call;
  const mayChange = call.plans < happens.plansMax;
  for (const look of happens.looks) {
    if (look === 'skipped') found.add(answerTo(call, { digest, fresh: { type: 'unchanged' } }));
    else if (look === 'fails')
      found.add(answerTo(call, { digest, fresh: { type: 'planned', outcome: BAD_PLAN } }));
    else if (mayChange && look !== basis) {
      found.add(answerTo(call, { digest, fresh: { type: 'planned', outcome: planned(call, look) } }));
    }
  }
  if (!mayChange) return;
  for (const target of happens.edits) if (target !== call.target) found.add(modifyTo(callId, digest, target));
  for (const target of happens.rewrites) {
    const args = { args: { target }, argsHash: `${call.tool} ${target}` };
    const fresh: Fresh = { type: 'rewritten', ...args, outcome: planned({ ...call, target }, 'first') };
    found.add(answerTo(call, { digest, fresh }));
    found.add(answerTo(call, { digest, fresh: { ...fresh, outcome: BAD_PLAN } }));
    found.add(answerTo(call, { digest, fresh, outcome: 'proceed_always' }));
  }
}

function addSecondAnswers(found: Stimuli, call: SeenCall, first: NonNullable<SeenCall['answer']>): void {
  const { outcome, digest, key, by } = first;
  found.add(answerTo(call, { outcome, digest, key, by }));
  found.add(answerTo(call, { outcome, digest, key: 'k2', by }));
  found.add(answerTo(call, { outcome, digest, key: null, by: 'bob' }));
  found.add(
    answerTo(call, { outcome: outcome === 'cancel' ? 'proceed_once' : 'cancel', digest, key: null, by }),
  );
  found.add(modifyTo(call.callId, digest, 'f'));
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

type Said = {
  readonly digest: string;
  readonly outcome?: Outcome;
  readonly key?: string | null;
  readonly by?: string;
  readonly fresh?: Fresh;
  readonly payload?: AnswerPayload;
};

function answerTo({ callId }: { readonly callId: string }, said: Said): Input {
  const {
    digest,
    outcome = 'proceed_once',
    key = 'k1',
    by = 'ann',
    fresh = { type: 'unchanged' },
    payload = {},
  } = said;
  return {
    type: 'answer',
    callId,
    digest,
    outcome,
    payload,
    by,
    key,
    fresh,
    grantId: `grant by ${digest}`,
    at: AT,
  };
}

const modifyTo = (callId: string, digest: string, target: string): Input => ({
  type: 'modify',
  callId,
  digest,
  args: { target },
  argsHash: target,
  by: 'ann',
  at: AT,
});

const cancelOf = (target: Extract<Input, { type: 'cancel' }>['target']): Input => ({
  type: 'cancel',
  target,
  by: 'cy',
  at: AT,
});

const BASES: readonly Basis[] = ['first', 'changed', 'moved'];

const basisIn = (digest: string): Basis => BASES.find((basis) => digest.endsWith(`#${basis}`)) ?? 'first';

/** Digests that were true once, or are true of something else. */
const staleDigests = (call: SeenCall, digest: string): readonly string[] => [
  ...BASES.map((basis) => planOf(call, basis).plan.digest).filter((other) => other !== digest),
  planOf({ ...call, target: `${call.target}f` }, 'first').plan.digest,
];
