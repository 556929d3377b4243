import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InTerminal } from '../../scripts/terminal/in-terminal.mjs';
import { median } from '../compare.mjs';

/**
 * @import { Effort } from '../compare.mjs'
 * @import { Row } from '../report.mjs'
 */

const FIRST_PROMPT_TIMES_MAX = 4;
const FRAMES_PER_SECOND_MAX = 15;
const CPU_PERCENT_MAX = 30;
/** Sooner than that is at once, for the person who types. */
const LETTER_MS_MAX = 100;

const CALLS = 10;
const LINES_PER_SECOND = 1_000;
const STREAM_SECONDS = 5;
const QUICK_SECONDS = 1;
/** By then all ten have begun, and what is compiled at first is compiled. */
const SETTLED_MS = 1_500;
const FLOOD_LINES = 50_000;
const LETTERS = 'abcdefghijklmnopqrst';
const BETWEEN_LETTERS_MS = 60;

/** The last row of the screen, which is there once one can type. */
const PROMPT = '(shift-tab)';
const PRINTS_PROMPT = `process.stdout.write(${JSON.stringify(PROMPT)})`;
const FRAME = '\u001b[?2026h';

export const name = 'terminal';
export const title = 'The program in a pseudo-terminal of 80 × 24, as a person has it';

/** @param {Effort} effort @returns {Promise<Row[]>} */
export async function run({ rounds }) {
  const seconds = rounds > 1 ? STREAM_SECONDS : QUICK_SECONDS;
  return [...(await startRows(rounds)), ...(await streamRows(seconds)), ...(await typingRows())];
}

/** @param {number} rounds @returns {Promise<Row[]>} */
async function startRows(rounds) {
  /** @type {number[]} */
  const bare = [];
  /** @type {number[]} */
  const mine = [];
  // Kept from round to round, as a person's is.
  const store = mkdtempSync(join(tmpdir(), 'countersign-bench-store-'));
  try {
    // The first round only fills the caches of the system; a quick run has no other.
    for (let round = rounds > 1 ? -1 : 0; round < rounds; round++) {
      const bareMs = await untilPrompt(new InTerminal(() => ['-e', PRINTS_PROMPT]));
      const mineMs = await untilPrompt(InTerminal.program([], [], { store }));
      if (round < 0) continue;
      bare.push(bareMs);
      mine.push(mineMs);
    }
  } finally {
    rmSync(store, { recursive: true, force: true });
  }
  const row = (/** @type {string} */ what, /** @type {readonly number[]} */ ms) => ({
    what,
    measured: median(ms),
    best: Math.min(...ms),
    unit: /** @type {const} */ ('ms'),
  });
  return [
    row('from the start to the first prompt', mine),
    row('  bare: node -e that prints it', bare),
    {
      what: '    countersign beside it',
      measured: median(mine.map((ms, round) => ms / (bare[round] ?? Number.NaN))),
      best: Math.min(...mine) / Math.min(...bare),
      unit: '×',
      target: { atMost: FIRST_PROMPT_TIMES_MAX },
    },
  ];
}

/** @param {InTerminal} terminal */
async function untilPrompt(terminal) {
  try {
    return await terminal.until((bytes) => bytes.includes(PROMPT));
  } finally {
    await terminal.close();
  }
}

