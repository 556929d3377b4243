import { memoryStore } from '@countersign/engine';
import { openTestSession, run, testTool } from '@countersign/testkit';
import { expect, test } from 'vitest';

test('a late subscriber misses nothing of this life, though the journal drops what is over [S5]', async () => {
  const store = memoryStore({ keep: 'open-turns' });
  const look = testTool({ name: 'look' });
  const earlier = await openTestSession([look], { journal: store.open() });
  await run(earlier.session, [{ name: 'look' }]);
  await earlier.session.dispose();

  const { session } = await openTestSession([look], { journal: store.open() });
  const from = session.seq;
  for (let turn = 0; turn < 3; turn++) await run(session, [{ name: 'look' }]);
  const until = session.seq;
  const seen: number[] = [];
  for await (const batch of session.events(0, new AbortController().signal)) {
    for (const delivery of batch) if ('seq' in delivery) seen.push(delivery.seq);
    if ((seen.at(-1) ?? 0) >= until - 1) break;
  }
  const ofThisLife = Array.from({ length: until - from }, (_, index) => from + index);
  expect(seen.filter((seq) => seq >= from)).toEqual(ofThisLife);
  await session.dispose();
});
