import { compare, warmUp } from '../compare.mjs';
import { isInstalled, PEERS } from '../peers.mjs';
import { SubjectProcess } from '../subject-process.mjs';

/**
 * @import { Effort } from '../compare.mjs'
 * @import { Row, Target } from '../report.mjs'
 */

const SIZES = [1, 10, 100, 1_000, 10_000];
/** Small batches are repeated within a round until about this many calls are timed. */
const CALLS_PER_ROUND = 300;
/** A peer whose next batch would take longer than this, should its cost grow with the square, is left out. */
const PEER_BATCH_MS_MAX = 15_000;

/** @type {{ readonly [subject: string]: { readonly [calls: number]: Target } }} */
const TARGETS = {
  'countersign, memory': { 1_000: { atMost: 20 }, 10_000: { atMost: 20 } },
  'countersign, SQLite': { 1_000: { atMost: 60 } },
};

export const name = 'calls';
export const title = 'Cost per trivial call, by size of the batch';

/** @param {Effort} effort @returns {Promise<Row[]>} */
export async function run(effort) {
  const { memory, peers, all } = await startSubjects();
  await warmUp(all, 'batch', [100], effort);

  /** @type {Row[]} */
  const rows = [];
  /** @type {Map<SubjectProcess, Map<number, number>>} by size */
  const batchMs = new Map(all.map((subject) => [subject, new Map()]));
  for (const [index, calls] of SIZES.entries()) {
    const smaller = SIZES[index - 1] ?? calls;
    const wouldEnd = (/** @type {SubjectProcess} */ subject) =>
      (batchMs.get(subject)?.get(smaller) ?? 0) * (calls / smaller) ** 2 <= PEER_BATCH_MS_MAX;
    const present = all.filter((subject) => !peers.includes(subject) || wouldEnd(subject));

    const times = Math.ceil(CALLS_PER_ROUND / calls);
    for (const { subject, msEach, timesFloor } of await compare(present, 'batch', [calls], {
      effort,
      times,
    })) {
      batchMs.get(subject)?.set(calls, msEach);
      const target = TARGETS[subject.name]?.[calls];
      const measured = (msEach * 1_000) / calls;
      rows.push({ what: label(subject, calls), measured, unit: 'µs', timesFloor, ...(target && { target }) });
    }
    for (const subject of all) {
      if (!present.includes(subject))
        rows.push({ what: label(subject, calls), measured: 'left out: would take too long' });
    }
  }
  rows.push(growth(batchMs.get(memory) ?? new Map()), ...absentPeers());
  for (const subject of all) subject.stop();
  return rows;
}

async function startSubjects() {
  const floor = await SubjectProcess.start('floor.mjs');
  const memory = await SubjectProcess.start('countersign-memory.mjs');
  const sqlite = await SubjectProcess.start('countersign-sqlite.mjs');
  const peers = [];
  for (const peer of PEERS.filter(isInstalled)) {
    // What a peer warns of is its own affair, and would tear our table apart.
    peers.push(await SubjectProcess.start(peer.subject, ['--no-warnings']));
  }
  return { memory, peers, all: [floor, memory, sqlite, ...peers] };
}

/** @param {SubjectProcess} subject @param {number} calls */
const label = (subject, calls) =>
  `batch of ${calls.toLocaleString('en')}: ${subject.name} ${subject.version}`;

/** @param {Map<number, number>} msBySize @returns {Row} */
function growth(msBySize) {
  const perCall = (/** @type {number} */ calls) => (msBySize.get(calls) ?? Number.NaN) / calls;
  const measured = perCall(10_000) / perCall(100);
  return { what: 'countersign, memory: 10,000 against 100', measured, unit: '×', target: { atMost: 2 } };
}

/** @returns {Row[]} */
function absentPeers() {
  const absent = PEERS.filter((peer) => !isInstalled(peer));
  return absent.map((peer) => ({ what: peer.package, measured: 'not installed: see bench/README.md' }));
}
