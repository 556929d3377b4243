import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findChromium } from '../browser/chromium.mjs';

/**
 * Gets ready what tests need beyond the npm packages, and says what is missing. Tests that miss something are skipped
 * with the reason; nothing here fails the run.
 * @returns {Promise<number>} an exit code
 */
export async function prepareTests() {
  try {
    const { origin } = await findChromium();
    console.log(`Chromium: ${origin}`);
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error));
  }
  if (process.platform === 'linux') prepareBubblewrap();
  return 0;
}

/** The places where the sandbox looks for it: packages/sandbox/src/probe.ts. */
const BUBBLEWRAP = [
  '/usr/bin/bwrap',
  '/usr/local/bin/bwrap',
  '/bin/bwrap',
  '/run/current-system/sw/bin/bwrap',
];
const INSTALL = ['install', '--yes', '--quiet=2', '--no-install-recommends', 'bubblewrap'];

/** Until there is a sandbox of our own that needs nothing installed. */
function prepareBubblewrap() {
  if (BUBBLEWRAP.some((path) => existsSync(path))) return;
  const hasApt = spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0;
  if (process.geteuid?.() !== 0 || !hasApt || process.env['COUNTERSIGN_TEST_INSTALL'] === '0') {
    console.log(
      'bubblewrap is not installed, so the tests of the sandbox are skipped. As root: apt-get install bubblewrap',
    );
    return;
  }
  console.log('Installing bubblewrap with apt-get (COUNTERSIGN_TEST_INSTALL=0 forbids it)…');
  const installed = aptGet(INSTALL) || (aptGet(['update', '--quiet=2']) && aptGet(INSTALL));
  if (!installed)
    console.log('apt-get could not install bubblewrap, so the tests of the sandbox are skipped.');
}

/** @param {readonly string[]} args */
function aptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
}
