import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { homeDirectory, homeOnRecord } from '../home-directory.js';
import { tooWide } from './too-wide.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-wide-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

test.each([
  ['/', 'the root of the file system'],
  ['/etc', 'a directory of the system'],
  ['/etc/ssl/private', 'a directory of the system'],
  ['/usr', 'a directory of the system'],
  ['/usr/lib/systemd', 'a directory of the system'],
  ['/var/lib', 'a directory of the system'],
  ['/opt', 'a directory of the system'],
  ['/proc/self', 'a directory of the system'],
  ['/home/somebody', 'a home directory'],
  ['/Users/somebody', 'a home directory'],
  ['/root', 'a home directory'],
  ['/tmp', 'a directory for temporary files'],
  ['/dev/shm', 'a directory for temporary files'],
])('%s is %s [P5]', (path, what) => {
  expect(tooWide(path, { HOME: '/nowhere/home' })).toBe(what);
});

test.each([
  '/home/somebody/project',
  '/Users/somebody/code/project',
  '/root/project',
  '/tmp/project',
  '/projects/one',
  '/workspace',
  '/app',
  '/usr/src/app',
  '/var/www/html',
  '/var/lib/jenkins/workspace/project',
  '/opt/project',
  '/srv/project',
  '/mnt/data/project',
  '/dev/shm/project',
])('%s may be a project', (path) => {
  expect(tooWide(path, { HOME: '/nowhere/home' })).toBeNull();
});

test('a home directory is one wherever it lies, and so is what holds it [P5]', () => {
  const home = join(base, 'people', 'ada');
  mkdirSync(join(home, 'project'), { recursive: true });
  expect(tooWide(home, { HOME: home })).toBe('a home directory');
  expect(tooWide(join(base, 'people'), { HOME: home })).toBe('a directory that holds home directories');
  expect(tooWide(join(home, 'project'), { HOME: home })).toBeNull();
  // Whatever HOME says now.
  const record = homeOnRecord();
  if (record !== null) expect(tooWide(realpathSync(record), { HOME: home })).not.toBeNull();
});

test.each(['', '.', 'home', './'])('HOME="%s" names no home directory [P8]', (HOME) => {
  expect(homeDirectory({ HOME })).toBe(homeOnRecord());
  expect(homeDirectory({ HOME: '/somewhere' })).toBe('/somewhere');
  expect(homeDirectory({})).toBe(homeOnRecord());
});
