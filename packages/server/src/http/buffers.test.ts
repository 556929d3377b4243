import { expect, test } from 'vitest';
import { Buffers, type Room } from './buffers.js';

const open = new AbortController().signal;
const limits = { bufferedBytesMax: 100, bufferedBytesPerPerson: 60 };

/** What has been granted so far. */
async function settled(taking: Promise<Room | null>): Promise<Room | 'waits' | null> {
  return Promise.race([taking, new Promise<'waits'>((resolve) => setImmediate(() => resolve('waits')))]);
}
const roomOf = (taken: Room | 'waits' | null): Room => {
  if (taken === null || taken === 'waits') throw new Error(`there was no room: ${taken}`);
  return taken;
};

test("a user's buffers are limited, and the rest follows in order as space is released [W4]", async () => {
  const buffers = new Buffers(limits);
  const ann = buffers.of('ann');
  const first = roomOf(await settled(ann.take(50, open)));
  const second = ann.take(40, open);
  const third = ann.take(10, open);
  // A small one does not overtake a large one: it might never get its turn.
  expect([await settled(second), await settled(third)]).toEqual(['waits', 'waits']);
  first.release();
  first.release();
  roomOf(await settled(second)).release();
  roomOf(await settled(third)).release();
  expect(buffers.bytes).toBe(0);
});

test('one user that does not read leaves space for others, up to the total [W4]', async () => {
  const buffers = new Buffers(limits);
  await buffers.of('ann').take(60, open);
  expect(await settled(buffers.of('ann').take(1, open))).toBe('waits');
  const room = roomOf(await settled(buffers.of('bob').take(40, open)));
  const cyn = buffers.of('cyn').take(30, open);
  expect([await settled(cyn), buffers.of('cyn').tryTake(1)]).toEqual(['waits', null]);
  room.release();
  roomOf(await settled(cyn));
});

test('a part that is larger than the limit passes when nothing else is held [W4]', async () => {
  const buffers = new Buffers(limits);
  const small = roomOf(await settled(buffers.of('ann').take(1, open)));
  const large = buffers.of('ann').take(1_000, open);
  expect(await settled(large)).toBe('waits');
  small.release();
  roomOf(await settled(large)).release();
  expect(buffers.bytes).toBe(0);
});

test('a client that disconnects while it waits takes no space, and those behind it continue [W4]', async () => {
  const buffers = new Buffers(limits);
  const gone = new AbortController();
  await buffers.of('ann').take(40, open);
  const large = buffers.of('ann').take(50, gone.signal);
  const small = buffers.of('ann').take(10, open);
  expect(await settled(small)).toBe('waits');
  gone.abort();
  expect(await settled(large)).toBeNull();
  roomOf(await settled(small));
  expect(await buffers.of('ann').take(1, gone.signal)).toBeNull();
});
