import { checkAtRest } from './check-rest.js';
import { isWaiting } from './checks/people.js';
import type { Scene } from './scene.js';

/** More rounds than the longest run needs to end: every call has few attempts, every wait a limit. */
const ROUNDS_MAX = 400;

/**
 * Bring everything to its end: the journal works, people answer, tools finish,
 * time passes. After that every turn must be over and every promise kept.
 */
export async function windUp(scene: Scene): Promise<void> {
  scene.note('winding up');
  scene.isWindingUp = true;
  Object.assign(scene.disk, { appendsFailing: 0, readsFailing: 0, slowness: 0 });
  await scene.rest();
  for (let round = 0; !isDone(scene); round++) {
    if (round > ROUNDS_MAX) return scene.complain('settles', `left over: ${leftOver(scene).join('; ')}`);
    await pushOn(scene);
  }
  await checkAtRest(scene, 'thorough');
  checkEnds(scene);
  await disposeOfAll(scene);
}

async function pushOn(scene: Scene): Promise<void> {
  const { held, life, lives, time, history, people } = scene;
  held.releaseAll();
  await scene.rest();
  if (!life || life.state === 'unopened') scene.openLife();
  for (const lost of lives.filter(({ state }) => state === 'lost')) {
    scene.promises.track(lost.id, 'dispose', lost.dispose());
  }
  scene.attachWatchers();
  if (life?.state === 'alive') {
    for (const seen of history.questions.filter(isWaiting))
      scene.send(life, people.answer(seen, 'proceed_once'));
  }
  await scene.rest();
  await checkAtRest(scene, 'quick');
  time.fireNext();
  await scene.rest();
}

const isDone = (scene: Scene): boolean => leftOver(scene).length === 0;

function leftOver({ life, lives, history, promises, outside, held, watchers }: Scene): string[] {
  return [
    ...(life?.state === 'alive' ? [] : ['nobody works on the session']),
    ...lives.filter(({ state }) => state === 'lost').map(({ id }) => `life ${id} does not know it lost`),
    ...history.openTurns.map(({ turn, calls }) => {
      const open = calls.filter(({ end }) => !end).map(({ request }) => request.callId);
      return `turn ${turn} is open (${open.join()})`;
    }),
    ...promises.open(),
    ...outside.waiting().map(({ inboxId, command }) => `${command.type} in the inbox (${inboxId})`),
    ...(held.size > 0 ? [`${held.size} things are held`] : []),
    ...watchers
      .filter(({ next }) => next < history.events.length)
      .map(({ next, state }) => `a subscriber (${state}) is at ${next} of ${history.events.length}`),
  ];
}

function checkEnds({ history, complain }: Scene): void {
  for (const { request, end } of history.calls) {
    if (!end) complain('lifecycle', `${request.callId} of turn ${request.turn} never ended`);
  }
}

async function disposeOfAll(scene: Scene): Promise<void> {
  const { life, lives, complain, promises, world, watchers, held, time } = scene;
  if (life) promises.track(life.id, 'dispose', life.dispose());
  await scene.rest();
  for (let round = 0; promises.open().length > 0 && round < ROUNDS_MAX; round++) {
    held.releaseAll();
    time.fireNext();
    await scene.rest();
  }
  for (const label of promises.open()) complain('settles', `${label} never settled`);
  for (const watcher of watchers) {
    if (watcher.state === 'following') complain('leftovers', 'a subscriber still waits after dispose');
  }
  await checkAtRest(scene, 'thorough');
  for (const each of lives.filter(({ state }) => state !== 'dead')) {
    if (each.state !== 'over') complain('settles', `life ${each.id} is ${each.state} after the end`);
    const running = world.running(each).filter(({ signal }) => !signal.aborted);
    for (const { facts } of running)
      complain('leftovers', `${facts.request.callId} still runs, untold to stop`);
  }
}
