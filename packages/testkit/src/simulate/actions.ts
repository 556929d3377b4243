import { APPROVAL_MODES, type Command } from '@countersign/protocol';
import { scheduleBatch, someCalls, someOptions } from './batches.js';
import type { Trouble } from './profile.js';
import { type Scene, SESSION } from './scene.js';
import { SPECS } from './tool-specs.js';

/** One thing that can happen next. It returns false if there was nothing to do it with. */
export type Action = {
  readonly name: string;
  readonly weight: number;
  /** Left out in runs without this kind of trouble. */
  readonly trouble?: Trouble;
  readonly act: (scene: Scene) => unknown;
};

export const ACTIONS: readonly Action[] = [
  { name: 'let something go on', weight: 16, act: letGoOn },
  { name: 'let time pass', weight: 4, act: ({ time }) => time.fireNext() },
  { name: 'open the session', weight: 12, act: open },

  { name: 'schedule a batch', weight: 6, act: scheduleSome },
  { name: 'wait for idleness', weight: 0.5, act: awaitIdleness },
  { name: 'abort a batch', weight: 1.5, act: abortSome },
  { name: 'command a batch', weight: 2, act: (scene) => say(scene, () => callCommand(scene)) },
  { name: 'answer', weight: 9, act: (scene) => say(scene, () => answer(scene)) },
  { name: 'several people answer in one tick', weight: 2, act: answerTogether },
  { name: 'modify', weight: 2, act: (scene) => say(scene, () => modify(scene)) },
  { name: 'cancel', weight: 3, act: (scene) => say(scene, () => cancel(scene)) },
  { name: 'say it again', weight: 2, act: (scene) => say(scene, () => scene.people.sayAgain()) },
  {
    name: 'forge an answer',
    weight: 2,
    trouble: 'forgeries',
    act: (scene) => say(scene, () => scene.people.forge(scene.history)),
  },
  { name: 'switch the mode', weight: 2, trouble: 'modes', act: (scene) => say(scene, () => setMode(scene)) },
  { name: 'revoke a grant', weight: 1, act: (scene) => say(scene, () => revoke(scene)) },

  { name: 'a rival takes a use', weight: 3, trouble: 'rivals', act: rivalTakesUse },
  { name: 'a rival revokes', weight: 1, trouble: 'rivals', act: rivalRevokes },
  { name: 'a rival grants', weight: 1, trouble: 'rivals', act: rivalGrants },
  { name: 'withdraw a command', weight: 2, trouble: 'inbox', act: withdraw },

  { name: 'subscribe', weight: 2, trouble: 'subscribers', act: subscribe },
  { name: 'unsubscribe', weight: 0.5, trouble: 'subscribers', act: unsubscribe },

  { name: 'appends fail', weight: 2, trouble: 'failing appends', act: failAppends },
  { name: 'reads fail', weight: 2, trouble: 'failing reads', act: failReads },
  { name: 'the journal is slow', weight: 2, trouble: 'slow journal', act: slowDown },
  { name: 'the journal heals', weight: 3, act: heal },

  { name: 'crash', weight: 2, trouble: 'crashes', act: crash },
  { name: 'take the session over', weight: 1, trouble: 'takeovers', act: takeOver },
  { name: 'dispose', weight: 1, trouble: 'disposals', act: dispose },
  { name: 'open it a second time', weight: 0.5, act: openTwice },

  { name: 'a file changes', weight: 1, trouble: 'world changes', act: changeFile },
  { name: 'a tool is redefined', weight: 0.5, trouble: 'world changes', act: redefine },
  {
    name: 'the clock jumps',
    weight: 0.5,
    trouble: 'world changes',
    act: ({ time, random }) => time.jump(random.below(100_000)),
  },
];

/** Turns that queue are not worked on: more than a few only make the run longer. */
const TURNS_IN_LINE = 2;

/** Through a session in this process, or left in the inbox by another. */
function say(scene: Scene, command: () => Command | undefined): unknown {
  const { life, lives, random, profile } = scene;
  const throughInbox = profile.trouble.inbox && random.chance(0.3) && scene.history.events.length > 0;
  // Who lost the session does not know it yet, and people still talk to it.
  const listener = random.chance(0.9)
    ? life
    : lives.find(({ state }) => state === 'lost' || state === 'closing');
  if (!throughInbox && !listener?.session) return false;
  const said = command();
  if (!said) return false;
  scene.note(`${throughInbox ? 'left in the inbox' : `said to life ${listener?.id}`}: ${describe(said)}`);
  if (throughInbox) return scene.outside.post(said);
  if (listener) scene.send(listener, said);
  return true;
}

function describe(command: Command): string {
  switch (command.type) {
    case 'call':
      return `call ${command.calls.map(({ callId, name }) => `${callId ?? '(no id)'} ${name ?? ''}`).join(', ')}`;
    case 'answer':
      return `answer ${command.outcome} to ${command.callId} by ${command.by} (${command.key ?? 'no key'}) for ${command.digest.slice(0, 8)}`;
    case 'modify':
      return `modify ${command.callId} for ${command.digest.slice(0, 8)}`;
    case 'cancel':
      return `cancel ${JSON.stringify(command.target)}`;
    case 'set-mode':
      return `set-mode ${command.mode}`;
    case 'revoke-grant':
      return `revoke-grant ${command.grantId}`;
  }
}

function letGoOn(scene: Scene): boolean {
  const held = scene.held.releaseAny(scene.random);
  if (held) scene.note(`goes on: ${held.label}`);
  return held !== undefined;
}

function open(scene: Scene): boolean {
  if (scene.life && scene.life.state !== 'unopened') return false;
  scene.openLife();
  return true;
}

