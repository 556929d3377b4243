import { setTimeout as sleep } from 'node:timers/promises';
import { checkRound } from './check-round.mjs';
import { TICKS } from './kill-points.mjs';
import { Stuck } from './program.mjs';
import { Scene } from './scene.mjs';

/** @typedef {import('./round-plan.mjs').RoundPlan} RoundPlan */
/** @typedef {import('./program.mjs').Running} Running */
/** @typedef {import('./scene.mjs').Listed} Listed */
/** @typedef {import('./inside/die-at.mjs').Death} Death */

/**
 * @typedef {{
 *   plan: RoundPlan,
 *   violations: readonly import('./check-round.mjs').Violation[],
 *   evidence: import('./check-round.mjs').Evidence,
 *   kills: number,
 *   ms: number,
 *   files: string | null,
 * }} RoundResult
 */

/** Each time round, at least one question is answered or one owner comes to its end. */
const RECOVERY_STEPS_MAX = 12;

/** Play a round: a batch, a kill, the mending, and what all of it proves. @returns {Promise<RoundResult>} */
export async function playRound(/** @type {RoundPlan} */ plan) {
  const beganAt = performance.now();
  const scene = new Scene(plan);
  /** @type {string | null} */
  let stuck = null;
  try {
    await upToTheKill(scene, plan);
    await scene.look('after the kill');
    await recover(scene, plan);
    await scene.look('at the end');
  } catch (error) {
    if (!(error instanceof Stuck)) {
      const why = error instanceof Error ? error.message : String(error);
      const files = await scene.close('keep');
      throw new Error(`Round ${plan.index} of seed ${plan.seed} broke off: ${why} (files: ${files})`, {
        cause: error,
      });
    }
    stuck = error.message;
  }
  const evidence = await gather(scene, plan, stuck);
  const violations = checkRound(evidence);
  const { kills } = scene;
  const directory = await scene.close(violations.length > 0 ? 'keep' : 'remove');
  const files = violations.length > 0 ? directory : null;
  return { plan, violations, evidence, kills, ms: Math.round(performance.now() - beganAt), files };
}

/** @param {Scene} scene @param {RoundPlan} plan */
async function upToTheKill(scene, plan) {
  const { choice } = plan;
  const death = 'death' in choice ? choice.death : null;
  switch (plan.point.stage) {
    case 'start': {
      const owner = scene.begin(death);
      killFromOutside(owner, plan);
      await owner.ended();
      return;
    }
    case 'answer': {
      const owner = scene.begin(death);
      await allAsked(owner);
      killFromOutside(owner, plan);
      await answerTwice(scene, plan, await scene.waiting(), plan.answeredFirst, null);
      await owner.ended();
      return;
    }
    case 'client': {
      const owner = scene.begin(null);
      await allAsked(owner);
      await answerTwice(scene, plan, await scene.waiting(), plan.answeredFirst, 'first client');
      owner.kill();
      await owner.ended();
      return;
    }
    case 'takeover': {
      const owner = scene.begin(null);
      await allAsked(owner);
      owner.kill();
      await owner.ended();
      const waiting = await scene.look('after the owner died');
      await answerTwice(scene, plan, waiting, plan.answeredFirst, 'every client');
      return;
    }
    case 'reopen': {
      const { before = null } = plan.point;
      const first = scene.begin(before);
      if (!before) {
        await allAsked(first);
        first.kill();
      }
      await first.ended();
      await scene.look('after the first owner died');
      const second = await scene.resume(death);
      killFromOutside(second, plan);
      await second.ended();
      return;
    }
    case 'storm':
      if ('each' in choice) await storm(scene, plan, choice.each);
  }
}

/**
 * Kill after kill, whatever is running; and meanwhile people answer.
 * @param {Scene} scene @param {RoundPlan} plan @param {readonly number[]} delaysMs
 */
async function storm(scene, plan, delaysMs) {
  for (const delayMs of delaysMs) {
    const owner = await scene.resume(null);
    const striking = Promise.race([sleep(delayMs), owner.ended()]).then(() => owner.kill());
    const answering = sleep(delayMs / 2).then(async () =>
      answerTwice(scene, plan, await scene.waiting(), plan.answeredFirst, null),
    );
    await Promise.all([striking, answering]);
    await owner.ended();
    await scene.look('after a kill of the storm');
  }
}

