// Makes the pictures of the terminal from real runs of the real program: docs/pictures/terminal-*.svg
//   node scripts/ready.mjs && node scripts/pictures/terminal.mjs [--to FOLDER] [NAME …]
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import xterm from '@xterm/headless';
import { root } from '../source/files.mjs';
import { InTerminal } from '../terminal/in-terminal.mjs';
import { makeHarbour, SCENES } from './scenes.mjs';
import { screenSvg, THEMES } from './screen-svg.mjs';

/** @import { Scene } from './scenes.mjs' */

/** A screen to which nothing was sent for so long is drawn; one on which something flows never is. */
const STILL_MS = 300;
const DRAWN_MS_MAX = 3_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { to: { type: 'string', default: join(root, 'docs/pictures') } },
});
const unknown = positionals.filter((name) => !SCENES.some((scene) => scene.name === name));
if (unknown.length > 0) {
  console.error(
    `No picture is called ${unknown.join(' or ')}. There are: ${SCENES.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}
mkdirSync(values.to, { recursive: true });
for (const scene of SCENES) {
  if (positionals.length > 0 && !positionals.includes(scene.name)) continue;
  const path = join(values.to, `${scene.name}.svg`);
  writeFileSync(path, await pictureOf(scene));
  console.log(path);
}

/** @param {Scene} scene */
async function pictureOf({ theme, columns = 80, rows = 24, args, answers, says, until, title }) {
  const screen = new xterm.Terminal({ cols: columns, rows, scrollback: 1_000, allowProposedApi: true });
  const program = InTerminal.program(answers, ['--session', 'harbour', ...args], {
    columns,
    rows,
    folder: 'harbour',
    env: { COUNTERSIGN_THEME: theme },
    prepare: makeHarbour,
  });
  try {
    await program.until((bytes) => bytes.includes('(shift-tab)'));
    program.type(says);
    await program.until((bytes) => words(bytes).includes(`> ${says}`));
    program.type('\r');
    await program.until((bytes) => words(bytes).includes(until));
    await drawn(program);
    await new Promise((resolve) => screen.write(program.bytes, () => resolve(null)));
    return screenSvg(screen, THEMES[theme], title);
  } finally {
    await program.close();
    screen.dispose();
  }
}

/** @param {InTerminal} program */
async function drawn(program) {
  const giveUpAt = performance.now() + DRAWN_MS_MAX;
  for (let length = -1; length !== program.bytes.length && performance.now() < giveUpAt; ) {
    length = program.bytes.length;
    await sleep(STILL_MS);
  }
}

/** Without colours. @param {string} bytes */
function words(bytes) {
  return bytes.replaceAll(/\u001b\[[\d;]*m/g, '');
}
