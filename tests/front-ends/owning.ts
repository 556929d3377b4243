import { expect } from 'vitest';
import { type Place, type Running, writeCall } from '../cli/program.js';

/** A process that owns a session with one question, and leaves it to others to answer. */
export async function owning(place: Place): Promise<Running> {
  const owner = place.start(['exec', '--session', 'owned', '--approvals', 'wait']);
  owner.end(JSON.stringify(writeCall('a.txt', 'new', 'w')));
  await owner.told('countersign approvals answer owned/w');
  return owner;
}

export async function expectDone(owner: Running, place: Place, content = 'new'): Promise<void> {
  const { lines, code } = await owner.ended();
  expect(lines).toMatchObject([{ callId: 'w', status: 'success', outcome: 'proceed_once' }]);
  expect([code, place.read('a.txt')]).toEqual([0, content]);
}
