// How far a call goes: the source files and the package boundaries that it passes, counted from real runs.
//   node scripts/walk.mjs [--root CHECKOUT] [--files] [--json]
// The checkout must be built (npx tsc -b). Decision 49 has the figures.
//
// What is run: the program, file by file as the compiler wrote it (packages/*/dist), with every function reporting that it was
// entered (scripts/walk/instrument.mjs); see scripts/walk/runs.mjs for the three runs and what each leaves out as start-up.
// What is counted, of the functions that belong to a run:
// - files: source files with at least one such function. Files of types, tables and re-exports have none and are not counted.
// - packages: packages with at least one such file.
// - hops: the functions in the order in which each was entered *first*, over all processes; a hop is where two that follow one
//   another lie in different packages. That is how often a reader who follows the call changes the package.
// - crossings: different ordered pairs of packages among the hops.
// Timers of the program interleave a little differently in every run, so each run is made three times and the median is shown.
import { parseArgs } from 'node:util';
import { here } from './walk/program.mjs';
import { answerOverHttp, execAnsweredElsewhere, modelTurn } from './walk/runs.mjs';

/** @typedef {{ files: string[], packages: string[], hops: number, crossings: number }} Walk */

const WALKS = [
  { title: '(a) exec, answered by another process', run: execAnsweredElsewhere },
  { title: '(b) an HTTP answer', run: answerOverHttp },
  { title: '(c) a model turn', run: modelTurn },
];
const ROUNDS = 3;

const { values } = parseArgs({
  options: { root: { type: 'string' }, files: { type: 'boolean' }, json: { type: 'boolean' } },
});
const root = values.root ?? here.replace(/\/$/, '');

/** @type {{ title: string, walk: Walk }[]} */
const walks = [];
for (const { title, run } of WALKS) {
  /** @type {Walk[]} */
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(walkOf(await run(root)));
  rounds.sort((one, other) => one.files.length - other.files.length || one.hops - other.hops);
  const walk = rounds[Math.floor(ROUNDS / 2)];
  if (walk) walks.push({ title, walk });
}

if (values.json) {
  console.log(JSON.stringify(walks, null, 2));
} else {
  console.log('| walk | files | packages | hops | crossings |\n|---|---|---|---|---|');
  for (const { title, walk } of walks) {
    const { files, packages, hops, crossings } = walk;
    console.log(`| ${title} | ${files.length} | ${packages.length} | ${hops} | ${crossings} |`);
  }
  if (values.files) {
    for (const { title, walk } of walks) console.log(`\n${title}\n  ${walk.files.join('\n  ')}`);
  }
}

/** @returns {Walk} */
function walkOf(/** @type {import('./walk/program.mjs').Entry[]} */ entered) {
  const functions = [...new Set(entered.map(({ name }) => name))];
  const files = [...new Set(functions.map((name) => name.split('#')[0] ?? ''))];
  const passed = functions.map((name) => name.split('/')[1] ?? '');
  const hops = passed.flatMap((name, index) => {
    const before = passed[index - 1];
    return before === undefined || before === name ? [] : [`${before} > ${name}`];
  });
  return {
    files: files.sort(),
    packages: [...new Set(passed)].sort(),
    hops: hops.length,
    crossings: new Set(hops).size,
  };
}
