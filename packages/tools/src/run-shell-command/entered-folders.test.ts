import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as engine from '@countersign/engine';
import { type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import type { ApprovalMode } from '@countersign/protocol';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { shippedJudge } from '../testing/shipped-verdict.js';

const shipped = shippedJudge(engine);

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
  writeFileSync(join(place.outside, 'pw'), 'CANARY\n');
  place.put('n/.git/config', '[core]\n\tfsmonitor = ./evil\n');
  place.put('src/a.ts', 'a\n');
  place.put('src/deep/b.ts', 'b\n');
  symlinkSync(place.outside, join(place.workspace, 'lnk'));
  symlinkSync(place.outside, join(place.workspace, 'src/src'));
});
afterEach(() => place.remove());

const verdictOn = (command: string, mode: ApprovalMode) =>
  shipped.onCall(place.workspace, { tool: 'run_shell_command', args: { command }, mode });

test.each([
  'cd n* && git status',
  'cd lnk* && cat pw',
  'cd [l]nk && cat pw',
  'cd ln? && cat pw',
  'cd -- ln* && cat pw',
  'cd -P ln* && cat pw',
  'cd src/sr* && cat pw',
  'command cd lnk* && cat pw',
  'builtin cd lnk* && cat pw',
  '(cd lnk*; cat pw)',
  'if cd lnk*; then cat pw; fi',
  'cd lnk* && echo $(<pw)',
  'cd .g*t/hooks && echo x > pre-commit',
  'cd {lnk,x} && cat pw',
  'cd l{n,m}k && cat pw',
  'pushd lnk* && cat pw',
  'cd - && cat pw',
  'cd ~- && cat pw',
  'cd "$X" && cat pw',
  'cd $(echo lnk) && cat pw',
  'CDPATH=.. cd outside && cat pw',
  'CDPATH=..; cd outside && cat pw',
  'export CDPATH=..; pushd outside && cat pw',
  'shopt -s cdable_vars; src=lnk; cd src && cat pw',
  'cd a && cd b && cd c && cd d && cd e && cd f && cd g && cat pw',
])('"%s" works where no one can say in advance, and asks [P5]', async (command) => {
  for (const mode of ['manual', 'yolo'] as const)
    expect([mode, (await verdictOn(command, mode)).decision]).toEqual([mode, 'ask_user']);
});

test('the same folder entered twice is followed twice [P5]', async () => {
  for (const command of ['cd src && cd src && cat pw', 'for i in 1 2; do cd src; done; cat pw'])
    expect([command, (await verdictOn(command, 'yolo')).decision]).toEqual([command, 'ask_user']);
});

test.each([
  'cd src && cat a.ts',
  'cd -- src && cat a.ts',
  'cd -P src && cat a.ts',
  'cd "src" && ls *.ts',
  'cd src/deep && cat b.ts',
  '(cd src && cat a.ts)',
  "cd 'a[1]' && ls",
])('"%s" stays where it can be followed, and is not asked about [P5] [P4]', async (command) => {
  const { decision, reason } = await verdictOn(command, 'manual');
  expect([decision, decision === 'allow' ? '' : reason]).toEqual(['allow', '']);
});
