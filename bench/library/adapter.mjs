// What the library's scheduler costs beside the bare engine, and whether its snapshots stay in proportion.
import { memoryJournal, openSession, Toolbox } from '@countersign/engine';
import { Config, defineTool, PolicyEngine, Scheduler, ToolRegistry } from 'countersign';
import { z } from 'zod';

/**
 * @import { Effort } from '../compare.mjs'
 * @import { Row } from '../report.mjs'
 */

const ADDED_MAX = 1.3;
const SIZES = [100, 1_000];
/** A batch ten times as large may cost this many times as much per call: quadratic would be ten. */
const GROWTH_MAX = 2;

export const name = 'library';
export const title = 'The same calls through Scheduler, with onToolCallsUpdate, beside the bare engine';

/** @param {Effort} effort @returns {Promise<Row[]>} */
export async function run(effort) {
  const engine = await bareEngine();
  const library = await throughLibrary();
  const rounds = effort.rounds;
  /** @type {Row[]} */
  const rows = [];
  /** @type {Map<number, number>} */
  const perCall = new Map();
  for (let warm = 0; warm < (rounds > 1 ? 20 : 1); warm++) {
    await engine.batch(500);
    await library.batch(500);
  }
  for (const size of SIZES) {
    /** @type {number[]} */
    const ratios = [];
    /** @type {number[]} */
    const costs = [];
    for (let round = 0; round < Math.max(rounds, 1); round++) {
      const bare = await timed(() => engine.batch(size));
      const adapted = await timed(() => library.batch(size));
      ratios.push(adapted / bare);
      costs.push((adapted * 1_000) / size);
    }
    perCall.set(size, median(costs));
    rows.push({ what: `Scheduler, ${size} calls a batch, each`, measured: median(costs), unit: 'µs' });
    rows.push({
      what: `  beside the engine`,
      measured: median(ratios),
      unit: '×',
      target: { atMost: ADDED_MAX },
    });
  }
  rows.push({
    what: 'a call in a batch of 1,000 beside one in a batch of 100',
    measured: (perCall.get(1_000) ?? 0) / (perCall.get(100) ?? 1),
    unit: '×',
    target: { atMost: GROWTH_MAX },
  });
  rows.push({ what: 'snapshots shown for the last batch', measured: `${library.snapshots()}` });
  await engine.close();
  await library.close();
  return rows;
}

const echo = () =>
  defineTool({
    name: 'echo',
    displayName: 'Echo',
    description: 'Gives its text back.',
    kind: 'read',
    input: z.strictObject({ text: z.string() }),
    plan: ({ text }) => ({ title: text, resources: [], repeat: 'safe' }),
    run: async ({ text }) => ({ llmContent: text, returnDisplay: text }),
  });

const wanted = (/** @type {number} */ calls) =>
  Array.from({ length: calls }, (_, index) => ({
    callId: `c${index}`,
    name: 'echo',
    args: { text: `t${index}` },
  }));

async function bareEngine() {
  const rules = new PolicyEngine({ rules: [] });
  await rules.ready();
  const opened = await openSession({
    journal: memoryJournal(),
    sessionId: 'bench',
    workspace: process.cwd(),
    tools: new Toolbox([echo()]),
    policy: rules.asPolicy(),
    classify: () => ({ place: 'workspace', guarded: null }),
  });
  if (!opened.ok) throw new Error(opened.failure.code);
  const { session } = opened;
  return {
    batch: async (/** @type {number} */ calls) => {
      const outcome = await session.schedule(wanted(calls));
      if (!outcome.ok || outcome.calls.some(({ status }) => status !== 'success'))
        throw new Error('not all succeeded');
    },
    close: () => session.dispose(),
  };
}

async function throughLibrary() {
  let shown = 0;
  const config = new Config();
  const registry = new ToolRegistry(config);
  registry.registerTool(echo());
  const scheduler = new Scheduler({
    toolRegistry: registry,
    config,
    onToolCallsUpdate: () => {
      shown++;
    },
  });
  return {
    snapshots: () => shown,
    batch: async (/** @type {number} */ calls) => {
      shown = 0;
      const done = await scheduler.schedule(wanted(calls));
      if (done.some(({ status }) => status !== 'success')) throw new Error('not all succeeded');
    },
    close: () => scheduler.dispose(),
  };
}

/** @param {() => Promise<void>} work */
async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
