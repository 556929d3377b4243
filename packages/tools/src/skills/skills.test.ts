import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findSkills, type SkillPlaces } from './find-skills.js';
import { readFrontMatter } from './front-matter.js';
import { skillsText } from './skills-text.js';

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

const find = (workspaceSkills: SkillPlaces['workspaceSkills'] = 'trusted') =>
  findSkills(place.workspace, { userDirectories: [place.outside], workspaceSkills });
const skill = (name: string, description = `for ${name}`) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\nDo ${name}.\n`;
function putUser(path: string, content: string): void {
  const full = join(place.outside, 'skills', path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
}

describe('skills are found', () => {
  test('in the user’s directory and in those of a trusted workspace, and listed for a prompt [T3]', async () => {
    putUser('notes/SKILL.md', skill('notes'));
    place.put('.countersign/skills/deploy/SKILL.md', skill('deploy'));
    place.put('.gemini/skills/lint/SKILL.md', skill('lint'));
    const { skills, problems } = await find();
    expect(problems).toEqual([]);
    expect(skills.map(({ name, from, body, directory }) => [name, from, body, directory])).toEqual([
      ['notes', 'user', 'Do notes.', join(place.outside, 'skills/notes')],
      ['deploy', 'workspace', 'Do deploy.', join(place.workspace, '.countersign/skills/deploy')],
      ['lint', 'workspace', 'Do lint.', join(place.workspace, '.gemini/skills/lint')],
    ]);
    expect(skillsText(skills)).toMatch(
      /activate_skill[^]*\n- notes: for notes\n- deploy \(from the workspace\): for deploy\n- lint/,
    );
    expect(skillsText([])).toBe('');
  });

  test('not in a workspace that is not trusted [P8]', async () => {
    putUser('notes/SKILL.md', skill('notes'));
    place.put('.countersign/skills/deploy/SKILL.md', skill('deploy'));
    expect((await find('omitted')).skills.map(({ name }) => name)).toEqual(['notes']);
  });

  test('once per name: a workspace cannot take the place of the user’s own', async () => {
    putUser('notes/SKILL.md', skill('notes', 'mine'));
    place.put('.gemini/skills/other/SKILL.md', skill('notes', 'theirs'));
    const { skills, problems } = await find();
    expect(skills).toMatchObject([{ name: 'notes', description: 'mine' }]);
    expect(problems).toMatchObject([
      { problem: expect.stringContaining('Another skill has the name "notes"') },
    ]);
  });

  test('through links of the user’s, and of a workspace only within it', async () => {
    putUser('../elsewhere/my notes/SKILL.md', '---\ndescription: linked\n---\nx');
    mkdirSync(join(place.outside, 'skills'), { recursive: true });
    symlinkSync('../elsewhere/my notes', join(place.outside, 'skills/notes'));
    symlinkSync('nowhere', join(place.outside, 'skills/broken'));
    symlinkSync('round', join(place.outside, 'skills/round'));
    mkdirSync(join(place.workspace, '.gemini/skills'), { recursive: true });
    symlinkSync(join(place.outside, 'elsewhere/my notes'), join(place.workspace, '.gemini/skills/out'));
    const { skills, problems } = await find();
    expect(skills).toMatchObject([{ name: 'notes', description: 'linked' }]);
    expect(problems.map(({ problem }) => problem)).toEqual([
      'Its symbolic links are broken.',
      expect.stringMatching(/outside the workspace/),
    ]);
  });
});

test('what is no skill is reported, and does no harm to the others', async () => {
  putUser('a-no-head/SKILL.md', 'Just text.');
  putUser('b-no-description/SKILL.md', '---\nname: b\n---\n');
  putUser('c-name/SKILL.md', skill('../../etc'));
  putUser('d-large/SKILL.md', skill('d', 'x'.repeat(200_000)));
  putUser('e-nothing/README.md', '');
  putUser('f-good/SKILL.md', skill('good', `long ${'x'.repeat(2_000)}\u202e`));
  putUser('file', '');
  chmodSync(join(place.outside, 'skills'), 0o755);
  const { skills, problems } = await find();
  expect(skills.map(({ name, description }) => [name, description.length])).toEqual([['good', 1_024]]);
  expect(problems.map(({ problem }) => problem)).toEqual([
    'It does not start with a header between two lines of "---".',
    'It has no description.',
    'Its name "../../etc" is not made of letters, digits, ".", "_" and "-".',
    expect.stringContaining('the limit is 200000'),
  ]);
});

describe('the head of a file', () => {
  const fields = (head: string) =>
    Object.fromEntries(readFrontMatter(`---\n${head}\n---\nbody`)?.fields ?? new Map());

  test.each([
    ['plain texts and comments', '# c\na: one two # c\nb: it#s: fine', { a: 'one two', b: 'it#s: fine' }],
    ['quoted texts', `a: "x: \\"y\\"\\n# z" # c\nb: 'it''s'`, { a: 'x: "y"\n# z', b: "it's" }],
    ['folded texts', 'a: >-\n  one\n  two\n\n  three\nb: x', { a: 'one two three', b: 'x' }],
    ['texts as they are', 'a: |\n  one\n  two\nb: x', { a: 'one\ntwo', b: 'x' }],
    ['texts that go on', 'a: one\n  two\nb:\n  three', { a: 'one two', b: 'three' }],
    ['no lists, no nested fields', 'a:\n  - x\nb:\n  c: d\ntools: [x]\ne: f', { tools: '[x]', e: 'f' }],
    ['blanks that mean nothing', `a: x${' '.repeat(100_000)}y#`, { a: `x${' '.repeat(100_000)}y#` }],
    ['no quote without its end', 'a: "x\nb: y', { b: 'y' }],
    ['names of objects as names', '__proto__: x\nconstructor: y', { constructor: 'y' }],
  ])('has %s', (_, head, expected) => {
    expect(fields(head)).toEqual(expected);
  });

  test('ends at its second line of dashes, also with other line ends; without one there is none', () => {
    expect(readFrontMatter('---\r\na: x\r\n---\r\nb\r\n---\r\nc')?.body).toBe('b\n---\nc');
    expect(readFrontMatter('---\na: x\n')).toBeNull();
    expect(readFrontMatter('a\n---\nb: x\n---\n')).toBeNull();
    expect(readFrontMatter('')).toBeNull();
    expect(readFrontMatter(`---\n${'a: x\n'.repeat(50_000)}---\n`)).toBeNull();
  });
});
