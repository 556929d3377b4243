import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../../scripts/source/files.mjs';

// A small checkout with our scripts and stand-ins for npm and the compiler that note down that they ran.
let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'countersign-ready-'));
  for (const path of ['ready.mjs', 'ready', 'bundle.mjs', 'bundle', 'source']) {
    cpSync(join(root, 'scripts', path), join(checkout, 'scripts', path), { recursive: true });
  }
  write('package.json', '{ "type": "module", "engines": { "node": ">=20.19.0" } }');
  write(
    'package-lock.json',
    '{ "packages": { "": {}, "node_modules/typescript": { "version": "7.0.0", "dev": true } } }',
  );
  write('packages/a/package.json', '{ "type": "module" }');
  write('packages/a/src/index.ts', 'export const one = 1;');
  write('npm.cjs', NPM);
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

const NPM = `
  const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
  const withTools = !process.argv.includes('--omit=dev');
  appendFileSync('log', 'npm ' + process.argv[2] + (withTools ? ' ' : ' --omit=dev '));
  if (process.env.NPM_FAILS) process.exit(7);
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const installed = Object.entries(packages).filter(([, { dev }]) => withTools || !dev);
  mkdirSync('node_modules/typescript/bin', { recursive: true });
  if (withTools) writeFileSync('node_modules/typescript/bin/tsc', process.env.TSC);
  const record = JSON.stringify({ packages: Object.fromEntries(installed) });
  setTimeout(() => writeFileSync('node_modules/.package-lock.json', record), 100);
`;
const TSC = `
  const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
  appendFileSync('log', process.argv.slice(2).filter((arg) => arg.startsWith('-')).join(' ') + ' ');
  mkdirSync('packages/a/dist', { recursive: true });
  writeFileSync('packages/a/dist/index.js', '');
`;

function write(path: string, text: string) {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), text);
}

const environment = (extra: NodeJS.ProcessEnv = {}) => ({
  ...process.env,
  npm_execpath: join(checkout, 'npm.cjs'),
  TSC,
  ...extra,
});

function ready(args: readonly string[] = [], extra?: NodeJS.ProcessEnv) {
  const argv = [join(checkout, 'scripts/ready.mjs'), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
    env: environment(extra),
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

/** What npm and the compiler were asked to do since the last look. */
function takeLog() {
  const path = join(checkout, 'log');
  const log = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  rmSync(path, { force: true });
  return log;
}

test('a fresh clone is installed and built, and the second time nothing happens', () => {
  expect(ready().status).toBe(0);
  expect(takeLog()).toBe('npm ci -b --force');

  expect(ready()).toEqual({ status: 0, said: '' });
  expect(takeLog()).toBe('');
});

test('npm start installs no tools of the tests and compiles nothing; npm test then does both, and start is ready', () => {
  expect(ready(['--program']).status).toBe(0);
  expect(takeLog()).toBe('npm ci --omit=dev');
  expect(ready(['--program'])).toEqual({ status: 0, said: '' });

  expect(ready().status).toBe(0);
  expect(takeLog()).toBe('npm ci -b --force');
  expect(ready(['--program'])).toEqual({ status: 0, said: '' });
  expect(takeLog()).toBe('');
});

test('changed sources are built, changed tests are not, and --rebuild always builds', () => {
  ready();
  takeLog();

  write('packages/a/src/index.ts', 'export const one = 2;');
  ready();
  expect(takeLog()).toBe('-b');

  write('packages/a/src/one.test.ts', 'anything');
  ready();
  expect(takeLog()).toBe('');

  ready(['--rebuild']);
  expect(takeLog()).toBe('-b --force');
});

test('a deleted output is built again', () => {
  ready();
  takeLog();
  rmSync(join(checkout, 'packages/a/dist'), { recursive: true });

  expect(ready().status).toBe(0);
  expect(takeLog()).toBe('-b --force');
});

test('a changed lock file is installed, unless node_modules holds just that already', () => {
  ready();
  takeLog();

  write('package-lock.json', '{ "packages": { "node_modules/typescript": { "version": "7.0.1" } } }');
  ready();
  expect(takeLog()).toBe('npm ci -b');

  const installed = '{ "packages": { "node_modules/typescript": { "version": "7.0.2" } } }';
  write('package-lock.json', installed);
  write('node_modules/.package-lock.json', installed);
  ready();
  expect(takeLog()).toBe('-b');
});

test('a failed install says what to do, and the next run tries again', () => {
  const { status, said } = ready([], { NPM_FAILS: 'yes' });
  expect(status).toBe(7);
  expect(said).toContain(
    'npm ci failed (exit code 7); the packages are not installed, and nothing was built.',
  );
  expect(takeLog()).toBe('npm ci');

  expect(ready().status).toBe(0);
  expect(takeLog()).toBe('npm ci -b --force');
});

test('of several runs at once one does the work', async () => {
  const runs = [1, 2, 3].map(
    () =>
      new Promise<number | null>((resolve) => {
        const child = spawn(process.execPath, [join(checkout, 'scripts/ready.mjs')], {
          env: environment(),
          stdio: 'ignore',
        });
        child.once('close', resolve);
      }),
  );
  expect(await Promise.all(runs)).toEqual([0, 0, 0]);
  expect(takeLog()).toBe('npm ci -b --force');
  expect(existsSync(join(checkout, '.ready/lock'))).toBe(false);
});

test('the lock of a process that died is taken over', () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  write('.ready/lock/pid', String(pid));

  expect(ready().status).toBe(0);
  expect(takeLog()).toBe('npm ci -b --force');
});

test('an old Node is refused with what to do', () => {
  write('package.json', '{ "type": "module", "engines": { "node": ">=99.1.0" } }');
  const { status, said } = ready();
  expect(status).toBe(1);
  expect(said).toContain(`Countersign needs Node 99.1 or newer; this is ${process.version}.`);
  expect(takeLog()).toBe('');
});
