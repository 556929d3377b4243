import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contentHash } from '@countersign/host';
import { failureOf, type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { carryOut } from '../testing/carry-out.js';
import { activateSkill } from './activate-skill.js';

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

const directory = () => join(place.outside, 'skills/release-notes');
const SKILL = '---\nname: release-notes\ndescription: Write release notes.\n---\n\nRead the log first.\n';
function put(path: string, content: string): void {
  const full = join(directory(), path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
}
const carry = (name: string, meanwhile = () => {}, workspaceSkills: 'trusted' | 'omitted' = 'omitted') =>
  carryOut(
    activateSkill({ userDirectories: [place.outside], workspaceSkills }),
    { name },
    { workspace: place.workspace, meanwhile },
  );

test('activating gives the instructions and the files beside them, and shows both the person and policy what is read [T3]', async () => {
  put('SKILL.md', SKILL);
  put('scripts/log.sh', 'git log');
  put('reference/a b.md', '');
  put('.git/config', '');
  symlinkSync('/etc', join(directory(), 'etc'));
  const { draft, plan, result } = await carry('release-notes');
  expect(result.llmContent).toBe(
    `Skill "release-notes" is active. Its instructions:\n\nRead the log first.\n\nFiles of the skill, in ${directory()}:\n- reference/a b.md\n- scripts/log.sh`,
  );
  const path = join(directory(), 'SKILL.md');
  const hash = contentHash(Buffer.from(SKILL));
  expect(plan).toMatchObject({
    kind: 'read',
    resources: [{ kind: 'fs.read', path: directory(), scope: 'tree', place: 'outside' }],
    basis: [{ path, before: hash, after: hash }],
  });
  expect(draft.confirmation).toMatchObject({
    type: 'info',
    prompt: `Write release notes.\nFrom the user: ${path}\nThe model receives:\n\nRead the log first.`,
  });
});

test('a skill alone has no list of files', async () => {
  put('SKILL.md', SKILL);
  const { result } = await carry('release-notes');
  expect(result.llmContent).toBe('Skill "release-notes" is active. Its instructions:\n\nRead the log first.');
});

test('of very many files a part is listed', async () => {
  put('SKILL.md', SKILL);
  for (let at = 0; at < 210; at += 1) put(`data/${at}`, '');
  const { result } = await carry('release-notes');
  expect(String(result.llmContent).endsWith('- and more')).toBe(true);
});

test('an unknown name fails with the nearest; skills of a workspace count only if it is trusted [P8]', async () => {
  put('SKILL.md', SKILL);
  place.put('.gemini/skills/deploy/SKILL.md', SKILL.replace('release-notes', 'deploy'));
  expect(await failureOf(carry('relase-notes'))).toEqual({
    code: 'unknown_skill',
    name: 'relase-notes',
    nearest: ['release-notes'],
  });
  expect(await failureOf(carry('deploy'))).toMatchObject({ code: 'unknown_skill', nearest: [] });
  const { plan } = await carry('deploy', undefined, 'trusted');
  expect(plan.resources).toMatchObject([{ place: 'workspace', guarded: expect.stringContaining('.gemini') }]);
});

test('instructions that changed since they were shown are not given [A3]', async () => {
  put('SKILL.md', SKILL);
  const changed = carry('release-notes', () => put('SKILL.md', SKILL.replace('first', 'never')));
  expect(await failureOf(changed)).toEqual({ code: 'stale_file', path: join(directory(), 'SKILL.md') });
});
