import * as engine from '@countersign/engine';
import { type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { skipBecause } from '@countersign/testkit/vitest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shippedJudge } from '../testing/shipped-verdict.js';
import { UNAVAILABLE } from './testing/sandbox-here.js';

const shipped = shippedJudge(engine);

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

const ENVIRONMENTS = [
  'ps axeww',
  'ps e',
  'ps auxe',
  'ps -auxe',
  'ps -e -u xww',
  'ps -u xe',
  'ps -E',
  'ps eww -p 1',
  'ps -p 1 e',
  'ps ax -o pid,environ',
  'ps -eo pid,environ',
  'ps --format=pid,env',
  'ps "$X"',
  'ps -o "$X"',
  'bash -c "ps axeww"',
  'timeout 5 ps axe | head',
];

describe('without the sandbox', () => {
  test.each(ENVIRONMENTS)(
    '%s prints what other processes keep secret, and is asked about [B1]',
    async (line) => {
      expect((await shipped.onCommand(place.workspace, line)).decision).toBe('ask_user');
    },
  );

  test('the question states what would be seen [B1]', async () => {
    const { reason } = await shipped.onCommand(place.workspace, 'ps axeww');
    expect(reason).toContain('environment of other processes');
  });

  test.each([
    'ps',
    'ps aux',
    'ps -aux',
    'ps -ef',
    'ps -eLf',
    'ps -efww',
    'ps ax -o pid,etime,cmd --sort=-etime',
    'ps axo pid,etime,cmd',
    'ps o pid,etime',
    'ps -eo pid,etime,args',
    'ps -C node -o pid,args',
    'ps -p 1 -o comm=',
    'ps -u root',
    'ps aux | grep node',
    'ps --no-headers -o pid',
    'env',
    'printenv',
    'printenv PATH',
  ])('%s shows none, and is not asked about [B1]', async (line) => {
    expect((await shipped.onCommand(place.workspace, line)).decision).toBe('allow');
  });

  test.each([
    'cat /proc/1/environ',
    'cat /proc/self/environ',
    'cat /proc/[0-9]*/environ',
    'cat /proc/1/task/*/environ',
    'strings /proc/$PPID/environ',
    'tr "\\0" "\\n" < /proc/1/environ',
    'grep -az KEY /proc/*/environ',
    'xargs -0 -a /proc/1/environ',
    'sed "r /proc/1/environ" x',
    'cd /proc/1 && cat environ',
    'cd /proc && cat 1/environ',
    'echo "$(</proc/1/environ)"',
    'cat /proc/1/cmdline',
  ])('%s is asked about [B1] [P5]', async (line) => {
    expect((await shipped.onCommand(place.workspace, line)).decision).toBe('ask_user');
  });
});

describe('in the sandbox', () => {
  skipBecause(UNAVAILABLE);
  test('no other process is visible, so that ps is not asked about [B1]', async () => {
    expect((await shipped.onCommand(place.workspace, 'ps axeww', 'on')).decision).toBe('allow');
  });
});
