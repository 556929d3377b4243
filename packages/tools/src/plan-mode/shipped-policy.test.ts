import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_POLICY_SOURCE, loadPolicy, supposeCall, Toolbox, type UnrunCall } from '@countersign/engine';
import { classify } from '@countersign/host';
import { type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { APPROVAL_MODES, type ApprovalMode, type JsonObject } from '@countersign/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { builtInTools } from '../built-in-tools.js';
import { saveMemory } from '../save-memory/save-memory.js';

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

/** What the rules that ship make of a call of the real tools, planned on real files. */
async function verdict(tool: string, args: JsonObject, mode: ApprovalMode, parts: Partial<UnrunCall> = {}) {
  const tools = new Toolbox([...builtInTools(), saveMemory({ userDirectory: place.outside })]);
  const loaded = await loadPolicy([DEFAULT_POLICY_SOURCE], {
    knownTools: tools.all().map(({ name }) => name),
  });
  if (!loaded.ok) throw new Error(loaded.failure.problem);
  const { subject } = await supposeCall(
    {
      tool,
      args,
      mode,
      mcpServer: null,
      annotations: null,
      origin: 'model',
      attended: true,
      subagent: null,
      ...parts,
    },
    { tools, workspace: place.workspace, classify },
  );
  return loaded.policy.judge(subject);
}
const decision = async (...call: Parameters<typeof verdict>) => (await verdict(...call)).decision;
const write = (file_path: string) => ({ file_path, content: 'x\n' });

describe('plan mode', () => {
  test('lets the plan be written and rewritten, and nothing else [P1]', async () => {
    place.put('.countersign/plans/b.md', 'old\n');
    expect(await decision('write_file', write('.countersign/plans/a.md'), 'plan')).toBe('allow');
    const change = { file_path: '.countersign/plans/b.md', old_string: 'old', new_string: 'new' };
    expect(await decision('replace', change, 'plan')).toBe('allow');
    for (const path of [
      'a.md',
      'plans/a.md',
      '.countersign/plans/a.sh',
      '.countersign/plans/deep/a.md',
      '.countersign/policy.md',
      '.countersign/plans/../hooks.md',
      'sub/.countersign/plans/a.md',
      '.gemini/plans/a.md',
      join(place.outside, '.countersign/plans/a.md'),
    ])
      expect([path, await decision('write_file', write(path), 'plan')]).toEqual([path, 'deny']);
    expect(await decision('run_shell_command', { command: 'touch .countersign/plans/a.md' }, 'plan')).toBe(
      'deny',
    );
    expect(await decision('save_memory', { fact: 'x', scope: 'project' }, 'plan')).toBe('deny');
  });

  test('takes no other file for a plan that a link makes look like one [P1] [P5]', async () => {
    place.put('src/a.md', 'source\n');
    mkdirSync(join(place.workspace, '.countersign'));
    symlinkSync('../src', join(place.workspace, '.countersign/plans'));
    expect(await decision('write_file', write('.countersign/plans/a.md'), 'plan')).toBe('deny');
  });

  test('is the only one in which a plan is more than an edit like others [P1]', async () => {
    const plan = write('.countersign/plans/a.md');
    expect(await decision('write_file', plan, 'manual')).toBe('ask_user');
    expect(await decision('write_file', plan, 'auto_edit')).toBe('allow');
    expect(await decision('write_file', plan, 'confirm_always')).toBe('ask_user');
  });

  test('is left with a person’s consent, and only from within [P1]', async () => {
    place.put('.countersign/plans/a.md', 'the plan\n');
    for (const mode of APPROVAL_MODES) {
      const expected = mode === 'plan' ? 'ask_user' : 'deny';
      expect(await decision('exit_plan_mode', { plan_filename: 'a.md' }, mode)).toBe(expected);
    }
    expect(await decision('enter_plan_mode', {}, 'plan')).toBe('deny');
  });

  test('is entered with a person’s consent, and not at all where no user could end it [P1] [A8]', async () => {
    expect(await decision('enter_plan_mode', {}, 'manual')).toBe('ask_user');
    for (const mode of APPROVAL_MODES)
      expect(await verdict('enter_plan_mode', {}, mode, { attended: false })).toMatchObject({
        decision: 'deny',
        reason: expect.stringContaining('plan mode could not be exited'),
      });
  });
});

describe('what asks a person', () => {
  const ask = { questions: [{ question: 'What?', header: 'What', type: 'text' }] };

  test('asks in every mode, also if a person typed it [P1] [A1]', async () => {
    for (const mode of APPROVAL_MODES) {
      expect(await decision('ask_user', ask, mode)).toBe('ask_user');
      expect(await decision('ask_user', ask, mode, { origin: 'person' })).toBe('ask_user');
    }
  });

  test('is denied where no user is attached, and the model learns why [A8]', async () => {
    for (const mode of APPROVAL_MODES)
      expect(await verdict('ask_user', ask, mode, { attended: false })).toMatchObject({
        decision: 'deny',
        because: 'unattended',
      });
  });
});

test('todos and topics need no question but in confirm_always [P1]', async () => {
  for (const mode of APPROVAL_MODES) {
    const expected = mode === 'confirm_always' ? 'ask_user' : 'allow';
    expect(await decision('write_todos', { todos: [] }, mode)).toBe(expected);
    expect(await decision('update_topic', { strategic_intent: 'x' }, mode)).toBe(expected);
  }
});

test('what is remembered permanently is asked about, in yolo too if it is for all projects [P5]', async () => {
  expect(await decision('save_memory', { fact: 'x', scope: 'project' }, 'manual')).toBe('ask_user');
  expect(await decision('save_memory', { fact: 'x' }, 'manual')).toBe('ask_user');
  expect(await decision('save_memory', { fact: 'x' }, 'yolo')).toBe('ask_user');
});
