// Makes this checkout ready to run: packages installed, program built. Quick when nothing has changed.
//   node scripts/ready.mjs [--program] [--rebuild]     --program: only what `npm start` needs
import { readFileSync } from 'node:fs';

const wanted = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).engines.node;
const [major, minor] = wanted.replace('>=', '').split('.').map(Number);
const [majorHere = 0, minorHere = 0] = process.versions.node.split('.').map(Number);

if (majorHere < major || (majorHere === major && minorHere < minor)) {
  console.error(
    `Countersign needs Node ${major}.${minor} or newer; this is ${process.version}.\n` +
      'Install a newer Node (https://nodejs.org), then run the command again.',
  );
  process.exit(1);
}

// Loaded only now: an old Node could not even parse the rest.
const { makeReady } = await import('./ready/make-ready.mjs');
process.exitCode = await makeReady({
  rebuild: process.argv.includes('--rebuild'),
  scope: process.argv.includes('--program') ? 'program' : 'everything',
});
