import type { ToolCall as KernelCall, Status } from '@countersign/protocol';
import { expect, test } from 'vitest';
import { levels } from './batch-updates.js';

// What a change is cut by is its call's id and status alone.
const change = (text: string): KernelCall => {
  const [callId, status] = text.split(' ');
  return { status: status as Status, request: { callId } } as unknown as KernelCall;
};
const cut = (...changes: string[]) =>
  levels(changes.map(change)).map((level) =>
    level.map(({ request, status }) => `${request.callId} ${status}`),
  );

test('every status of a call has a snapshot of its own, shared with other calls [E1]', () => {
  expect(cut('a validating', 'b validating', 'a scheduled', 'a executing', 'b scheduled')).toEqual([
    ['a validating', 'b validating'],
    ['a scheduled', 'b scheduled'],
    ['a executing'],
  ]);
});

test('no call is shown to have started while another that it waited for is undecided [E1, S3]', () => {
  expect(cut('b validating', 'b scheduled', 'a executing', 'b executing')).toEqual([
    ['b validating'],
    ['b scheduled', 'a executing'],
    ['b executing'],
  ]);
});

test('calls that start one after the other in one append do not make a snapshot each [E1]', () => {
  const changes = Array.from({ length: 100 }, (_, n) => [`${n} scheduled`, `${n} executing`]).flat();
  expect(levels(changes.map(change))).toHaveLength(2);
});
