import { expect, test } from 'vitest';
import { runsAutomatically } from './runs-automatically.js';

const manifest = (scripts: object, more: object = {}) => JSON.stringify({ name: 'x', scripts, ...more });
const found = (before: string | null, after: string, name = 'package.json') =>
  runsAutomatically(name, before, after);

test.each([
  'preinstall',
  'install',
  'postinstall',
  'prepare',
  'postprepare',
  'prepublishOnly',
  'prepack',
  'dependencies',
])('a new %s is reported with what it runs [P5]', (event) => {
  expect(found(manifest({}), manifest({ [event]: 'node x.js' }))).toBe(
    `npm, yarn or pnpm runs automatically what this changes: "scripts.${event}": "node x.js"`,
  );
});

test.each([
  ['a changed one', manifest({ postinstall: 'a' }), manifest({ postinstall: 'b' })],
  ['one in a new file', null, manifest({ install: 'a' })],
  ['one in a file that did not parse', '{"scripts": {"install": "a"}', manifest({ install: 'a' })],
  [
    'a script that one of them runs',
    manifest({ prepare: 'npm run build', build: 'a' }),
    manifest({ prepare: 'npm run build', build: 'b' }),
  ],
  [
    'one before such a script',
    manifest({ prepare: 'npm run build', build: 'a' }),
    manifest({ prepare: 'npm run build', build: 'a', prebuild: 'b' }),
  ],
  ['a hook of old husky', manifest({}), manifest({ precommit: 'x' })],
  ['hooks of husky', manifest({}), manifest({}, { husky: { hooks: { 'pre-commit': 'x' } } })],
  [
    'a package manager to run',
    manifest({}),
    manifest({}, { packageManager: 'yarn@https://evil.example/x.js' }),
  ],
  ['trust in the scripts of others', manifest({}), manifest({}, { pnpm: { onlyBuiltDependencies: ['x'] } })],
])('%s is reported [P5]', (_, before, after) => {
  expect(found(before, after)).toMatch(/runs automatically what this changes/);
});

test.each([
  'npm t',
  'npm tst',
  'npm cit',
  'run-s b*',
  "npm-run-all 'b*'",
  'concurrently npm:build',
  'npm run $X',
  'npm run lint && run-p "b*"',
])('a script that %s may run is told [P5]', (prepare) => {
  const scripts = { prepare, test: 'a', build: 'a', lint: 'x' };
  const after = manifest({ ...scripts, test: 'b', build: 'b' });
  expect(found(manifest(scripts), after)).toMatch(/runs automatically what this changes/);
});

test.each(['{"scripts":{"postinstall":"evil"}, // c\n}', '{"scripts":{"postinstall":"evil"},}'])(
  'one in %s is told, which some managers read [P5]',
  (after) => {
    expect(found(manifest({}), after)).toMatch(/postinstall/);
  },
);

test.each([
  [
    'a script beside one that is run by name',
    manifest({ prepare: 'npm run build', build: 'a', test: 'a' }),
    manifest({ prepare: 'npm run build', build: 'a', test: 'b' }),
  ],
  ['another script', manifest({ test: 'a' }), manifest({ test: 'b', build: 'c', pretest: 'd' })],
  [
    'a version or a dependency',
    manifest({ postinstall: 'a' }),
    manifest({ postinstall: 'a' }, { version: '2', dependencies: { y: '1' } }),
  ],
  ['one that is removed', manifest({ postinstall: 'a' }), manifest({})],
  ['a nested property of that name', manifest({}), manifest({}, { config: { postinstall: 'x' } })],
])('%s is not [P5]', (_, before, after) => {
  expect(found(before, after)).toBeNull();
});

test('other manifests are looked at in their own words, and other files not at all [P5]', () => {
  const composer = (scripts: object) => JSON.stringify({ scripts });
  expect(found(composer({}), composer({ 'post-install-cmd': ['x'] }), 'composer.json')).toMatch(
    /^Composer runs/,
  );
  expect(found(composer({}), composer({ test: 'x' }), 'composer.json')).toBeNull();
  expect(found('name: x\n', 'name: x\nscripts:\n  postinstall: x\n', 'package.yaml')).toMatch(/postinstall/);
  expect(found(manifest({}), manifest({ postinstall: 'x' }), 'other.json')).toBeNull();
  expect(found(manifest({}), manifest({ postinstall: 'x' }), 'PACKAGE.JSON')).not.toBeNull();
});

test.each<readonly [name: string, before: string, after: string]>([
  ['package.json5', "{name:'x'}", "{name:'x',scripts:{prepare:'sh x'}}"],
  ['package.json5', '{"name":"x"}', '{"name":"x","scripts":{"prepare":"sh x"}}'],
  ['package.json5', '{}', "{scripts:{'pre\\u0070are':'sh x'}}"],
  ['package.json5', '{}', '{pnpm:{dangerouslyAllowAllBuilds:true}}'],
  ['package.yaml', 'name: x\n', 'name: x\nscripts: {postinstall: sh x}\n'],
  ['package.yaml', 'name: x\n', 'name: x\nscripts:\n  ? prepare\n  : sh x\n'],
  ['package.yaml', 'name: x\n', 'name: x\nscripts:\n  "\\x70repare": sh x\n'],
  ['package.yaml', 'name: x\n', 'name: &p x\nscripts:\n  *p : sh x\n'],
  ['package.yaml', 'name: x\n', 'name: x\nscripts: !!map {}\n'],
  ['package.yaml', 'a: 1\nscripts:\n  prepare: b\n', 'a: 1\nscripts:\n  prepare: c\n'],
  ['package.yaml', 'scripts:\n  prepare: npm run b\n  b: x\n', 'scripts:\n  prepare: npm run b\n  b: y\n'],
])('in %s, from %j to %j asks [P5]', (name, before, after) => {
  expect(found(before, after, name)).toMatch(/^pnpm runs automatically what this may change/);
});

test.each<readonly [name: string, before: string, after: string]>([
  ['package.json5', '{name:"x"}', '{name:"x",scripts:{test:"y"},dependencies:{"@a/b":"^1.0.0"}}'],
  ['package.yaml', 'name: x\n', 'name: x\ndependencies:\n  a: ^1.0.0\n'],
  ['package.yaml', 'scripts:\n  prepare: a\nversion: 1.0.0\n', 'scripts:\n  prepare: a\nversion: 1.1.0\n'],
])('in %s, from %j to %j is an ordinary edit [P5]', (name, before, after) => {
  expect(found(before, after, name)).toBeNull();
});

test.each<object>([
  { pnpm: { dangerouslyAllowAllBuilds: true } },
  { pnpm: { neverBuiltDependencies: [] } },
  { pnpm: { onlyBuiltDependenciesFile: 'x.json' } },
  { dependenciesMeta: { x: { built: true } } },
  { lavamoat: { allowScripts: { x: true } } },
  { 'nano-staged': { '*': 'x' } },
  { 'git-hooks': { 'pre-commit': 'x' } },
  { 'pre-push': ['x'] },
  { config: { ghooks: { 'pre-commit': 'x' } } },
  { devEngines: { packageManager: { name: 'x' } } },
])('the key of %j is reported [P5]', (more) => {
  expect(found(manifest({}), manifest({}, more))).toMatch(/runs automatically what this changes/);
});

test('a dependency that is optional is an ordinary edit [P5]', () => {
  expect(found(manifest({}), manifest({}, { dependenciesMeta: { x: { optional: true } } }))).toBeNull();
});
