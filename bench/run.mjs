// How fast the heart, the judge, the program and the hands are, beside the least that the same work costs:
//   node bench/run.mjs [calls] [asked] [beside-waiting] [live] [heap] [library] [judge] [mcp] [voice] [terminal] [server] [page] [files] [commands] [search] [--quick]
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { QUICK, THOROUGH } from './compare.mjs';
import * as commands from './hands/commands.mjs';
import * as files from './hands/files.mjs';
import * as search from './hands/search.mjs';
import * as asked from './heart/asked.mjs';
import * as besideWaiting from './heart/beside-waiting.mjs';
import * as calls from './heart/calls.mjs';
import * as heap from './heart/heap.mjs';
import * as live from './heart/live.mjs';
import * as judge from './judge/checks.mjs';
import * as library from './library/adapter.mjs';
import * as mcp from './mcp/calls.mjs';
import * as page from './page/first-view.mjs';
import { missed, table } from './report.mjs';
import * as server from './server/load.mjs';
import * as terminal from './terminal/terminal.mjs';
import * as voice from './voice/program.mjs';

// The last one removes 20,000 files: for some seconds after that, ext4 is slow to make new ones.
const BENCHMARKS = [
  calls,
  asked,
  besideWaiting,
  live,
  heap,
  library,
  judge,
  mcp,
  voice,
  terminal,
  server,
  page,
  files,
  commands,
  search,
];
/** @type {readonly string[]} */
const NAMES = BENCHMARKS.map(({ name }) => name);

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});
const unknown = wanted.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
  console.error(`No benchmark is called ${unknown.join(' or ')}. There are: ${NAMES.join(', ')}.`);
  process.exit(2);
}

console.log(circumstances());
if (values.quick)
  console.log('Quick: one round of code that is not warm yet. This shows that it runs, not how fast.');
let misses = 0;
for (const benchmark of BENCHMARKS) {
  if (wanted.length > 0 && !wanted.includes(benchmark.name)) continue;
  const rows = await benchmark.run(values.quick ? QUICK : THOROUGH);
  console.log(`\n${table(`${benchmark.name}: ${benchmark.title}`, rows)}`);
  misses += missed(rows).length;
}
console.log(`\n${misses === 0 ? 'Every target was met.' : `${misses} missed.`} ${circumstances()}`);

/** Others on the machine make everything slower; the figures must not be read without this. */
function circumstances() {
  const [load = 0] = loadavg();
  const date = new Date().toISOString().slice(0, 10);
  return `Node ${process.version}, ${date}, ${cpus().length} cores, load ${load.toFixed(1)}.`;
}
