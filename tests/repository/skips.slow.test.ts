import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { filesUnder, isTypeScript, packageNames, root } from '../../scripts/source/files.mjs';
import { parseFile, visit } from '../../scripts/source/syntax.mjs';
import { KNOWN_SKIPS, unknownSkips } from '../../scripts/testing/judge-skips.mjs';

/** Each run of vitest takes a second, and more on a busy machine. */
const RUNS_MS_MAX = 120_000;
vi.setConfig({ testTimeout: RUNS_MS_MAX });

let directory: string;
beforeEach(() => {
  // Inside the checkout, from where tests find vitest.
  mkdirSync(join(root, '.ready'), { recursive: true });
  directory = mkdtempSync(join(root, '.ready/skips-'));
  writeFileSync(join(directory, 'vitest.config.mjs'), 'export default {};');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Runs a file of tests as `npm test` does. */
function runFile(code: string, ci: string, ...args: readonly string[]) {
  writeFileSync(join(directory, 'a.test.js'), `import { expect, test } from 'vitest';\n${code}`);
  const script = `import { runTests } from ${JSON.stringify(join(root, 'scripts/testing/run-tests.mjs'))};
    process.exitCode = await runTests(${JSON.stringify(['--root', directory, ...args])});`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, CI: ci, NO_COLOR: '1' },
    encoding: 'utf8',
  });
  return { status, stdout, lastLine: stdout.trim().split('\n').at(-1) };
}

const TWO_PASS = `test('one', () => {}); test('two', () => {});`;
const UNKNOWN = `test('three', (context) => context.skip('The moon is not full.'));`;
const KNOWN = `test('four', (context) => context.skip('tmux is not installed.'));`;
const SILENT = `test.skip('five', () => {});`;

test('the last line counts what passed, failed and was skipped, and each skip has its reason above it', () => {
  const { status, stdout, lastLine } = runFile(`${TWO_PASS}${UNKNOWN}`, '');
  expect([status, lastLine]).toEqual([0, '2 passed, 0 failed, 1 skipped']);
  expect(stdout).toMatch(/Skipped \(1\): The moon is not full\.\n.*a\.test\.js: three\n/);
});

test('on CI a skip that is not on the list fails the run, and one that is does not', () => {
  const known = runFile(`${TWO_PASS}${KNOWN}`, 'true');
  expect([known.status, known.lastLine]).toEqual([0, '2 passed, 0 failed, 1 skipped']);
  for (const skip of [UNKNOWN, SILENT]) {
    const { status, stdout, lastLine } = runFile(`${TWO_PASS}${KNOWN}${skip}`, 'true');
    expect([status, lastLine]).toEqual([1, '2 passed, 1 failed, 2 skipped']);
    expect(stdout).toContain(
      'With CI=true nothing may be skipped but what scripts/testing/judge-skips.mjs lists.',
    );
  }
});

test('a failed test, a file that cannot be loaded and an error outside of any test are counted as failed', () => {
  const failing = runFile(`${TWO_PASS} test('bad', () => expect(1).toBe(2));`, 'true');
  expect([failing.status, failing.lastLine]).toEqual([1, '2 passed, 1 failed, 0 skipped']);
  const broken = runFile('throw new Error("it does not load");', 'true');
  expect([broken.status, broken.lastLine]).toEqual([1, '0 passed, 1 failed, 0 skipped']);
  const outside = runFile(`${TWO_PASS} Promise.reject(new Error('nobody waits for it'));`, 'true');
  expect([outside.status, outside.lastLine]).toEqual([1, '2 passed, 1 failed, 0 skipped']);
});

test('tests that pass only when they are run again are named, and more than three of them fail the run', () => {
  const unstable = (count: number) =>
    `const seen = new Set();
     test.for([...Array(${count}).keys()])('unstable %i', { retry: 1 }, (number) => {
       if (seen.has(number)) return;
       seen.add(number);
       throw new Error('the first time');
     });`;
  const few = runFile(`${TWO_PASS}${unstable(3)}`, '');
  expect([few.status, few.lastLine]).toEqual([0, '5 passed, 0 failed, 0 skipped']);
  expect(few.stdout).toMatch(/Unstable: failed, then passed when run again: .*a\.test\.js: unstable 2\n/);
  const many = runFile(`${TWO_PASS}${unstable(4)}`, '');
  expect([many.status, many.lastLine]).toEqual([1, '2 passed, 4 failed, 0 skipped']);
});

test('tests that a filter by title omits are not skips', () => {
  const { status, lastLine } = runFile(TWO_PASS, 'true', '-t', 'two');
  expect([status, lastLine]).toEqual([0, '1 passed, 0 failed, 0 skipped']);
});

test('a known skip is known on its platform only, by the beginning of its reason', () => {
  const skip = { test: 'a.test.ts: a', reason: 'Only root can mount.' };
  expect(unknownSkips([skip], 'linux')).toEqual([]);
  expect(unknownSkips([skip], 'darwin')).toEqual([skip]);
  expect(unknownSkips([{ ...skip, reason: 'Only rooted trees.' }], 'linux')).toHaveLength(1);
  expect(KNOWN_SKIPS.length).toBeLessThanOrEqual(6);
});

test('no test is omitted without a reason: runIf and skipIf give none', () => {
  const files = [
    ...packageNames().flatMap((name) => filesUnder(`packages/${name}/src`)),
    ...filesUnder('tests'),
  ];
  const silent = files.filter(isTypeScript).filter((file) => {
    let found = false;
    visit(parseFile(file), ({ type, property }) => {
      const { name } = (property ?? {}) as { readonly name?: string };
      if (type === 'MemberExpression' && (name === 'runIf' || name === 'skipIf')) found = true;
    });
    return found;
  });
  expect(silent).toEqual([]);
});
