import type { Event } from '@countersign/protocol';
import { expect, test } from 'vitest';
import { Feed } from './feed.js';

const FACTS = 200;
/** More feeds than can all keep what they are told. */
const FEEDS = 400;

const facts = (from: number, count: number): readonly Event[] =>
  Array.from({ length: count }, (_, index) => ({ type: 'turn.ended', turn: from + index, at: 0 }));

/** A feed with the journal behind it, and what was read from there. */
function feedWithJournal() {
  const written: Event[] = [];
  const readFrom: number[] = [];
  const feed = new Feed(0, async (fromSeq) => {
    readFrom.push(fromSeq);
    return written.slice(fromSeq).map((event, index) => ({ seq: fromSeq + index, event }));
  });
  const tell = (count: number) => {
    const events = facts(written.length, count);
    written.push(...events);
    feed.publish(events);
  };
  return { feed, readFrom, tell };
}

async function take(feed: Feed, fromSeq: number, count: number): Promise<readonly number[]> {
  const stop = new AbortController();
  const seqs: number[] = [];
  for await (const batch of feed.subscribe(fromSeq, stop.signal)) {
    for (const delivery of batch) if ('seq' in delivery) seqs.push(delivery.seq);
    if (seqs.length >= count) break;
  }
  stop.abort();
  return seqs;
}

const upTo = (count: number) => Array.from({ length: count }, (_, seq) => seq);

test('many sessions keep few events each in memory, and no subscriber misses one [W4]', async () => {
  const all = Array.from({ length: FEEDS }, feedWithJournal);
  for (const { tell } of all) tell(FACTS);
  const [first] = all;
  const last = all.at(-1);
  if (!first || !last) throw new Error('there are none');
  // The one that has been quiet longest reads its journal; the latest has all at hand.
  expect(await take(first.feed, 0, FACTS)).toEqual(upTo(FACTS));
  expect(first.readFrom).toEqual([0]);
  expect(await take(last.feed, 0, FACTS)).toEqual(upTo(FACTS));
  expect(last.readFrom).toEqual([]);
  for (const { feed } of all) feed.close();
});

test('what a subscriber has not taken yet stays in memory [W4]', async () => {
  const slow = feedWithJournal();
  const stop = new AbortController();
  const reading = slow.feed.subscribe(0, stop.signal);
  slow.tell(1);
  await reading.next();
  // Told while it is busy with the first.
  slow.tell(FACTS);
  const others = Array.from({ length: FEEDS }, feedWithJournal);
  for (const { tell } of others) tell(FACTS);
  const batch = await reading.next();
  expect(batch.value).toHaveLength(FACTS);
  expect(slow.readFrom).toEqual([]);
  stop.abort();
  for (const { feed } of [slow, ...others]) feed.close();
});

test('a feed that is closed gives what is left, and the others their room [W4]', async () => {
  const closed = Array.from({ length: FEEDS }, feedWithJournal);
  for (const { tell, feed } of closed) {
    tell(FACTS);
    feed.close();
    feed.close();
  }
  const open = feedWithJournal();
  open.tell(FACTS);
  const another = feedWithJournal();
  another.tell(FACTS);
  expect(await take(open.feed, 0, FACTS)).toEqual(upTo(FACTS));
  expect(open.readFrom).toEqual([]);
  const last = closed.at(-1);
  if (!last) throw new Error('there are none');
  expect(await take(last.feed, 0, FACTS)).toEqual(upTo(FACTS));
  expect(last.readFrom).toEqual([]);
  for (const { feed } of [open, another]) feed.close();
});

test('a subscriber that is far behind reads large facts from the journal and misses none [W4]', async () => {
  const written: Event[] = [];
  let pages = 0;
  const feed = new Feed(0, async (fromSeq) => {
    pages++;
    return written.slice(fromSeq, fromSeq + 3).map((event, index) => ({ seq: fromSeq + index, event }));
  });
  const stop = new AbortController();
  const behind = feed.subscribe(0, stop.signal);
  const tell = (by: string) => {
    const event: Event = { type: 'mode.changed', mode: 'manual', by, at: 0 };
    written.push(event);
    feed.publish([event]);
  };
  tell('first');
  const seqs: number[] = [];
  const takeOne = async () => {
    const { value } = await behind.next();
    for (const delivery of value ?? []) if ('seq' in delivery) seqs.push(delivery.seq);
  };
  await takeOne();
  // 60 million characters, of which half stay at hand at most.
  for (let fact = 1; fact < 60; fact++) tell('x'.repeat(1_000_000));
  while (seqs.length < written.length) await takeOne();
  expect(seqs).toEqual(upTo(60));
  expect(pages).toBeGreaterThan(5);
  stop.abort();
  feed.close();
});