/** Answer what waits until nothing does, with an owner at hand or without, then let what is open come to its end. */
async function recover(/** @type {Scene} */ scene, /** @type {RoundPlan} */ plan) {
  /** @type {Running | null} */
  let owner = null;
  for (let step = 0; step < RECOVERY_STEPS_MAX; step++) {
    if (owner?.exit) owner = null;
    const waiting = await scene.waiting();
    const needsOwner = plan.recovery === 'resume' || waiting.length === 0;
    if (!owner && needsOwner) {
      if (waiting.length === 0 && isOver(await scene.journal())) return;
      owner = await scene.resume(null);
      await allAsked(owner);
      continue;
    }
    if (waiting.length === 0) await owner?.ended();
    else await answerTwice(scene, plan, waiting, TICKS, null);
  }
  throw new Stuck(`${RECOVERY_STEPS_MAX} steps were not enough to bring the round to its end`);
}

/** Whether the batch was taken in and is done with. */
function isOver(/** @type {readonly import('@countersign/protocol').Event[]} */ journal) {
  return journal.some(({ type }) => type === 'turn.ended');
}

/** Every question has been asked, or is no longer needed. */
async function allAsked(/** @type {Running} */ owner) {
  await owner.until('every question is asked', () => {
    if (owner.exit) return true;
    const asked = new Set(
      owner.told.flatMap(({ event }) => (event.type === 'call.asked' ? [event.callId] : [])),
    );
    return TICKS.every((id) => asked.has(id));
  });
}

function killFromOutside(/** @type {Running} */ owner, /** @type {RoundPlan} */ { choice }) {
  if (!('outside' in choice)) return;
  const { after, delayMs } = choice.outside;
  const strike = () => void setTimeout(() => owner.kill(), delayMs);
  if (after === 'spawn') strike();
  else owner.onText(after, strike);
}

/**
 * Two people answer each of these questions at the same time.
 * @param {Scene} scene @param {RoundPlan} plan @param {readonly Listed[]} waiting @param {readonly string[]} callIds
 * @param {'first client' | 'every client' | null} victim who of them the kill point is for
 */
async function answerTwice(scene, plan, waiting, callIds, victim) {
  const questions = waiting.filter(({ callId }) => callIds.includes(callId));
  const death = victim && 'death' in plan.choice ? plan.choice.death : null;
  let victims = victim === 'first client' ? 1 : Number.POSITIVE_INFINITY;
  /** @type {Promise<unknown>[]} */
  const answering = [];
  for (const question of questions) {
    const [alice, bob] = plan.sayings[question.callId] ?? ['cancel', 'cancel'];
    for (const [who, outcome] of /** @type {const} */ ([
      ['alice', alice],
      ['bob', bob],
    ])) {
      const isVictim = victim !== null && victims-- > 0;
      const client = scene.answer(question, outcome, who, isVictim ? death : null);
      if (isVictim) killFromOutside(client, plan);
      answering.push(client.ended());
    }
    if (plan.answering === 'one by one') await Promise.all(answering);
    else if (plan.staggerMs > 0) await sleep(plan.staggerMs);
  }
  await Promise.all(answering);
}

/** @param {Scene} scene @param {RoundPlan} plan @param {string | null} stuck @returns {Promise<import('./check-round.mjs').Evidence>} */
async function gather(scene, plan, stuck) {
  // In a round that is stuck, something may still run and change things under our eyes.
  await scene.endAll();
  return {
    calls: plan.calls.map(({ id, name }) => ({ callId: id, tool: name })),
    wasReached: isReached(scene, plan),
    stuck,
    workspace: scene.workspace,
    journal: await scene.journal(),
    world: scene.world(),
    callRows: await scene.callRows(),
    looks: scene.looks,
    owners: scene.owners.map(({ title, told, results, exit, stderr }) => ({
      title,
      told,
      results,
      exit,
      stderr,
    })),
    clients: scene.clients.map(({ callId, by, outcome, process: { exit, ack, stderr } }) => ({
      callId,
      by,
      outcome,
      exit,
      ack,
      stderr,
    })),
  };
}

/** A round whose kill never came proves nothing. */
function isReached(/** @type {Scene} */ scene, /** @type {RoundPlan} */ { choice }) {
  if (!('death' in choice)) return scene.kills > 0;
  const wanted = JSON.stringify(choice.death);
  return scene.deaths().some((death) => JSON.stringify(death) === wanted);
}
