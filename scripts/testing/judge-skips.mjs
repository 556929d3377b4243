/** @import { Skip } from './report.mjs' */

/**
 * @typedef {object} KnownSkip
 * @property {string} reason the beginning of the reason that the test gives
 * @property {string} platform where it may be skipped: `linux`, `darwin`, or `any`
 * @property {string} why why that is all right
 */

/**
 * The skips that may be seen in a run that must be complete. A skip that is not listed here fails the run with CI=true.
 * @type {readonly KnownSkip[]}
 */
export const KNOWN_SKIPS = [
  {
    reason: 'tmux is not installed',
    platform: 'any',
    why: 'One test draws inside tmux itself; every other test of the terminal has a pseudo-terminal of our own.',
  },
  {
    reason: 'This checkout is in a directory that nobody cannot enter',
    platform: 'linux',
    why: 'Two tests run the program as nobody, from the checkout. CI clones where everybody may look.',
  },
  {
    reason: 'A small file system cannot be mounted',
    platform: 'linux',
    why: 'Only root may mount, and not in every container; the same code is tested with injected failures.',
  },
  { reason: 'Only root ', platform: 'linux', why: 'What only root can do cannot be shown by others.' },
];

/**
 * @param {readonly Skip[]} skips
 * @param {string} [platform]
 * @returns {readonly Skip[]} those that nobody has agreed to
 */
export function unknownSkips(skips, platform = process.platform) {
  return skips.filter(
    ({ reason }) =>
      reason === null ||
      !KNOWN_SKIPS.some(
        (known) =>
          reason.startsWith(known.reason) && (known.platform === 'any' || known.platform === platform),
      ),
  );
}

/**
 * By reason, so that a hundred tests of one kind are not a hundred lines.
 * @param {readonly Skip[]} skips
 * @returns {readonly string[]}
 */
export function describeSkips(skips) {
  const reasons = [...new Set(skips.map(({ reason }) => reason))];
  return reasons.flatMap((reason) => {
    const tests = skips.filter((skip) => skip.reason === reason).map(({ test }) => test);
    const shown = tests.slice(0, TESTS_SHOWN_MAX).map((test) => `    ${test}`);
    const hidden = tests.length - shown.length;
    return [
      `  Skipped (${tests.length}): ${reason ?? 'No reason given. Say why with context.skip(condition, reason).'}`,
      ...shown,
      ...(hidden > 0 ? [`    … and ${hidden} more`] : []),
    ];
  });
}

const TESTS_SHOWN_MAX = 10;
