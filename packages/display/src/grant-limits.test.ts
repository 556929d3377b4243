import { expect, test } from 'vitest';
import { readLimits } from './grant-limits.js';

test.each([
  ['', {}],
  ['2h', { expiresAt: 7_200_000 }],
  ['30m', { expiresAt: 1_800_000 }],
  ['1d 5 uses', { expiresAt: 86_400_000, uses: 5 }],
  ['1 use', { uses: 1 }],
])('%o limits an always [P6]', (text, payload) => {
  expect(readLimits(text, 0)).toEqual({ ok: true, payload });
});

test.each(['0h', '0 uses', '5', 'soon', '-1h', '1h 2h', '99999h'])(
  '%o is refused with an example [P6]',
  (text) => {
    expect(readLimits(text, 0)).toMatchObject({ ok: false, problem: expect.stringContaining('2h 5 uses') });
  },
);
