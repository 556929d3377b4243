import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PolicyEngine } from '../policy/policy-engine.js';
import { ApprovalMode } from '../types/enums.js';
import { Config } from './config.js';
import { MessageBus } from './message-bus.js';

test('every parameter has a default [E2]', () => {
  const config = new Config();
  expect(config.getApprovalMode()).toBe('manual');
  expect(config.getTargetDir()).toBe(realpathSync(process.cwd()));
  expect(config.isInteractive()).toBe(true);
  expect(config.getSessionId()).not.toBe(new Config().getSessionId());
  expect(config.getPolicyEngine()).toBeInstanceOf(PolicyEngine);
  expect(config.getMessageBus()).toBeInstanceOf(MessageBus);
});

test('parameters override the defaults [E2]', () => {
  const policyEngine = new PolicyEngine();
  const messageBus = new MessageBus();
  const config = new Config({
    policyEngine,
    messageBus,
    sessionId: 's',
    interactive: false,
    approvalMode: ApprovalMode.AUTO_EDIT,
  });
  expect(config.getPolicyEngine()).toBe(policyEngine);
  expect(config.getMessageBus()).toBe(messageBus);
  expect([config.getSessionId(), config.isInteractive(), config.getApprovalMode()]).toEqual([
    's',
    false,
    'auto_edit',
  ]);
});

test('the mode can be changed, in every accepted spelling, and listeners receive it [P1]', () => {
  const config = new Config({ approvalMode: 'autoEdit' });
  const modes: string[] = [];
  const stop = config.onApprovalModeChange((mode) => modes.push(mode));
  config.setApprovalMode('auto');
  config.setApprovalMode('yolo');
  config.setApprovalMode('default');
  stop();
  config.setApprovalMode(ApprovalMode.PLAN);
  expect(modes).toEqual(['yolo', 'manual']);
  expect(config.getApprovalMode()).toBe('plan');
  expect(config.getPolicyEngine().getApprovalMode()).toBe('plan');
});

test('an unknown mode is refused, instead of becoming a more permissive one [P1]', () => {
  const misspelled: ApprovalMode = JSON.parse('"Yolo"');
  expect(() => new Config({ approvalMode: misspelled })).toThrow(
    '"Yolo" is not an approval mode. Modes: plan, manual',
  );
  expect(() => new Config().setApprovalMode(JSON.parse('"toString"'))).toThrow('is not an approval mode');
});

test('without a mode of its own it has the mode of its policy engine', () => {
  expect(new Config({ policyEngine: new PolicyEngine({ approvalMode: 'plan' }) }).getApprovalMode()).toBe(
    'plan',
  );
});

test('the workspace is resolved when it is first needed, symlinks included', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-config-')));
  try {
    symlinkSync('real', join(base, 'link'));
    const config = new Config({ targetDir: join(base, 'link') });
    mkdirSync(join(base, 'real'));
    expect(config.getTargetDir()).toBe(join(base, 'real'));
  } finally {
    rmSync(base, { recursive: true });
  }
});

test('a workspace that was not named is not a root or a home directory [P5]', () => {
  const here = process.cwd();
  process.chdir('/');
  try {
    expect(() => new Config()).toThrow(
      '/ is the root of the file system, and was not given as the workspace',
    );
    expect(new Config({ targetDir: '/' }).getTargetDir()).toBe('/');
  } finally {
    process.chdir(here);
  }
});
