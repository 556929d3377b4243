import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { hooksFor, projectSettings, saying, userSettings } from './hook-settings.js';
import { errorOf, readCall, test } from './program.js';
import {
  ALLOW_WRITING,
  DENY_READING,
  exec,
  furnish,
  RULES,
  records,
  TRUSTED,
  trust,
  UNTRUSTED,
} from './trusted-place.js';

describe('a folder that is not trusted', () => {
  test('runs no hook, applies no rule and weakens no setting, and prints one notice [P8] [H4]', async ({
    place,
  }) => {
    furnish(place);
    const { stderr, statuses } = await exec(place);
    expect([statuses, place.has('canary'), place.has('b.txt')]).toEqual([UNTRUSTED, false, false]);
    expect(stderr.trim().split('\n')).toEqual([
      `countersign: ${place.workspace} is not trusted, so this has no effect:`,
      `  ${RULES} (its rules, including those that deny)`,
      '  .countersign/settings.json: hooks, approvalMode',
      `  To review and trust it: countersign trust ${place.workspace}`,
    ]);
  });

  test('is judged without its rules by policy check as well [P8] [P7]', async ({ place }) => {
    furnish(place);
    const check = async () => (await place.run(['policy', 'check', 'read_file', '{"file_path":"a"}'])).stdout;
    expect(await check()).toMatch(/^allow/);
    await trust(place, '--yes');
    expect(await check()).toMatch(/^deny/);
  });

  test('needs no trust for what does no harm, and is not mentioned [P8]', async ({ place }) => {
    projectSettings(place, { model: 'm', sandbox: 'required' });
    const { code, stderr } = await place.run(['exec', '{"name":"list_directory","args":{"dir_path":"."}}']);
    expect([code, stderr]).toEqual([0, '']);
    expect((await trust(place)).stdout).toContain('nothing that requires trust');
    expect((await trust(place, '--json')).lines).toEqual([{ path: place.workspace, needed: false }]);
  });

  test('cannot make the program wait or fail by what lies where rules should be [P8]', async ({ place }) => {
    mkdirSync(join(place.workspace, '.countersign/policies'), { recursive: true });
    symlinkSync('/dev/zero', join(place.workspace, RULES));
    const { statuses } = await exec(place);
    expect(statuses).toEqual(['success', 'error', 'error']);
    const { code, stderr } = await trust(place, '--yes');
    expect([code, stderr]).toEqual([4, expect.stringContaining('it is not a regular file')]);
  });
});

describe('trusting a folder', () => {
  test('shows all that would take effect, then lets it [P8] [H4]', async ({ place }) => {
    furnish(place);
    const { code, stdout, stderr } = await trust(place, '--yes');
    expect([code, stderr]).toEqual([0, expect.stringContaining('Trusted in its current state.')]);
    expect(stdout.trim().split('\n')).toEqual([
      `If you trust ${place.workspace}, this takes effect:`,
      `  rules     ${RULES}: 2 rules (allow, deny)`,
      ...(DENY_READING + ALLOW_WRITING)
        .trimEnd()
        .split('\n')
        .map((line) => `              ${line}`),
      '  hook      BeforeTool, for what matches list_.* (check)',
      '              runs: scripts/check.sh',
      '              files: scripts/check.sh',
      '  setting   approvalMode: "auto_edit"',
    ]);
    const trusted = await exec(place);
    expect([trusted.statuses, trusted.stderr]).toEqual([TRUSTED, '']);
    expect(place.read('canary')).toBe('ran\n');
    expect(errorOf(trusted.lines[1]).message).toContain(`${RULES}:1`);
  });

  test('shows rules without what acts on a screen, and says how much of a long file is not shown [P8]', async ({
    place,
  }) => {
    const rule = '[[rule]]\ntoolName = "read_file"\ndecision = "allow"\npriority = 1\n';
    place.write(
      RULES,
      `# \u202eharmless\u001b[2K ${'x'.repeat(5_000)}\n${rule.repeat(200)}`.replace('\u001b', ''),
    );
    const { stdout } = await trust(place, '--yes');
    expect(stdout).not.toMatch(/[\u202e\u001b]/);
    expect(stdout).toMatch(/more characters/);
    expect(stdout).toContain(`more lines. Read ${RULES} before you agree.`);
    expect(stdout.split('\n').length).toBeLessThan(320);
    const { lines } = await trust(place, '--json');
    expect(JSON.stringify(lines)).toContain('toolName');
  });

  test('needs a confirmation by the user: without a terminal that is --yes [P8]', async ({ place }) => {
    furnish(place);
    const { code, stdout, stderr } = await trust(place);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--yes')]);
    expect(stdout).toContain('scripts/check.sh');
    expect((await exec(place)).statuses).toEqual(UNTRUSTED);
  });

  test('is written down for its owner only, whole, and by any number of processes at once [P8]', async ({
    place,
  }) => {
    const folders = ['a', 'b', 'c', 'd', 'e'].map((name) => join(place.workspace, name));
    for (const folder of folders)
      place.write(join(folder.slice(place.workspace.length), RULES), DENY_READING);
    const ran = await Promise.all([...folders, ...folders].map((folder) => trust(place, folder, '--yes')));
    expect(ran.map(({ code }) => code)).toEqual(ran.map(() => 0));
    expect(records(place)).toHaveLength(folders.length);
    for (const file of records(place)) expect(statSync(file).mode & 0o777).toBe(0o600);
    const { lines } = await trust(place, '--list', '--json');
    expect(lines.map(({ path, now }) => [path, now])).toEqual(folders.map((folder) => [folder, 'trusted']));
  });

  test('is for that very folder: not for one in it, not for one above it, but by whatever path it is reached [P8]', async ({
    place,
  }) => {
    furnish(place);
    place.write(`inner/${RULES}`, DENY_READING);
    place.write('inner/scripts/check.sh', '');
    await trust(place, '--yes');
    const inner = await exec(place, { cwd: join(place.workspace, 'inner') });
    expect([inner.statuses, inner.stderr]).toEqual([
      UNTRUSTED,
      expect.stringContaining('inner is not trusted'),
    ]);
    await trust(place, '--revoke');
    await trust(place, 'inner', '--yes');
    expect((await exec(place)).statuses).toEqual(UNTRUSTED);

    const link = join(place.directory, 'link');
    symlinkSync(place.workspace, link);
    await trust(place, link, '--yes');
    expect((await exec(place)).statuses).toEqual(TRUSTED);
    expect((await exec(place, { cwd: link })).statuses).toEqual(TRUSTED);
  });

  test('what cannot take effect cannot be trusted either [P8]', async ({ place }) => {
    place.write(RULES, '[[rule]]\ntoolName = \n');
    expect(await trust(place, '--yes')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('rules.toml:2'),
    });
    place.write(RULES, DENY_READING);
    projectSettings(place, { hooks: { BeforTool: [] } });
    expect(await trust(place, '--yes')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('BeforTool'),
    });
    expect(place.has('../home/trusted-folders')).toBe(false);
  });

  test('shows what a command hides from the eye [A7] [P8]', async ({ place }) => {
    projectSettings(
      place,
      hooksFor({ BeforeTool: [{ command: 'true\r\n  rules     fine\u202e\u001b[2K' }] }),
    );
    const { stdout } = await trust(place, '--yes');
    expect(stdout).not.toMatch(/[\r\u202e\u001b]/);
    expect(stdout.trim().split('\n')).toHaveLength(3);
  });
});

