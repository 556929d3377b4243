import { skipBecause } from '@countersign/testkit/vitest';
import { expect, test } from 'vitest';
import { UNAVAILABLE } from '../run-shell-command/testing/sandbox-here.js';
import { shellOptions } from './options.js';
import { sandboxStatus } from './sandbox-status.js';

const missing = '/nowhere/bwrap';

skipBecause(UNAVAILABLE);

test('the status states which commands run confined, and by what [B1]', async () => {
  expect(await sandboxStatus({ sandbox: 'on' })).toEqual({
    mode: 'on',
    confined: 'unasked',
    text: expect.stringMatching(
      /^Commands that run without a question run confined \(bubblewrap [\d.]+\)\.$/,
    ),
    fix: null,
  });
  expect(await sandboxStatus({ sandbox: 'required' })).toMatchObject({ confined: 'all' });
});

test('the status states that they run unconfined, or not at all, with the reason and the fix [B1]', async () => {
  expect(await sandboxStatus({ sandbox: 'on', bubblewrap: missing })).toEqual({
    mode: 'on',
    confined: 'none',
    text: 'Commands run without the sandbox. Bubblewrap (bwrap) is not installed.',
    fix: 'Install the package "bubblewrap", for instance with: apt install bubblewrap',
  });
  expect(await sandboxStatus({ sandbox: 'required', bubblewrap: missing })).toMatchObject({
    confined: 'refused',
    text: 'Commands must run confined, so none is run. Bubblewrap (bwrap) is not installed.',
  });
  expect(await sandboxStatus({ sandbox: 'off' })).toMatchObject({
    text: 'Commands run without the sandbox. The sandbox is switched off.',
    fix: null,
  });
});

test.each([
  [undefined, 'on'],
  ['', 'on'],
  ['ON', 'on'],
  [' off ', 'off'],
  ['required', 'required'],
  ['requird', 'required'],
  ['false', 'required'],
])('COUNTERSIGN_SANDBOX=%s is %s: what is not understood is the strictest [B1]', (given, mode) => {
  expect(shellOptions({ COUNTERSIGN_SANDBOX: given }).sandbox).toBe(mode);
});
