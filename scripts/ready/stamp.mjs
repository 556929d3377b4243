import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesUnder, packageNames, packagesWithIndex, root } from '../source/files.mjs';

/** Where this machine remembers what it has done; never tracked. */
export const READY_DIR = join(root, '.ready');

/** @typedef {import('./make-ready.mjs').Scope} Scope */

/**
 * Whether this was done for these inputs, in this scope or a wider one.
 * @param {'installed' | 'built'} name
 * @param {string} hash
 * @param {Scope} scope
 */
export function isStamped(name, hash, scope) {
  const path = join(READY_DIR, name);
  const stamp = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return stamp === `${hash} everything` || stamp === `${hash} ${scope}`;
}

/**
 * @param {'installed' | 'built'} name
 * @param {string} hash
 * @param {Scope} scope
 */
export function writeStamp(name, hash, scope) {
  mkdirSync(READY_DIR, { recursive: true });
  const temporary = join(READY_DIR, `${name}.${process.pid}`);
  writeFileSync(temporary, `${hash} ${scope}`);
  renameSync(temporary, join(READY_DIR, name));
}

/** Names what `npm ci` would install here: binaries differ by platform. */
export function lockFileHash() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  return hash.update(readFileSync(join(root, 'package-lock.json'))).digest('hex');
}

/**
 * Names everything that the build depends on, by content: a checkout or a
 * touch that changes no text costs no build. The Node version counts because
 * the code cache is made for one.
 */
export function buildHash() {
  const hash = createHash('sha256').update(`${process.version} ${lockFileHash()}\n`);
  for (const path of buildInputs()) {
    hash
      .update(`${path}\n`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function buildInputs() {
  const perPackage = packageNames().flatMap((name) => [
    `packages/${name}/package.json`,
    `packages/${name}/tsconfig.json`,
    ...filesUnder(`packages/${name}/src`).filter((path) => !path.endsWith('.test.ts')),
  ]);
  const shared = [
    'tsconfig.json',
    'tsconfig.base.json',
    'scripts/bundle.mjs',
    ...filesUnder('scripts/bundle'),
    ...filesUnder('scripts/web-build'),
    'packages/web/index.html',
    ...filesUnder('packages/web/public'),
  ];
  return [...shared, ...filesUnder('packages/cli/bin'), ...perPackage].filter((path) =>
    existsSync(join(root, path)),
  );
}

/**
 * Whether what a build leaves behind is still there.
 * @param {Scope} scope
 */
export function hasOutputs(scope) {
  const expected = [];
  if (existsSync(join(root, 'packages/cli/src/main.ts'))) expected.push('packages/cli/dist/countersign.cjs');
  if (existsSync(join(root, 'packages/web/index.html'))) expected.push('packages/cli/dist/page/index.html');
  if (scope === 'everything') {
    expected.push(...packagesWithIndex().map((name) => `packages/${name}/dist/index.js`));
    if (existsSync(join(root, 'packages/sdk/src/index.ts')))
      expected.push('packages/cli/dist/lib/index.js', 'packages/cli/dist/types/sdk/index.d.ts');
  }
  return expected.every((path) => existsSync(join(root, path)));
}