function scheduleSome(scene: Scene): boolean {
  const { life, random, history } = scene;
  if (!life?.session || (history.openTurns.length >= TURNS_IN_LINE && random.chance(0.8))) return false;
  scene.batches.push(scheduleBatch(scene, life));
  return true;
}

function awaitIdleness({ life, promises }: Scene): boolean {
  if (!life?.session) return false;
  promises.track(life.id, 'idle', life.session.idle());
  return true;
}

function abortSome({ random, batches }: Scene): boolean {
  const batch = random.pick(batches.filter(({ abort }) => !abort.signal.aborted));
  batch?.abort.abort();
  return batch !== undefined;
}

function callCommand(scene: Scene): Command {
  const { start = 'as_granted', attended = 'somebody' } = someOptions(scene);
  return { type: 'call', calls: someCalls(scene), start, attended };
}

function answer({ people, history }: Scene): Command | undefined {
  const seen = people.lookAt(history);
  return seen && people.answer(seen);
}

function answerTogether(scene: Scene): boolean {
  const { life, people, history, random } = scene;
  const seen = people.lookAt(history);
  if (!life?.session || !seen) return false;
  for (let count = 2 + random.below(3); count > 0; count--) scene.send(life, people.answer(seen));
  return true;
}

function modify({ people, history }: Scene): Command | undefined {
  const seen = people.lookAt(history);
  return seen && people.modify(seen);
}

function cancel({ random, history, people }: Scene): Command | undefined {
  const by = people.someone();
  const kind = random.below(6);
  if (kind === 0) return { type: 'cancel', target: { type: 'all' }, by };
  if (kind === 1) {
    const turn = random.pick(history.turns);
    return turn && { type: 'cancel', target: { type: 'turn', turn: turn.turn }, by };
  }
  const facts = random.pick([...history.open.values()]) ?? history.calls.at(-1);
  return facts && { type: 'cancel', target: { type: 'call', callId: facts.request.callId }, by };
}

const setMode = ({ random, people }: Scene): Command => ({
  type: 'set-mode',
  mode: random.pick(APPROVAL_MODES),
  by: people.someone(),
});

function someGrant({ random, history }: Scene): string | undefined {
  return random.pick([...history.grants.keys()]);
}

function revoke(scene: Scene): Command | undefined {
  const grantId = someGrant(scene);
  return grantId === undefined ? undefined : { type: 'revoke-grant', grantId, by: scene.people.someone() };
}

async function rivalTakesUse(scene: Scene): Promise<boolean> {
  const grantId = someGrant(scene);
  return grantId !== undefined && scene.outside.takeUse(grantId);
}

async function rivalRevokes(scene: Scene): Promise<boolean> {
  const grantId = someGrant(scene);
  if (grantId === undefined) return false;
  await scene.outside.revoke(grantId);
  return true;
}

function rivalGrants({ outside, random, time }: Scene): Promise<void> {
  return outside.grantEdits(random.chance(0.8) ? 1 + random.below(3) : null, time.now());
}

function withdraw({ outside, random }: Scene): unknown {
  const posted = random.pick(outside.waiting());
  return posted ? outside.withdraw(posted) : false;
}

function subscribe(scene: Scene): void {
  const { random, history } = scene;
  const from = random.pick([0, random.below(history.events.length + 1), history.events.length]);
  scene.addWatcher(random.pick(['eager', 'eager', 'slow', 'throwing']), from, random.chance(0.3));
}

function unsubscribe({ watchers, random }: Scene): void {
  watchers.splice(random.below(watchers.length), 1)[0]?.leave();
}

function failAppends({ disk, random }: Scene): void {
  disk.appendsFailing = 1 + random.below(5);
}

function failReads({ disk, random }: Scene): void {
  disk.readsFailing = 1 + random.below(5);
}

function slowDown({ disk, random }: Scene): void {
  disk.slowness = random.pick([0.2, 0.6, 1]);
}

function heal({ disk }: Scene): void {
  disk.appendsFailing = 0;
  disk.readsFailing = 0;
  disk.slowness = 0;
}

async function crash(scene: Scene): Promise<boolean> {
  if (!scene.life) return false;
  await scene.crash(scene.life);
  return true;
}

async function takeOver(scene: Scene): Promise<boolean> {
  const { life } = scene;
  if (life?.state !== 'alive') return false;
  scene.note(`life ${life.id} loses the session`);
  await life.lose();
  scene.openLife();
  return true;
}

function dispose(scene: Scene): boolean {
  const { life } = scene;
  if (life?.state !== 'alive') return false;
  scene.note(`life ${life.id} is disposed of`);
  const disposed = life.dispose().then(() => {
    for (const { facts, signal } of scene.world.running(life)) {
      if (!signal.aborted) scene.complain('leftovers', `${facts.request.callId} still runs after dispose`);
    }
  });
  scene.promises.track(life.id, 'dispose', disposed);
  return true;
}

/** A second process must be turned away while the first one lives. */
async function openTwice({ life, store, complain }: Scene): Promise<boolean> {
  if (life?.state !== 'alive') return false;
  const second = store.open();
  const owned = await second.own(SESSION);
  if (owned.ok) complain('ownership', `it was given away while life ${life.id} works on it`);
  await second.close();
  return true;
}

function changeFile({ world, random }: Scene): void {
  const edit = SPECS.find(({ readsBefore }) => readsBefore);
  if (edit) world.changeFile(random.pick(edit.things));
}

function redefine({ world, random, lives }: Scene): void {
  const spec = random.pick(SPECS);
  world.changeDefinition(spec.name);
  for (const life of lives) life.define(spec);
}
