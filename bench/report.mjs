/**
 * @typedef {object} Row
 * @property {string} what
 * @property {number | string} measured a number in `unit`, or words where there is none
 * @property {'µs' | 'ms' | 'B' | 'MB' | '×' | '/s' | 'B/s' | '%'} [unit]
 * @property {number} [best] of all rounds, in the same unit
 * @property {number} [timesFloor]
 * @property {Target} [target]
 *
 * @typedef {{ atMost: number, text?: string }} Target `text` where "≤ 20 µs" would not say it
 */

const COLUMNS = { what: 62, measured: 12, best: 16, timesFloor: 14, target: 22 };

/** @param {string} title @param {readonly Row[]} rows @returns {string} */
export function table(title, rows) {
  return [`${title}`, ...rows.map((row) => `  ${line(row)}`)].join('\n');
}

/** @param {readonly Row[]} rows */
export const missed = (rows) => rows.filter((row) => verdict(row) === 'MISSED');

/** @param {Row} row */
function line(row) {
  const { what, measured, unit = '', best, timesFloor, target } = row;
  const cells = [
    what.padEnd(COLUMNS.what),
    (typeof measured === 'string' ? measured : `${short(measured)} ${unit}`).padStart(COLUMNS.measured),
    (best === undefined ? '' : `best ${short(best)} ${unit}`).padStart(COLUMNS.best),
    (timesFloor === undefined ? '' : `${short(timesFloor)} × floor`).padStart(COLUMNS.timesFloor),
    (target ? (target.text ?? `≤ ${short(target.atMost)} ${unit}`) : '').padStart(COLUMNS.target),
    verdict(row),
  ];
  return cells.join('  ').trimEnd();
}

/** @param {Row} row */
function verdict({ measured, target }) {
  if (!target || typeof measured === 'string') return '';
  return measured <= target.atMost ? 'ok' : 'MISSED';
}

/** Three digits are more than a shared machine can promise. */
function short(/** @type {number} */ value) {
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));
}
