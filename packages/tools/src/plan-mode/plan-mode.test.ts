import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { contentHash } from '@countersign/host';
import { failureOf, type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import type { ApprovalMode, Json, PermitSource } from '@countersign/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { carryOut, planContext, planOf, runContext } from '../testing/carry-out.js';
import { writeFile } from '../write-file/write-file.js';
import { enterPlanMode } from './enter-plan-mode.js';
import { exitPlanMode } from './exit-plan-mode.js';

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

const PERSON: PermitSource = { type: 'person', who: 'ada' };
const planned = async (name: string) =>
  exitPlanMode.plan({ plan_filename: name }, planContext({ workspace: place.workspace }));

/** As the engine does once a person has answered. */
async function leave(name: string, answers: Json, permit = PERSON, meanwhile = () => {}) {
  const { workspace } = place;
  const modes: ApprovalMode[] = [];
  const plan = planOf(exitPlanMode, await planned(name), workspace);
  meanwhile();
  const result = await exitPlanMode.run(
    { plan_filename: name },
    { ...runContext(plan, { workspace }), answers, permit, setMode: (mode) => modes.push(mode) },
  );
  return { modes, text: String(result.llmContent) };
}

describe('entering', () => {
  test('asks with the reason, turns plan mode on and names the directory for plans [P1]', async () => {
    const { workspace } = place;
    const modes: ApprovalMode[] = [];
    const args = { reason: 'Many files change.' };
    const draft = await enterPlanMode.plan(args, planContext({ workspace }));
    expect(draft).toMatchObject({
      resources: [],
      byDefault: 'ask_user',
      confirmation: { type: 'info', prompt: expect.stringContaining('Reason: Many files change.') },
    });
    const plan = planOf(enterPlanMode, draft, workspace);
    const result = await enterPlanMode.run(args, {
      ...runContext(plan, { workspace }),
      setMode: (mode) => modes.push(mode),
    });
    expect(modes).toEqual(['plan']);
    expect(result.llmContent).toContain('.countersign/plans/NAME.md');
  });
});

describe('the plan', () => {
  test('is shown whole, and an answer is bound to its content [A1] [A3]', async () => {
    const path = place.put('.countersign/plans/login.md', '# Login\n\n1. Do it.\n');
    const hash = contentHash(Buffer.from('# Login\n\n1. Do it.\n'));
    for (const name of ['login.md', '.countersign/plans/login.md', path])
      expect(await planned(name)).toEqual({
        title: 'Approve the plan .countersign/plans/login.md',
        resources: [{ kind: 'fs.read', path, scope: 'file' }],
        repeat: 'safe',
        locations: [{ path }],
        basis: [{ path, before: hash, after: hash }],
        byDefault: 'ask_user',
        confirmation: {
          type: 'exit_plan_mode',
          title: 'Approve the plan .countersign/plans/login.md',
          planPath: path,
          plan: '# Login\n\n1. Do it.\n',
        },
      });
  });

  test('may be written in the same turn, and is an ordinary file to write [P1]', async () => {
    const { workspace } = place;
    const { plan } = await carryOut(
      writeFile,
      { file_path: '.countersign/plans/a.md', content: 'on the disk\n' },
      { workspace },
    );
    expect(plan.resources).toMatchObject([{ place: 'workspace', guarded: null }]);
    const draft = await exitPlanMode.plan(
      { plan_filename: 'a.md' },
      planContext({ workspace, earlier: () => Promise.resolve(Buffer.from('to be written\n')) }),
    );
    expect(draft.confirmation).toMatchObject({ plan: 'to be written\n' });
  });

  test('that is missing or empty is reported, with what to do', async () => {
    place.put('.countersign/plans/login.md', ' \n');
    expect(await failureOf(planned('logn.md'))).toEqual({
      code: 'file_not_found',
      path: '.countersign/plans/logn.md',
      nearest: ['.countersign/plans/login.md'],
    });
    expect(await failureOf(planned('login.md'))).toMatchObject({
      type: 'plan_empty',
      message: expect.stringContaining('Write the plan into it with write_file first.'),
    });
    place.put('.countersign/plans/zip.md', Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0]));
    expect(await failureOf(planned('zip.md'))).toMatchObject({ type: 'plan_not_text' });
  });

  test('is never another file: not by its path, not by its kind, not through a link [P5]', async () => {
    place.put('src/a.md', 'source\n');
    place.put('.countersign/plans/a.txt', 'text\n');
    place.put('.countersign/plans/deep/a.md', 'deep\n');
    place.put('.countersign/policy.md', 'policy\n');
    symlinkSync('../../src/a.md', join(place.workspace, '.countersign/plans/link.md'));
    const refused = [
      'src/a.md',
      'a.txt',
      'login',
      '..',
      '.countersign/plans/deep/a.md',
      '.countersign/plans/../policy.md',
      'link.md',
      '/etc/passwd',
    ];
    for (const path of refused)
      expect(await failureOf(planned(path))).toMatchObject({ code: 'invalid_path', path });
  });

  test('is no other file when the whole directory is a link', async () => {
    place.put('src/a.md', 'source\n');
    mkdirSync(join(place.workspace, '.countersign'));
    symlinkSync('../src', join(place.workspace, '.countersign/plans'));
    expect(await failureOf(planned('a.md'))).toMatchObject({ code: 'invalid_path' });
  });
});

describe('leaving', () => {
  beforeEach(() => {
    place.put('.countersign/plans/a.md', 'the plan\n');
  });

  test.each<[Json, ApprovalMode]>([
    [null, 'manual'],
    [{}, 'manual'],
    [{ approvalMode: 'manual' }, 'manual'],
    [{ approved: true, approvalMode: 'default' }, 'manual'],
    [{ approvalMode: 'auto_edit' }, 'auto_edit'],
    [{ approvalMode: 'autoEdit' }, 'auto_edit'],
  ])('with the answer %j continues in mode %s', async (answers, mode) => {
    const { modes, text } = await leave('a.md', answers);
    expect(modes).toEqual([mode]);
    expect(text).toContain('The user approved the plan .countersign/plans/a.md. Plan mode is off.');
  });

  test('is refused by an answer with approved: false, and the feedback reaches the model [A2]', async () => {
    const { modes, text } = await leave('a.md', { approved: false, feedback: 'Smaller steps.' });
    expect(modes).toEqual([]);
    expect(text).toContain('did not approve');
    expect(text).toContain('Feedback: Smaller steps.');
  });

  test('never makes a mode of something else', async () => {
    for (const approvalMode of ['yolo', 'toString', 7]) {
      const failure = await failureOf(leave('a.md', { approvalMode }));
      expect(failure).toMatchObject({
        code: 'execution_failed',
        message: expect.stringContaining('which does not exist'),
      });
    }
  });

  test('needs a person, even if something else allowed the call to run', async () => {
    for (const permit of [
      { type: 'policy', rule: null },
      { type: 'hook', hook: 'h' },
      { type: 'grant', grantId: 'g' },
    ] as const)
      expect(await failureOf(leave('a.md', null, permit))).toMatchObject({
        message: expect.stringContaining('The user has not approved the plan.'),
      });
  });

  test('with a plan that changed since it was shown fails, and plan mode stays [A3]', async () => {
    const changed = leave('a.md', null, PERSON, () => place.put('.countersign/plans/a.md', 'another\n'));
    expect(await failureOf(changed)).toEqual({ code: 'stale_file', path: '.countersign/plans/a.md' });
  });
});
