import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { failureOf, type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { glob } from '../glob/glob.js';
import { grepSearch } from '../grep-search/grep-search.js';
import { carryOut } from '../testing/carry-out.js';
import { CHOICE_VARIABLE, findRipgrep, installedRipgrep, shippedRipgrep } from './find-ripgrep.js';

let place: TemporaryWorkspace;
const saved = process.env[CHOICE_VARIABLE];
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => {
  place.remove();
  if (saved === undefined) delete process.env[CHOICE_VARIABLE];
  else process.env[CHOICE_VARIABLE] = saved;
});

test('the shipped ripgrep is found, and is one', async () => {
  const shipped = shippedRipgrep();
  expect(await findRipgrep(place.workspace, {})).toBe(shipped);
  expect(execFileSync(shipped ?? '', ['--version'], { encoding: 'utf8' })).toMatch(/^ripgrep 1[3-9]\./);
});

test('the environment chooses another, or none', async () => {
  expect(await findRipgrep(place.workspace, { [CHOICE_VARIABLE]: 'none' })).toBeNull();
  expect(await findRipgrep(place.workspace, { [CHOICE_VARIABLE]: '/opt/rg' })).toBe('/opt/rg');
});

test('one that cannot be started is named, with what to do', async () => {
  process.env[CHOICE_VARIABLE] = `${place.outside}/missing`;
  const failure = await failureOf(carryOut(grepSearch([]), { pattern: 'x' }, { workspace: place.workspace }));
  expect(failure).toEqual({
    code: 'execution_failed',
    message: `ripgrep (${place.outside}/missing) cannot be started: ENOENT. Set COUNTERSIGN_RIPGREP=none to search without it.`,
  });
});

test('one that is ended from outside, or does something else, is no result', async () => {
  const search = async (script: string) => {
    const fake = `${place.outside}/fake`;
    writeFileSync(fake, `#!/bin/sh\n${script}\n`);
    chmodSync(fake, 0o755);
    process.env[CHOICE_VARIABLE] = fake;
    const failures = [
      await failureOf(carryOut(grepSearch([]), { pattern: 'x' }, { workspace: place.workspace })),
      await failureOf(carryOut(glob, { pattern: '**' }, { workspace: place.workspace })),
    ];
    return failures.map((failure) => (failure.code === 'execution_failed' ? failure.message : failure.code));
  };
  const instead = 'Set COUNTERSIGN_RIPGREP=none to search without it.';
  const ended = `ripgrep was terminated by SIGKILL. ${instead}`;
  expect(await search('kill -9 $$')).toEqual([ended, ended]);
  expect(await search('echo "no such option" >&2; exit 2')).toEqual([
    `ripgrep could not search: no such option. ${instead}`,
    `ripgrep could not list files: no such option. ${instead}`,
  ]);
});

test('of those installed the first that is new enough is taken, and none from the workspace', async () => {
  const makeProgram = (directory: string, version: string) => {
    mkdirSync(directory, { recursive: true });
    writeFileSync(`${directory}/rg`, `#!/bin/sh\necho "ripgrep ${version}"\n`);
    chmodSync(`${directory}/rg`, 0o755);
    return directory;
  };
  const inside = makeProgram(`${place.workspace}/bin`, '15.0.0');
  const old = makeProgram(`${place.outside}/old`, '12.1.1');
  const good = makeProgram(`${place.outside}/good`, '14.1.0');
  const linked = `${place.outside}/linked`;
  mkdirSync(linked);
  symlinkSync(`${inside}/rg`, `${linked}/rg`);
  const search = (...directories: string[]) => installedRipgrep(place.workspace, directories.join(':'));
  expect(await search('', '.', inside, linked, `${place.outside}/missing`, old, good)).toBe(`${good}/rg`);
  expect(await search(inside, linked, old)).toBeNull();
});

test('nothing of the environment reaches it', async () => {
  const spy = `${place.outside}/spy`;
  writeFileSync(spy, `#!/bin/sh\n/usr/bin/env > ${place.outside}/seen\nexec ${shippedRipgrep()} "$@"\n`);
  chmodSync(spy, 0o755);
  process.env[CHOICE_VARIABLE] = spy;
  process.env.SECRET_TOKEN_OF_TEST = 'CANARY';
  try {
    place.put('a', 'x');
    const { result } = await carryOut(grepSearch([]), { pattern: 'x' }, { workspace: place.workspace });
    expect(result.llmContent).toContain('1 match in 1 file');
    expect(readFileSync(`${place.outside}/seen`, 'utf8')).not.toContain('CANARY');
  } finally {
    delete process.env.SECRET_TOKEN_OF_TEST;
  }
});
