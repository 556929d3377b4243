// Makes a directory of links to every program of PATH but those that a fresh machine does not have, and prints its path:
//   PATH="$(node scripts/rehearse/bare-path.mjs DIRECTORY)" npm test
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

/** Tests may need none of them to be there; bubblewrap they may install. */
const MISSING = [
  /^chrom(e|ium)/,
  /^google-chrome/,
  /^bwrap$/,
  /^tmux$/,
  /^rg$/,
  /^(psql|postgres|pg_ctl|initdb|pg_.*)$/,
];

const directory = resolve(process.argv[2] ?? '');
if (process.argv[2] === undefined) throw new Error('Say where to make it: bare-path.mjs DIRECTORY');
mkdirSync(directory, { recursive: true });
const taken = new Set(readdirSync(directory));
for (const place of (process.env['PATH'] ?? '').split(delimiter)) {
  for (const name of programsIn(place)) {
    if (taken.has(name) || MISSING.some((pattern) => pattern.test(name))) continue;
    taken.add(name);
    symlinkSync(join(place, name), join(directory, name));
  }
}
console.log(directory);

/** @param {string} place */
function programsIn(place) {
  try {
    return readdirSync(place);
  } catch {
    return []; // PATH may name places that do not exist
  }
}
