import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Where other programs lie that ours is compared with, each in a folder of its
 * own. They are large and not ours: bench/README.md says how to install them.
 */
const place = resolve(process.env['BENCH_PEERS'] ?? fileURLToPath(new URL('peers', import.meta.url)));

/** @typedef {{ folder: string, package: string, subject: string }} Peer */

/** @type {readonly Peer[]} */
export const PEERS = [
  { folder: 'gemini-core', package: '@google/gemini-cli-core', subject: 'gemini-core.mjs' },
  { folder: 'sdk', package: 'ai', subject: 'ai-sdk.mjs' },
];

/** @param {string} folder @param {string} name */
const packageDirectory = (folder, name) => join(place, folder, 'node_modules', ...name.split('/'));

/** @param {Peer} peer */
export const isInstalled = (peer) =>
  existsSync(join(packageDirectory(peer.folder, peer.package), 'package.json'));

/** @param {string} folder @param {string} name @returns {string} */
export function versionOf(folder, name) {
  return JSON.parse(readFileSync(join(packageDirectory(folder, name), 'package.json'), 'utf8')).version;
}

/**
 * @param {string} folder
 * @param {string} name
 * @param {string} entry of an ES module, from the directory of the package
 * @returns {Promise<any>}
 */
export async function load(folder, name, entry) {
  return import(pathToFileURL(join(packageDirectory(folder, name), entry)).href);
}
