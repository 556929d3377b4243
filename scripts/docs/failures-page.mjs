/**
 * docs/FAILURES.md: every failure, who it is for, and how it reads.
 * @param {Pick<typeof import('@countersign/protocol'), 'FAILURES' | 'explain'>} protocol
 * @param {typeof import('../../packages/protocol/src/failures/failure-samples.js').FAILURE_SAMPLES} samples
 */
export function failuresPage({ FAILURES, explain }, samples) {
  const rows = Object.values(samples).map((sample) => {
    const { audience, transient, when } = FAILURES[sample.code];
    const { message, hint } = explain(sample);
    return row([`\`${sample.code}\``, when, audience, transient ? 'yes' : 'no', message, hint]);
  });
  return [
    '# Failures',
    '',
    'Made by `npm run docs` from packages/protocol/src/failures/failure.ts. Do not edit.',
    '',
    'A failure is data: a code and its fields. Its texts are created where they are shown. "For" names who can act',
    'on it. "Retried" says whether the engine retries automatically, which it does only for calls whose plan is',
    'safe to repeat. Message and hint are shown for an example of each failure.',
    '',
    row(['Code', 'When', 'For', 'Retried', 'Message', 'Hint']),
    row(['---', '---', '---', '---', '---', '---']),
    ...rows,
    '',
  ].join('\n');
}

const row = (/** @type {string[]} */ cells) => `| ${cells.map(cell).join(' | ')} |`;
const cell = (/** @type {string} */ text) => text.replaceAll('|', '\\|').replaceAll('\n', '<br>');
