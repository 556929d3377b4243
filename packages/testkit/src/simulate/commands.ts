import { APPROVAL_MODES, type Command } from '@countersign/protocol';
import { someCalls, someOptions } from './batches.js';
import type { Scene } from './scene.js';
import { describeCommand } from './world/describe.js';

/** Through a session in this process, or left in the inbox by another. */
export function say(scene: Scene, command: () => Command | undefined): unknown {
  const { life, lives, random, profile } = scene;
  const throughInbox = profile.trouble.inbox && random.chance(0.3) && scene.history.events.length > 0;
  // Who lost the session does not know it yet, and people still talk to it.
  const listener = random.chance(0.9)
    ? life
    : lives.find(({ state }) => state === 'lost' || state === 'closing');
  if (!throughInbox && !listener?.session) return false;
  const said = command();
  if (!said) return false;
  scene.note(
    `${throughInbox ? 'left in the inbox' : `said to life ${listener?.id}`}: ${describeCommand(said)}`,
  );
  if (throughInbox) return scene.outside.post(said);
  if (listener) scene.send(listener, said);
  return true;
}

export function callCommand(scene: Scene): Command {
  const { start = 'as_granted', attended = 'somebody' } = someOptions(scene);
  return { type: 'call', calls: someCalls(scene), start, attended };
}

export function answer({ people, history }: Scene): Command | undefined {
  const seen = people.lookAt(history);
  return seen && people.answer(seen);
}

export function answerTogether(scene: Scene): boolean {
  const { life, people, history, random } = scene;
  const seen = people.lookAt(history);
  if (!life?.session || !seen) return false;
  for (let count = 2 + random.below(3); count > 0; count--) scene.send(life, people.answer(seen));
  return true;
}

export function modify({ people, history }: Scene): Command | undefined {
  const seen = people.lookAt(history);
  return seen && people.modify(seen);
}

export function cancel({ random, history, people }: Scene): Command | undefined {
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

export const setMode = ({ random, people }: Scene): Command => ({
  type: 'set-mode',
  mode: random.pick(APPROVAL_MODES),
  by: people.someone(),
});

export function revoke(scene: Scene): Command | undefined {
  const grantId = scene.random.pick([...scene.history.grants.keys()]);
  return grantId === undefined ? undefined : { type: 'revoke-grant', grantId, by: scene.people.someone() };
}
