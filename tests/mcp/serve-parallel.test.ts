import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { type Place, test } from '../cli/program.js';
import { connected, overStdio, stdioTo, waiting, wordsIn } from './served.js';

const write = (client: Client, file: string, signal?: AbortSignal) =>
  client.callTool(
    { name: 'write_file', arguments: { file_path: file, content: `${file}\n` } },
    signal ? { signal } : {},
  );
const read = async (client: Client, file: string) =>
  wordsIn(await client.callTool({ name: 'read_file', arguments: { file_path: file } }));
const answer = (place: Place, id: string | undefined) =>
  place.run(['approvals', 'answer', id ?? '', 'proceed_once']);
const waits = (place: Place, count: number) => waiting(place, (ids) => ids.length === count);

test('calls that do not conflict run at the same time [M4] [S2]', async ({ place }) => {
  const client = await overStdio(place, 's', '--mode', 'yolo');
  const seen: string[] = [];
  const sleep = async () => {
    await client.callTool(
      { name: 'run_shell_command', arguments: { command: 'sleep 4' } },
      { onprogress: ({ message }) => void (message === 'Running.' && seen.push('began')) },
    );
    seen.push('ended');
  };
  await Promise.all([sleep(), sleep(), sleep(), sleep()]);
  // The client may repeat that a call runs, so what counts is that all began before one ended.
  expect(seen.indexOf('ended')).toBeGreaterThanOrEqual(4);
});

test('a question holds back neither reads nor other questions, also of the same file [M4] [S2]', async ({
  place,
}) => {
  place.write('a.txt', 'old\n');
  place.write('c.txt', 'other\n');
  const client = await overStdio(place, 's');
  const first = write(client, 'a.txt');
  const [a] = await waits(place, 1);
  expect(await read(client, 'c.txt')).toBe('other\n');
  expect(await read(client, 'a.txt')).toBe('old\n');
  const second = write(client, 'b.txt');
  const b = (await waits(place, 2)).find((id) => id !== a);
  await answer(place, b);
  expect(await second).not.toHaveProperty('isError');
  expect([place.read('b.txt'), place.read('a.txt')]).toEqual(['b.txt\n', 'old\n']);
  await answer(place, a);
  expect(await first).not.toHaveProperty('isError');
  expect(place.read('a.txt')).toBe('a.txt\n');
});

test('calls of the same file that were sent together run one after the other, and both land [M4] [S2]', async ({
  place,
}) => {
  place.write('a.txt', 'one two\n');
  const client = await overStdio(place, 's', '--mode', 'auto_edit');
  await read(client, 'a.txt');
  const replace = (from: string, to: string) =>
    client.callTool({
      name: 'replace',
      arguments: { file_path: 'a.txt', old_string: from, new_string: to },
    });
  const results = await Promise.all([replace('one', '1'), replace('two', '2')]);
  expect(results.map(({ isError }) => isError)).toEqual([undefined, undefined]);
  expect(place.read('a.txt')).toBe('1 2\n');
});

test('cancelling one request leaves the others as they are [M4]', async ({ place }) => {
  const client = await overStdio(place, 's');
  const stop = new AbortController();
  const first = write(client, 'a.txt', stop.signal);
  first.catch(() => undefined);
  const [a] = await waits(place, 1);
  const second = write(client, 'b.txt');
  const b = (await waits(place, 2)).find((id) => id !== a);
  stop.abort('changed my mind');
  await expect(first).rejects.toThrow();
  expect(await waits(place, 1)).toEqual([b]);
  await answer(place, b);
  expect(await second).not.toHaveProperty('isError');
  expect([place.has('a.txt'), place.has('b.txt')]).toEqual([false, true]);
});

test('a question that a process left open is answered after a restart, and new calls run beside it [M4] [A6]', async ({
  place,
}) => {
  place.write('c.txt', 'other\n');
  const client = await overStdio(place, 's');
  write(client, 'a.txt').catch(() => undefined);
  const [a] = await waits(place, 1);
  await client.close();
  const resumed = await connected(stdioTo(place, '--resume', 's'));
  expect(await read(resumed, 'c.txt')).toBe('other\n');
  await answer(place, a);
  await expect.poll(() => place.has('a.txt')).toBe(true);
});
