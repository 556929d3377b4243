import { readFile } from 'node:fs/promises';
import type { Subject } from '@countersign/kernel';
import { APPROVAL_MODES, type Kind, type Resource } from '@countersign/protocol';
import { expect, test } from 'vitest';
import { analyzeLine } from '../planning/known-commands.js';
import { DEFAULT_POLICY, DEFAULT_POLICY_SOURCE } from './default-policy.js';
import { loadPolicy } from './load-policy.js';

async function shipped() {
  const result = await loadPolicy([DEFAULT_POLICY_SOURCE], { knownTools: [] });
  if (!result.ok) throw new Error(result.failure.problem);
  return result;
}

const file = (
  kind: 'fs.read' | 'fs.write',
  parts: Partial<Extract<Resource, { place: string }>> = {},
): Resource => ({
  kind,
  path: '/w/a.ts',
  scope: 'file',
  place: 'workspace',
  guarded: null,
  ...parts,
});

const call = (
  tool: string,
  kind: Kind,
  resources: readonly Resource[],
  parts: Partial<Subject> = {},
): Subject => ({
  tool,
  args: {},
  plan: { kind, resources, byDefault: null },
  commands: null,
  mcpServer: null,
  annotations: null,
  origin: 'model',
  mode: 'manual',
  attended: true,
  subagent: null,
  ...parts,
});

test('the shipped rules load without anything to remark', async () => {
  expect((await shipped()).notices).toEqual([]);
});

test('reading goes through in every mode but confirm_always [P1]', async () => {
  const { policy } = await shipped();
  for (const tool of ['read_file', 'read_many_files', 'list_directory', 'glob', 'grep_search']) {
    for (const mode of APPROVAL_MODES) {
      const { decision } = policy.judge(call(tool, 'read', [file('fs.read')], { mode }));
      expect(decision).toBe(mode === 'confirm_always' ? 'ask_user' : 'allow');
    }
  }
});

test('editing asks, goes through in auto_edit and yolo, and not at all in plan [P1]', async () => {
  const { policy } = await shipped();
  const expected = {
    plan: 'deny',
    manual: 'ask_user',
    auto_edit: 'allow',
    yolo: 'allow',
    confirm_always: 'ask_user',
  };
  for (const tool of ['write_file', 'replace']) {
    for (const mode of APPROVAL_MODES) {
      expect(policy.judge(call(tool, 'edit', [file('fs.write')], { mode })).decision).toBe(expected[mode]);
    }
  }
});

test('outside and protected files ask in auto_edit and yolo too [P5]', async () => {
  const { policy } = await shipped();
  for (const mode of ['auto_edit', 'yolo'] as const) {
    for (const risky of [{ place: 'outside' }, { guarded: 'secrets' }] as const) {
      expect(policy.judge(call('write_file', 'edit', [file('fs.write', risky)], { mode })).decision).toBe(
        'ask_user',
      );
    }
  }
});

test('commands, fetching and memory ask; without a user attached they are denied [P1] [A8]', async () => {
  const { policy } = await shipped();
  const calls = [
    call('run_shell_command', 'execute', [{ kind: 'opaque', why: 'a command' }], {
      commands: await analyzeLine('make'),
    }),
    call('web_fetch', 'fetch', [{ kind: 'net', host: 'example.com', access: 'read' }]),
    call('save_memory', 'think', []),
  ];
  for (const each of calls) {
    expect(policy.judge(each).decision).toBe('ask_user');
    expect(policy.judge({ ...each, attended: false })).toMatchObject({
      decision: 'deny',
      because: 'unattended',
    });
  }
});

test('the copy in the documentation is the text that ships', async () => {
  const copy = await readFile(new URL('../../../../docs/default-policy.toml', import.meta.url), 'utf8');
  expect(copy).toBe(DEFAULT_POLICY);
});