test('revoking works also for a deleted folder [P8]', async ({ place }) => {
  furnish(place);
  await trust(place, '--yes');
  expect(await trust(place, '--revoke')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('no longer trusted'),
  });
  expect((await exec(place)).statuses).toEqual(UNTRUSTED);
  expect((await trust(place, '--revoke')).code).toBe(1);

  place.write(`gone/${RULES}`, DENY_READING);
  await trust(place, 'gone', '--yes');
  rmSync(join(place.workspace, 'gone'), { recursive: true });
  expect((await trust(place, '--list')).stdout).toContain('was removed');
  expect((await trust(place, '--revoke', join(place.workspace, 'gone'))).code).toBe(0);
  expect(records(place)).toEqual([]);
});

test('a skill needs trust as it is, also where there is nothing else [P8]', async ({ place }) => {
  const skill = '.gemini/skills/review/SKILL.md';
  place.write(skill, '---\nname: review\ndescription: Reviews.\n---\nLook twice.\n');
  expect((await exec(place)).stderr).toContain(`${skill} (a skill)`);
  expect(await trust(place, '--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`skill     ${skill}`),
  });
  expect((await exec(place)).stderr).toBe('');
  place.write(skill, 'Look away.');
  expect((await exec(place)).stderr).toContain(`${skill} was changed`);
});

test('a record that was tampered with is trust in nothing [P8]', async ({ place }) => {
  furnish(place);
  await trust(place, '--yes');
  const [file = ''] = records(place);
  const record = JSON.parse(readFileSync(file, 'utf8'));
  expect(record).toMatchObject({ path: place.workspace, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  for (const text of [
    '',
    '{',
    JSON.stringify({ ...record, path: '/elsewhere' }),
    JSON.stringify({ ...record, hash: '' }),
  ]) {
    place.write(`../home/trusted-folders/${file.split('/').at(-1)}`, text);
    expect((await exec(place)).statuses).toEqual(UNTRUSTED);
  }
});

test('a project takes no guard away from the person, even where it is trusted [P8] [H4]', async ({
  place,
}) => {
  userSettings(
    place,
    hooksFor({ BeforeTool: [{ command: saying({ decision: 'deny', reason: 'mine' }), name: 'guard' }] }),
  );
  projectSettings(place, { hooksConfig: { enabled: false, disabled: ['guard'] } });
  await trust(place, '--yes');
  const { lines } = await place.run(['exec', JSON.stringify(readCall('a'))]);
  expect(errorOf(lines[0]).message).toContain('mine');
});

test('a workspace that is the configuration directory of the user needs no trust [P8]', async ({ place }) => {
  furnish(place);
  const env = { COUNTERSIGN_HOME: join(place.workspace, '.countersign') };
  const { stderr, statuses } = await exec(place, { env });
  expect([stderr, statuses]).toEqual(['', TRUSTED]);
});
