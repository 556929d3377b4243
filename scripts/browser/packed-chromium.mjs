import { execFileSync } from 'node:child_process';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync, createBrotliDecompress } from 'node:zlib';
import { READY_DIR } from '../ready/stamp.mjs';

/** @import { Chromium } from './chromium.mjs' */

const PACKAGE = '@sparticuz/chromium';

/** @returns {string | null} the package's directory; null where it is not installed */
function packageDirectory() {
  try {
    // By its entry, build/cjs/index.cjs: the manifest is not among what it exports.
    return dirname(dirname(dirname(createRequire(import.meta.url).resolve(PACKAGE))));
  } catch {
    return null;
  }
}

/** @param {string} directory */
const versionOf = (directory) => JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')).version;

/** @returns {number | null} the major version of the Chromium that the npm package carries for this machine */
export function packedMajor() {
  const directory = packageDirectory();
  // What is in it was built for one kind of machine.
  if (directory === null || process.platform !== 'linux' || process.arch !== 'x64') return null;
  return Number.parseInt(versionOf(directory), 10);
}

/**
 * Unpacks it once, next to what else this checkout has made ready (200 MB, about 3 s).
 * @returns {Promise<Chromium>}
 */
export async function unpackChromium() {
  const packed = packageDirectory();
  if (packed === null) throw new Error(`${PACKAGE} is not installed. Run: npm ci --include=dev`);
  const version = versionOf(packed);
  const place = join(READY_DIR, `chromium-${version}`);
  if (!existsSync(place)) await unpackInto(place, join(packed, 'bin'));
  return {
    executablePath: join(place, 'chromium'),
    origin: `${PACKAGE} ${version}`,
    environment: {
      LD_LIBRARY_PATH: join(place, 'lib'),
      FONTCONFIG_FILE: join(place, 'fonts.conf'),
    },
    // It comes without the helper that its own sandbox needs where users cannot make namespaces. The page is ours.
    args: ['--no-sandbox'],
  };
}

/**
 * The place appears when all is in it: a process that looks meanwhile unpacks for itself, and one of them wins.
 * @param {string} place
 * @param {string} packed
 */
async function unpackInto(place, packed) {
  mkdirSync(READY_DIR, { recursive: true });
  const temporary = mkdtempSync(`${place}-`);
  try {
    await pipeline(
      createReadStream(join(packed, 'chromium.br')),
      createBrotliDecompress(),
      createWriteStream(join(temporary, 'chromium'), { mode: 0o755 }),
    );
    for (const name of ['al2023', 'fonts', 'swiftshader']) untar(join(packed, `${name}.tar.br`), temporary);
    writeFileSync(join(temporary, 'fonts.conf'), fontsIn(join(place, 'fonts')));
    renameSync(temporary, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/**
 * A file for tar, not a pipe: it stops reading at the end mark, which need not be the end.
 * @param {string} archive a few megabytes
 * @param {string} directory
 */
function untar(archive, directory) {
  const file = join(directory, 'archive.tar');
  writeFileSync(file, brotliDecompressSync(readFileSync(archive)));
  execFileSync('tar', ['-xf', file, '--no-same-owner', '-C', directory]);
  rmSync(file);
}

/** The machine's fonts, too: where it has some, the page looks as it does to its people. */
const fontsIn = (/** @type {string} */ directory) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${directory}</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;
