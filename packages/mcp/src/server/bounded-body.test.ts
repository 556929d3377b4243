import { expect, test } from 'vitest';
import { boundedBody } from './bounded-body.js';

/** A stream that takes whatever is put into it, as a transport's does. */
function source() {
  let control: ReadableStreamDefaultController<Uint8Array> | null = null;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      control = controller;
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  const put = (bytes: number) => {
    if (!isCancelled) control?.enqueue(new Uint8Array(bytes));
  };
  return { body, put, end: () => control?.close(), isCancelled: () => isCancelled };
}
const soon = () => new Promise((resolve) => setImmediate(resolve));

test('a client that reads gets everything, however much it is [M3]', async () => {
  const { body, put, end } = source();
  let ends = 0;
  const bounded = boundedBody(body, () => ends++, 100);
  let bytes = 0;
  const reading = (async () => {
    for await (const chunk of bounded) bytes += chunk.byteLength;
  })();
  for (let round = 0; round < 50; round++) {
    put(90);
    await soon();
  }
  end();
  await reading;
  await soon();
  expect([bytes, ends]).toEqual([4_500, 1]);
});

test('a client that does not read is cut off, and no more is kept for it than its limit and one message [M3]', async () => {
  const { body, put, isCancelled } = source();
  let ends = 0;
  const bounded = boundedBody(body, () => ends++, 100);
  for (let round = 0; round < 50; round++) {
    put(90);
    await soon();
  }
  await expect(bounded.getReader().read()).rejects.toThrow('is not reading');
  await soon();
  expect([isCancelled(), ends]).toEqual([true, 1]);
});

test('one message that is larger than the limit passes [M3]', async () => {
  const { body, put, end } = source();
  const bounded = boundedBody(body, () => {}, 100);
  put(5_000);
  end();
  await soon();
  let bytes = 0;
  for await (const chunk of bounded) bytes += chunk.byteLength;
  expect(bytes).toBe(5_000);
});