/** @param {number} seconds @returns {Promise<Row[]>} */
async function streamRows(seconds) {
  const streams = Array.from({ length: CALLS }, () => command(streaming(LINES_PER_SECOND, Infinity)));
  return working(streams, async (terminal) => {
    await terminal.until((bytes) => lastLine(bytes) > 0);
    await sleep(SETTLED_MS);
    const before = looked(terminal);
    await sleep(seconds * 1_000);
    const after = looked(terminal);
    const tookSeconds = (after.at - before.at) / 1_000;
    const perSecond = (/** @type {'frames' | 'bytes' | 'cpu' | 'line'} */ what) =>
      (after[what] - before[what]) / tookSeconds;
    const what = 'ten calls that stream a thousand lines a second';
    return [
      { what: `${what}: lines that came of each`, measured: perSecond('line'), unit: '/s' },
      {
        what: '  frames drawn',
        measured: perSecond('frames'),
        unit: '/s',
        target: { atMost: FRAMES_PER_SECOND_MAX },
      },
      { what: '  written to the terminal', measured: perSecond('bytes'), unit: 'B/s' },
      Number.isNaN(after.cpu)
        ? { what: '  of a core', measured: 'not told by this system' }
        : {
            what: '  of a core',
            measured: perSecond('cpu') * 100,
            unit: '%',
            target: { atMost: CPU_PERCENT_MAX },
          },
    ];
  });
}

/** @param {InTerminal} terminal */
function looked(terminal) {
  const { bytes } = terminal;
  return {
    at: performance.now(),
    bytes: bytes.length,
    frames: bytes.split(FRAME).length - 1,
    cpu: terminal.cpuSeconds(),
    line: lastLine(bytes),
  };
}

/** @returns {Promise<Row[]>} */
async function typingRows() {
  const flood = command(streaming(FLOOD_LINES / 5, FLOOD_LINES));
  return working([flood], async (terminal) => {
    await terminal.until((bytes) => lastLine(bytes) > 0);
    /** @type {number[]} */
    const waits = [];
    for (let index = 0; index < LETTERS.length; index++) {
      const typed = LETTERS.slice(0, index + 1);
      const from = terminal.bytes.length;
      const at = performance.now();
      terminal.type(typed.at(-1) ?? '');
      await terminal.until((bytes) => withoutLooks(bytes.slice(from)).includes(`> ${typed}`));
      waits.push(performance.now() - at);
      await sleep(BETWEEN_LETTERS_MS);
    }
    return [
      {
        what: 'from a key to its letter, while 50,000 lines arrive',
        measured: median(waits),
        best: Math.min(...waits),
        unit: 'ms',
        target: { atMost: LETTER_MS_MAX },
      },
      { what: '  the longest of twenty', measured: Math.max(...waits), unit: 'ms' },
    ];
  });
}

/**
 * The program while these calls run.
 * @param {readonly object[]} calls
 * @param {(terminal: InTerminal) => Promise<Row[]>} measure
 */
async function working(calls, measure) {
  const terminal = InTerminal.program([calls, [{ text: 'Over.' }]], ['--yolo']);
  try {
    await terminal.until((bytes) => bytes.includes(PROMPT));
    terminal.type('go');
    await terminal.until((bytes) => withoutLooks(bytes).includes('> go'));
    terminal.type('\r');
    return await measure(terminal);
  } finally {
    await terminal.close();
  }
}

const command = (/** @type {string} */ line) => ({
  functionCall: { name: 'run_shell_command', args: { command: line } },
});

/** So many lines a second by the clock, however busy the machine is. @param {number} perSecond @param {number} linesMax */
function streaming(perSecond, linesMax) {
  const script = `
const began = Date.now();
let line = 0;
const timer = setInterval(() => {
  const due = Math.min(${linesMax}, (Date.now() - began) * ${perSecond / 1_000});
  let text = '';
  while (line < due) text += 'line ' + ++line + ' of it, as long as the lines of a build mostly are\\n';
  process.stdout.write(text);
  if (line >= ${linesMax}) clearInterval(timer);
}, 20);`;
  return `${JSON.stringify(process.execPath)} -e ${JSON.stringify(script.replaceAll('\n', ' '))}`;
}

/** The highest number of a line in the latest of what was sent; 0 if there is none yet. @param {string} bytes */
const lastLine = (bytes) =>
  Math.max(0, ...[...bytes.slice(-20_000).matchAll(/line (\d+) of/g)].map(([, number]) => Number(number)));

/** Without colours, and what tells the cursor from the text. @param {string} bytes */
const withoutLooks = (bytes) => bytes.replaceAll(/\u001b\[[\d;]*m/g, '');
