import { type Scene, SESSION } from './scene.js';
import { SPECS } from './world/tool-specs.js';

export async function rivalTakesUse(scene: Scene): Promise<boolean> {
  const grantId = someGrant(scene);
  return grantId !== undefined && scene.outside.takeUse(grantId);
}

export async function rivalRevokes(scene: Scene): Promise<boolean> {
  const grantId = someGrant(scene);
  if (grantId === undefined) return false;
  await scene.outside.revoke(grantId);
  return true;
}

export function rivalGrants({ outside, random, time }: Scene): Promise<void> {
  return outside.grantEdits(random.chance(0.8) ? 1 + random.below(3) : null, time.now());
}

export function withdraw({ outside, random }: Scene): unknown {
  const posted = random.pick(outside.waiting());
  return posted ? outside.withdraw(posted) : false;
}

export function subscribe(scene: Scene): void {
  const { random, history } = scene;
  const from = random.pick([0, random.below(history.events.length + 1), history.events.length]);
  scene.addWatcher(random.pick(['eager', 'eager', 'slow', 'throwing']), from, random.chance(0.3));
}

export function unsubscribe({ watchers, random }: Scene): void {
  watchers.splice(random.below(watchers.length), 1)[0]?.leave();
}

export function failAppends({ disk, random }: Scene): void {
  disk.appendsFailing = 1 + random.below(5);
}

export function failReads({ disk, random }: Scene): void {
  disk.readsFailing = 1 + random.below(5);
}

export function slowDown({ disk, random }: Scene): void {
  disk.slowness = random.pick([0.2, 0.6, 1]);
}

export function heal({ disk }: Scene): void {
  disk.appendsFailing = 0;
  disk.readsFailing = 0;
  disk.slowness = 0;
}

export async function crash(scene: Scene): Promise<boolean> {
  if (!scene.life) return false;
  await scene.crash(scene.life);
  return true;
}

export async function takeOver(scene: Scene): Promise<boolean> {
  const { life } = scene;
  if (life?.state !== 'alive') return false;
  scene.note(`life ${life.id} loses the session`);
  await life.lose();
  scene.openLife();
  return true;
}

export function dispose(scene: Scene): boolean {
  const { life } = scene;
  if (life?.state !== 'alive') return false;
  scene.note(`life ${life.id} is disposed of`);
  const disposed = life.dispose().then(() => {
    for (const { facts, signal } of scene.world.running(life)) {
      if (!signal.aborted) scene.complain('leftovers', `${facts.request.callId} still runs after dispose`);
    }
    for (const { callId } of scene.world.hooks.lookings(life))
      scene.complain('leftovers', `hooks still look at ${callId} after dispose`);
  });
  scene.promises.track(life.id, 'dispose', disposed);
  return true;
}

/** A second process must be turned away while the first one lives. */
export async function openTwice({ life, store, complain }: Scene): Promise<boolean> {
  if (life?.state !== 'alive' || life.session?.ended) return false;
  const second = store.open();
  const owned = await second.own(SESSION);
  if (owned.ok) complain('ownership', `it was given away while life ${life.id} works on it`);
  await second.close();
  return true;
}

export function changeFile({ world, random }: Scene): void {
  const edit = SPECS.find(({ readsBefore }) => readsBefore);
  if (edit) world.changeFile(random.pick(edit.things));
}

export function redefine({ world, random, lives }: Scene): void {
  const spec = random.pick(SPECS);
  world.changeDefinition(spec.name);
  for (const life of lives) life.define(spec);
}

function someGrant({ random, history }: Scene): string | undefined {
  return random.pick([...history.grants.keys()]);
}
