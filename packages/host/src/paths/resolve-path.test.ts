import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asNobody, failureOf, type TemporaryWorkspace, temporaryWorkspace } from '../testing/index.js';
import { resolvePath, resolvePathSync } from './resolve-path.js';

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

/** Asked both ways, with and without waiting: the answer and the failure are the same. */
async function resolved(given: string): Promise<string> {
  const waited = resolvePath(place.workspace, given);
  const atOnce = (async () => resolvePathSync(place.workspace, given))();
  const [outcome, same] = await Promise.allSettled([waited, atOnce]);
  expect(same).toEqual(outcome);
  return waited;
}

test('a relative path counts from the workspace, not from the process [P5]', async () => {
  place.put('src/a.ts', '');
  expect(process.cwd()).not.toBe(place.workspace);
  expect(await resolved('src/a.ts')).toBe(`${place.workspace}/src/a.ts`);
  expect(await resolved('./src//./a.ts')).toBe(`${place.workspace}/src/a.ts`);
  expect(await resolved(`${place.workspace}/src/a.ts`)).toBe(`${place.workspace}/src/a.ts`);
  expect(await resolved('.')).toBe(place.workspace);
  expect(await resolved('/')).toBe('/');
});

test('what does not exist counts from its nearest existing parent [P5]', async () => {
  mkdirSync(`${place.outside}/there`);
  symlinkSync(`${place.outside}/there`, `${place.workspace}/link`);
  symlinkSync('chain', `${place.workspace}/first`);
  symlinkSync(`${place.outside}/not-yet`, `${place.workspace}/chain`);
  expect(await resolved('new/deep/file')).toBe(`${place.workspace}/new/deep/file`);
  expect(await resolved('link/new/file')).toBe(`${place.outside}/there/new/file`);
  expect(await resolved('first/x')).toBe(`${place.outside}/not-yet/x`);
  expect(await resolved('new/../other')).toBe(`${place.workspace}/other`);
});

test('`..` after a symlink leads to the parent of its target, as for the kernel [P5]', async () => {
  symlinkSync(place.outside, `${place.workspace}/dir`);
  expect(await resolved('dir/../new')).toBe(`${place.outside.replace(/\/outside$/, '')}/new`);
  place.put('../secret', '');
  expect(await resolved('dir/../secret')).toBe(`${place.outside.replace(/\/outside$/, '')}/secret`);
});

test('nothing is expanded or decoded [P5]', async () => {
  for (const given of ['~/x', '$HOME/x', '%2e%2e/x', '..\\x', '*.ts', 'file:///x'])
    expect(await resolved(given)).toBe(`${place.workspace}/${given.replace('///', '/')}`);
});

test.each([
  ['empty', '', 'it is empty'],
  ['NUL', 'a\0b', 'it contains a NUL character'],
  ['half a character', 'a\ud800', 'it contains half a character (an unpaired surrogate)'],
  ['long name', `x/${'é'.repeat(128)}`, 'a name in it is longer than 255 bytes'],
  ['long path', 'd/'.repeat(2_049), 'it is longer than 4096 bytes'],
])('%s: refused with the reason [P5]', async (_, given, problem) => {
  const failure = await failureOf(resolved(given));
  expect(failure).toMatchObject({ code: 'invalid_path', problem });
});

test('a path that only the workspace makes too long is refused, too', async () => {
  expect(await failureOf(resolved('d/'.repeat(2_040)))).toMatchObject({
    code: 'invalid_path',
    problem: 'it is too long for the file system',
  });
});

test('symlinks in a circle are an error at once [P5]', async () => {
  symlinkSync('loop', `${place.workspace}/loop`);
  symlinkSync('b', `${place.workspace}/a`);
  symlinkSync('a', `${place.workspace}/b`);
  const circle = { code: 'invalid_path', problem: 'its symbolic links form a loop' };
  expect(await failureOf(resolved('loop'))).toMatchObject(circle);
  expect(await failureOf(resolved('a/x'))).toMatchObject(circle);
  expect(await failureOf(resolved('new/../loop/x'))).toMatchObject(circle);
});

test('a file is no directory to go through', async () => {
  place.put('a.txt', '');
  const problem = 'a part of it is a file, not a directory';
  expect(await failureOf(resolved('a.txt/b'))).toMatchObject({ code: 'invalid_path', problem });
  expect(await failureOf(resolved('a.txt/'))).toMatchObject({ code: 'invalid_path', problem });
});

test('interfaces of the kernel are refused, also through links [P5]', async () => {
  symlinkSync('/dev/zero', `${place.workspace}/zero`);
  for (const given of ['/proc/self/environ', '/proc/self/not-there', '/dev/zero', '/dev/not-there', 'zero'])
    expect((await failureOf(resolved(given))).code).toBe('target_is_special');
  expect(await resolved(`/proc/self/root${place.outside}/x`)).toBe(`${place.outside}/x`);
  expect(await resolved('/dev/shm/x')).toBe('/dev/shm/x');
});

test('a directory that may not be searched is a matter of permission', async () => {
  place.put('private/a', '');
  chmodSync(`${place.workspace}/private`, 0o000);
  const failure = await asNobody(() => failureOf(resolved('private/a')));
  chmodSync(`${place.workspace}/private`, 0o700);
  expect(failure).toEqual({ code: 'permission_denied', path: 'private/a' });
});
