import { compare, median, warmUp } from '../compare.mjs';
import { label } from '../line-up.mjs';
import { isInstalled, PEERS } from '../peers.mjs';
import { SubjectProcess } from '../subject-process.mjs';
import { CHECKS, KINDS, RULES } from './workload.mjs';

/**
 * @import { Effort } from '../compare.mjs'
 * @import { Row } from '../report.mjs'
 */

/** What a check costs may not depend on how many rules there are. */
const GROWTH_MAX = 1.1;
/** Checks of a few microseconds are timed by the thousand. */
const TIMES = 5;

export const name = 'judge';
export const title = 'One check of policy, by the number of rules';

/** @param {Effort} effort @returns {Promise<Row[]>} */
export async function run(effort) {
  const ours = await SubjectProcess.start('judge/countersign.mjs');
  /** @type {Row[]} */
  const rows = [];
  for (const kind of KINDS.keys()) {
    for (const rules of RULES) rows.push(...(await beside(ours, kind, rules, effort)));
    rows.push(await growth(ours, kind, effort));
  }
  await ours.stop();
  return rows;
}

/** @param {SubjectProcess} ours @param {number} number @param {number} rules @param {Effort} effort @returns {Promise<Row[]>} */
async function beside(ours, number, rules, effort) {
  const kind = KINDS[number];
  if (!kind) throw new Error(`no kind ${number}`);
  // After some ten thousand lines the peer's parser has no memory left and it asks about everything: it begins again each time.
  const peers = await Promise.all(
    PEERS.filter((peer) => peer.folder === 'gemini-core' && isInstalled(peer)).map((peer) =>
      SubjectProcess.start(`judge/${peer.subject}`, { nodeOptions: ['--no-warnings'] }),
    ),
  );
  const subjects = [ours, ...peers];
  const work = [rules, number];
  await warmUp(subjects, 'check', work, { ...effort, warmUpMs: effort.warmUpMs / KINDS.length });
  const compared = await compare(subjects, 'check', work, { effort, times: TIMES });
  for (const peer of peers) await peer.stop();
  return compared.map(({ subject, msEach, msBest }) => ({
    what: `${kind.what}, ${rules.toLocaleString('en')} rules: ${label(subject)}`,
    measured: (msEach * 1_000) / CHECKS,
    best: (msBest * 1_000) / CHECKS,
    unit: 'µs',
    ...(subject === ours && { target: { atMost: kind.usMax } }),
  }));
}

/**
 * Taken again in pairs: two medians of different minutes would compare the minutes.
 * @param {SubjectProcess} subject
 * @param {number} kind
 * @param {Effort} effort
 * @returns {Promise<Row>}
 */
async function growth(subject, kind, { rounds }) {
  const ratios = [];
  for (let round = 0; round < rounds; round++) {
    const few = await subject.measure('check', [10, kind], TIMES);
    const many = await subject.measure('check', [1_000, kind], TIMES);
    ratios.push(many.msEach / few.msEach);
  }
  const what = `  under 1,000 rules against 10: ${subject.name}`;
  return { what, measured: median(ratios), unit: '×', target: { atMost: GROWTH_MAX } };
}
