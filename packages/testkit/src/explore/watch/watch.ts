import type { Input } from '@countersign/kernel';
import type { Findings } from '../world/properties.js';
import type { Scene } from '../world/scene.js';
import { isOver, type Seen, type SeenAnswer, type SeenCall, Watching } from '../world/seen.js';
import { watchFact, watchWish } from './watch-facts.js';
import { watchLooking, watchReported } from './watch-hooks.js';
import { watchKept, watchStart, watchWaiting } from './watch-start.js';

/** Follow a step from outside, object to what may not be, and know more afterwards. */
export function watch(scene: Scene, findings: Findings): Seen {
  const watching = new Watching(scene.before);
  watchInput(watching, scene);
  for (const fact of scene.facts) watchFact(watching, fact, scene.input, findings);
  if (scene.input.type === 'call') watchBroken(watching, scene.input, findings);
  if (scene.input.type === 'cancel') watchStopping(watching, scene, findings);
  if (scene.input.type === 'hooks.ended') watchWish(watching, scene.input, scene.facts, findings);
  watchReported(watching, scene, findings);
  watchWork(watching, scene, findings);
  if (scene.input.type === 'open') watchKept(watching, findings);
  watchLooking(watching, scene, findings);
  watchWaiting(watching, scene, findings);
  return watching.seen();
}

/** What the input itself tells: what people said and were not refused, and what happened in the world. */
function watchInput(watching: Watching, { input, reply }: Scene): void {
  const accepted = reply.refusal === null && !reply.repeated;
  switch (input.type) {
    case 'open':
      if (!accepted) return;
      breakOff(watching);
      // Whatever ran, ran in the process that is gone; but what can be found again continues without it.
      for (const call of watching.calls.values())
        if (call.plan?.repeat !== 'resumable') watching.change(call, { running: null });
      return;
    case 'call':
      if (accepted) watching.batches++;
      return;
    case 'tool.ended': {
      const call = watching.calls.get(input.callId);
      if (call?.running === input.attempt) watching.change(call, { running: null });
      return;
    }
    case 'answer': {
      const call = watching.calls.get(input.callId);
      if (call && accepted) watching.change(call, { answer: answerIn(input), agreed: agreedTo(input) });
      return;
    }
    case 'cancel':
      if (accepted) for (const call of targetsOf(watching, input)) watching.change(call, { stopped: true });
      return;
    case 'revoke-grant':
      if (accepted) loseGrants(watching, [input.grantId]);
      return;
    case 'grants-gone':
      loseGrants(watching, input.grantIds);
      return;
    case 'stream.broke':
      if (accepted) breakOff(watching);
      return;
    case 'nested.call':
    case 'nested.withdrawn':
    case 'stream.call':
    case 'stream.ended':
    case 'say':
    case 'compress':
    case 'mask':
    case 'plan.ended':
    case 'hooks.ended':
    case 'modify':
    case 'set-mode':
      return;
  }
}

/** What a model did not say to its end is not carried out: its calls are as good as cancelled. */
function breakOff(watching: Watching): void {
  for (const call of watching.calls.values())
    if (call.turn === watching.stream?.turn && !isOver(call)) watching.change(call, { stopped: true });
}

const answerIn = ({ by, outcome, digest, key, at }: Extract<Input, { type: 'answer' }>): SeenAnswer => ({
  by,
  outcome,
  digest,
  key,
  at,
});

/** The digest of what the person agreed to: what was shown, or what they made of it. */
function agreedTo({ outcome, digest, fresh }: Extract<Input, { type: 'answer' }>): string | null {
  if (outcome === 'cancel') return null;
  if (fresh.type !== 'rewritten') return digest;
  return fresh.outcome.ok ? fresh.outcome.plan.digest : null;
}

function targetsOf(watching: Watching, { target }: Extract<Input, { type: 'cancel' }>): SeenCall[] {
  const open = [...watching.calls.values()].filter((call) => !isOver(call));
  switch (target.type) {
    case 'call':
      return open.filter(({ callId }) => callId === target.callId);
    case 'turn':
      return open.filter(({ turn }) => turn === target.turn);
    case 'all':
      return open;
  }
}

function loseGrants(watching: Watching, ids: readonly string[]): void {
  for (const id of ids) {
    const grant = watching.grants.get(id);
    if (grant) watching.setGrant(id, { ...grant, gone: true });
  }
}

/** Calls that the shell knew to be wrong; found by their place, since their ids may have been changed. */
function watchBroken(
  watching: Watching,
  { calls }: Extract<Input, { type: 'call' }>,
  findings: Findings,
): void {
  const turn = watching.turns.at(-1)?.turn;
  for (const call of watching.calls.values()) {
    if (call.turn !== turn || !calls[call.index]?.failure) continue;
    findings.hold('broken', call.status === 'error', () => `${call.callId} is ${call.status}`);
  }
}

/** What was told to stop is over, or its tool has been told. */
function watchStopping(watching: Watching, { before, work }: Scene, findings: Findings): void {
  for (const call of watching.calls.values()) {
    if (!call.stopped || before.calls.get(call.callId)?.stopped) continue;
    const told = work.some(
      (effect) => effect.callId === call.callId && effect.do !== 'plan-call' && effect.stop,
    );
    const isAtWork = call.running !== null || call.finished !== null;
    const holds = isAtWork ? told && call.status === 'executing' : call.status === 'cancelled';
    findings.hold('stop', holds, () => `${call.callId} is ${call.status} after being cancelled`);
  }
}

/** The shell makes the world equal to what is wanted: tools start, and none is forgotten. */
function watchWork(watching: Watching, scene: Scene, findings: Findings): void {
  const oldest = watching.turns[0]?.turn;
  for (const effect of scene.work) {
    const call = watching.calls.get(effect.callId);
    findings.hold(
      'settled',
      call !== undefined && !isOver(call),
      () => `${effect.do} for ${effect.callId}, which is over`,
    );
    if (!call) continue;
    findings.hold(
      'queue',
      call.turn === oldest,
      () => `${effect.do} for ${call.callId} of turn ${call.turn}, before ${oldest}`,
    );
    if (effect.do !== 'run-tool') continue;
    if (call.running !== effect.stamp) watchStart(watching, call, effect.stamp, scene, findings);
    const fromBefore = watching.calls.get(call.callId)?.startedIn !== watching.epoch;
    const how = effect.resume ? 'taken up' : 'begun';
    findings.hold('resumed', effect.resume === fromBefore, () => `${call.callId} is ${how}`);
  }
  for (const call of watching.calls.values()) {
    if (call.running === null) continue;
    const kept = scene.work.some(
      (effect) => effect.do === 'run-tool' && effect.callId === call.callId && effect.stamp === call.running,
    );
    findings.hold('truthful', kept, () => `${call.callId} was given up while its tool was at work`);
  }
}
