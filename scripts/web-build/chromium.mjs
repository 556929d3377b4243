import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

export const NO_CHROMIUM = `None of ${NAMES.join(', ')} is in PATH. Install one (Debian and Ubuntu: apt-get install chromium), or set CHROMIUM_PATH to a Chromium or Chrome.`;

/**
 * The Chromium of this machine; null where there is none.
 * @returns {string | null}
 */
export function findChromium() {
  const given = process.env['CHROMIUM_PATH'];
  if (given) return given;
  const places = (process.env['PATH'] ?? '').split(delimiter);
  return NAMES.flatMap((name) => places.map((place) => join(place, name))).find(isExecutable) ?? null;
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

/** As root, as in containers, Chromium's own sandbox cannot start; the page is ours, and comes from this machine. */
const ARGS = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** @param {string} executablePath */
export const launchChromium = (executablePath) => chromium.launch({ executablePath, args: ARGS });

/**
 * With a profile that is there again the next time.
 * @param {string} executablePath
 * @param {string} directory
 */
export const launchProfile = (executablePath, directory) =>
  chromium.launchPersistentContext(directory, { executablePath, args: ARGS });
