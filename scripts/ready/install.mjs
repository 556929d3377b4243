import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../source/files.mjs';
import { run, runNode } from './run.mjs';
import { isStamped, lockFileHash, writeStamp } from './stamp.mjs';

/** @typedef {import('./make-ready.mjs').Scope} Scope */

/**
 * Whether node_modules holds what package-lock.json asks for.
 * @param {Scope} scope
 */
export function isInstalled(scope) {
  // npm writes its own record last, so an install that was cut off has none.
  if (!existsSync(join(root, RECORD))) return false;
  const hash = lockFileHash();
  if (isStamped('installed', hash, scope)) return true;
  // True after a plain `npm install` too, so that we do not install the same packages a second time.
  const held = SCOPES.find((each) => recordHolds(each));
  if (!held || (held === 'program' && scope === 'everything')) return false;
  writeStamp('installed', hash, held);
  return true;
}

/**
 * @param {Scope} scope
 * @returns {Promise<number>} an exit code
 */
export async function install(scope) {
  console.error('Installing packages (npm ci)…');
  // Whatever NODE_ENV says: development packages are the tools of tests and checks, and binaries come as optional ones.
  const development = scope === 'everything' ? '--include=dev' : '--omit=dev';
  const args = ['ci', development, '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  // Set by whatever runs our scripts, which need not be npm.
  const runner = process.env.npm_execpath ?? '';
  const isNpm = /[\\/]npm(-cli)?\.c?js$/.test(runner);
  const code = isNpm ? await runNode(runner, args) : await run('npm', args);
  if (code === 0) {
    writeStamp('installed', lockFileHash(), scope);
    return 0;
  }
  console.error(
    [
      `npm ci failed (exit code ${code}); the packages are not installed, and nothing was built.`,
      '  No network, or a wrong registry? See: npm config get registry',
      '  package.json and package-lock.json disagree? Run: npm install',
      'Then run the command again.',
    ].join('\n'),
  );
  return code;
}

const RECORD = 'node_modules/.package-lock.json';

/** The wider one first. @type {readonly Scope[]} */
const SCOPES = ['everything', 'program'];

/** @param {Scope} scope */
function recordHolds(scope) {
  const wanted = packagesIn('package-lock.json');
  const found = packagesIn(RECORD);
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || !path.includes('node_modules/')) return true;
    const there = found[path];
    if (!there) return Boolean(entry.optional || entry.devOptional || (entry.dev && scope === 'program'));
    return there.version === entry.version && there.integrity === entry.integrity;
  });
}

/**
 * @typedef {{ version?: string, integrity?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }} Locked
 * @returns {Record<string, Locked>}
 */
function packagesIn(/** @type {string} */ file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8')).packages ?? {};
}
