#!/usr/bin/env node
const MAJOR_MIN = 20;
const MINOR_MIN = 19;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < MAJOR_MIN || (major === MAJOR_MIN && minor < MINOR_MIN)) {
  console.error(
    `Countersign needs Node ${MAJOR_MIN}.${MINOR_MIN} or newer; this is ${process.version}.\n` +
      'Install a newer Node (https://nodejs.org), then run the command again.',
  );
  process.exit(1);
}

const { loadProgram } = require('./program.js');
const program = loadProgram();
if (program) {
  program.run();
} else {
  console.error(
    'Countersign has not been built yet. Run `npm start` or `npm run build` in its checkout first.',
  );
  process.exitCode = 1;
}
