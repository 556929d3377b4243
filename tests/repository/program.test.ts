import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../../scripts/source/files.mjs';

// A checkout of its own with our real bundler, our real launcher and a program of a few lines.
let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'countersign-program-'));
  cpSync(join(root, 'scripts'), join(checkout, 'scripts'), { recursive: true });
  cpSync(join(root, 'packages/cli/bin'), join(checkout, 'packages/cli/bin'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  write('package.json', '{ "type": "module" }');
  write('packages/cli/package.json', '{ "type": "module" }');
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

function write(path: string, text: string) {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), text);
}

function node(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: checkout, encoding: 'utf8' });
  return { status, stdout, stderr };
}
const bundle = () => node('scripts/bundle.mjs', 'program');
const countersign = (...args: string[]) => node('packages/cli/bin/countersign.js', ...args);

const PROGRAM = `
  export const say = (text: string): void => console.log(text);
  say('args ' + process.argv.slice(2).join(' '));
  say(import.meta.url);
  const wanted = process.argv[2];
  if (wanted?.startsWith('file:')) void import(wanted).then((module) => say(module.default));
`;

test('without a build the program says how to make one', () => {
  const { status, stderr } = countersign();
  expect(status).toBe(1);
  expect(stderr).toContain('Run `npm start` or `npm run build`');
});

test('without a program there is nothing to bundle, and that is no error', () => {
  const { status, stderr } = bundle();
  expect(stderr).toContain('packages/cli/src/main.ts does not exist yet');
  expect(status).toBe(0);
});

test('the bundled program runs with a code cache and can load modules that its user names', () => {
  write('packages/cli/src/main.ts', PROGRAM);
  write('theirs.mjs', "export default 'hello from an ES module';");
  expect(bundle()).toEqual({ status: 0, stdout: '', stderr: '' });
  expect(existsSync(join(checkout, 'packages/cli/dist/countersign.cache'))).toBe(true);

  const theirs = pathToFileURL(join(checkout, 'theirs.mjs')).href;
  const { status, stdout, stderr } = countersign(theirs);
  expect(stderr).toBe('');
  expect(stdout.split('\n')).toEqual([
    `args ${theirs}`,
    pathToFileURL(join(checkout, 'packages/cli/dist/countersign.cjs')).href,
    'hello from an ES module',
    '',
  ]);
  expect(status).toBe(0);
});

test('what is imported later is a part of its own, found and run only when it is wanted', () => {
  write('packages/cli/src/shared.ts', "export const shared = /…/u.test('…') ? 'shared' : 'garbled';");
  write(
    'packages/cli/src/later.ts',
    "import { shared } from './shared.js'; export const later = `later, ${shared}`;",
  );
  write(
    'packages/cli/src/work.ts',
    `import { shared } from './shared.js';
     console.log('work', shared);
     if (process.argv[3]) void import('./later.js').then(({ later }) => console.log(later));
     void import('node:path').then((path) => console.log(path.default.join === path.join));`,
  );
  write(
    'packages/cli/src/main.ts',
    "if (process.argv[2] === 'work') void import('./work.js'); else console.log('nothing to do');",
  );
  expect(bundle()).toEqual({ status: 0, stdout: '', stderr: '' });

  const parts = join(checkout, 'packages/cli/dist/parts');
  const later = readdirSync(parts).filter((name) => /^later-.*\.cjs$/.test(name));
  expect(later).toHaveLength(1);
  expect(countersign('work', 'later').stdout.split('\n').toSorted()).toEqual([
    '',
    'later, shared',
    'true',
    'work shared',
  ]);
  for (const name of later) rmSync(join(parts, name));
  expect(countersign('work').stdout.split('\n')).toEqual(['work shared', 'true', '']);
  expect(countersign('work', 'later').stderr).toContain('was another version installed meanwhile?');
  rmSync(parts, { recursive: true });
  expect(countersign().stdout).toBe('nothing to do\n');
});

test('a code cache of another build is not used, even if both bundles are equally long', () => {
  const cache = join(checkout, 'packages/cli/dist/countersign.cache');
  write('packages/cli/src/main.ts', "console.log('one');");
  bundle();
  const old = readFileSync(cache);
  write('packages/cli/src/main.ts', "console.log('two');");
  bundle();
  writeFileSync(cache, old);

  expect(countersign().stdout).toBe('two\n');
});

test('a source that does not compile fails the build', () => {
  write('packages/cli/src/main.ts', 'const = 1;');
  const { status, stderr } = bundle();
  expect(status).toBe(1);
  expect(stderr).toContain('packages/cli/src/main.ts');
});

test('launcher and installer want the same Node', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const launcher = readFileSync(join(root, 'packages/cli/bin/countersign.js'), 'utf8');
  const [, major] = /MAJOR_MIN = (\d+);/.exec(launcher) ?? [];
  const [, minor] = /MINOR_MIN = (\d+);/.exec(launcher) ?? [];
  expect(engines.node).toBe(`>=${major}.${minor}.0`);
});
