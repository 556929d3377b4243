import { scheduleBatch } from './batches.js';
import { answer, answerTogether, callCommand, cancel, modify, revoke, say, setMode } from './commands.js';
import type { Scene } from './scene.js';
import * as troubles from './troubles.js';
import type { Trouble } from './world/profile.js';

/** One thing that can happen next. It returns false if there was nothing to do it with. */
export type Action = {
  readonly name: string;
  readonly weight: number;
  /** Omitted in runs without this kind of trouble. */
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

  { name: 'a rival takes a use', weight: 3, trouble: 'rivals', act: troubles.rivalTakesUse },
  { name: 'a rival revokes', weight: 1, trouble: 'rivals', act: troubles.rivalRevokes },
  { name: 'a rival grants', weight: 1, trouble: 'rivals', act: troubles.rivalGrants },
  { name: 'withdraw a command', weight: 2, trouble: 'inbox', act: troubles.withdraw },

  { name: 'subscribe', weight: 2, trouble: 'subscribers', act: troubles.subscribe },
  { name: 'unsubscribe', weight: 0.5, trouble: 'subscribers', act: troubles.unsubscribe },

  { name: 'appends fail', weight: 2, trouble: 'failing appends', act: troubles.failAppends },
  { name: 'reads fail', weight: 2, trouble: 'failing reads', act: troubles.failReads },
  { name: 'the journal is slow', weight: 2, trouble: 'slow journal', act: troubles.slowDown },
  { name: 'the journal heals', weight: 3, act: troubles.heal },

  { name: 'crash', weight: 2, trouble: 'crashes', act: troubles.crash },
  { name: 'take the session over', weight: 1, trouble: 'takeovers', act: troubles.takeOver },
  { name: 'dispose', weight: 1, trouble: 'disposals', act: troubles.dispose },
  { name: 'open it a second time', weight: 0.5, act: troubles.openTwice },

  { name: 'a file changes', weight: 1, trouble: 'world changes', act: troubles.changeFile },
  { name: 'a tool is redefined', weight: 0.5, trouble: 'world changes', act: troubles.redefine },
  {
    name: 'the clock jumps',
    weight: 0.5,
    trouble: 'world changes',
    act: ({ time, random }) => time.jump(random.below(100_000)),
  },
];

/** Turns that queue are not worked on: more than a few only make the run longer. */
const TURNS_IN_LINE = 2;

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
