import { isInstalled, PEERS } from './peers.mjs';
import { SubjectProcess } from './subject-process.mjs';

/**
 * Everything that is compared in one run, the floor first.
 * @typedef {object} LineUp
 * @property {SubjectProcess} floor
 * @property {SubjectProcess} memory
 * @property {SubjectProcess} sqlite
 * @property {readonly SubjectProcess[]} peers
 * @property {readonly SubjectProcess[]} all
 */

/**
 * @template T
 * @param {(lineUp: LineUp) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLineUp(work) {
  const floor = await SubjectProcess.start('subjects/floor.mjs');
  const memory = await SubjectProcess.start('subjects/countersign-memory.mjs');
  const sqlite = await SubjectProcess.start('subjects/countersign-sqlite.mjs');
  const peers = [];
  for (const peer of PEERS.filter(isInstalled)) {
    // What a peer warns of is its own affair, and would tear our table apart.
    peers.push(await SubjectProcess.start(`subjects/${peer.subject}`, { nodeOptions: ['--no-warnings'] }));
  }
  const all = [floor, memory, sqlite, ...peers];
  const result = await work({ floor, memory, sqlite, peers, all });
  for (const subject of all) await subject.stop();
  return result;
}

/** @param {SubjectProcess} subject */
export const label = ({ name, version }) => `${name} ${version}`;
