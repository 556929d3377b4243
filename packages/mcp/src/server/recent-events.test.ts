import { expect, test } from 'vitest';
import { RecentEvents } from './recent-events.js';

const note = (text: string) => ({ jsonrpc: '2.0', method: 'note', params: { text } }) as const;

async function replayed(events: RecentEvents, after: string): Promise<readonly string[]> {
  const sent: string[] = [];
  await events.replayEventsAfter(after, {
    send: (_, message) => Promise.resolve(void sent.push(JSON.stringify(message))),
  });
  return sent;
}

test('a client that reconnects receives the events it missed of its own stream, in order [M4]', async () => {
  const events = new RecentEvents();
  const seen = await events.storeEvent('a', note('1'));
  await events.storeEvent('b', note('of others'));
  await events.storeEvent('a', note('2'));
  await events.storeEvent('a', note('3'));
  expect(await events.getStreamIdForEventId(seen)).toBe('a');
  expect(await replayed(events, seen)).toEqual([JSON.stringify(note('2')), JSON.stringify(note('3'))]);
});

test('what is kept is bounded by number and by size, and the latest is always there [M4]', async () => {
  const events = new RecentEvents();
  const first = await events.storeEvent('a', note('first'));
  for (let at = 0; at < 3_000; at++) await events.storeEvent('a', note(String(at)));
  expect(await replayed(events, first)).toHaveLength(1_000);
  for (let at = 0; at < 10; at++) await events.storeEvent('a', note('x'.repeat(1_000_000)));
  expect(await replayed(events, first)).toHaveLength(3);
  await events.storeEvent('b', note('y'.repeat(9_000_000)));
  expect(await replayed(events, 'b/0')).toHaveLength(1);
  expect(await events.getStreamIdForEventId(first)).toBeUndefined();
  expect(await events.getStreamIdForEventId('nonsense')).toBeUndefined();
});
