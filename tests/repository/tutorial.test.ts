import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../../scripts/source/files.mjs';
import { PROGRAM, test } from '../cli/program.js';

/** The commands of the tutorial, each with the output that it shows, in order. */
function steps(): { readonly code: string; readonly shown: string | null }[] {
  const text = readFileSync(join(root, 'docs/TUTORIAL.md'), 'utf8');
  return [...text.matchAll(/^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?/gms)].map(
    ([, code = '', shown]) => ({
      code,
      shown: shown ?? null,
    }),
  );
}

/** `…` stands for anything. */
const pattern = (shown: string): RegExp =>
  new RegExp(`^${shown.trimEnd().split('…').map(escaped).join('[^]*?')}\\s*$`);
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

test('every command of the tutorial works in its order, and prints what the tutorial shows [C3, C4, P1, P6]', ({
  place,
}) => {
  const commands = join(place.directory, 'commands');
  mkdirSync(commands);
  const launcher = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
  writeFileSync(join(commands, 'countersign'), launcher, { mode: 0o755 });
  const env = { ...place.environment, PATH: `${commands}:${place.environment['PATH']}` };

  let cwd = place.workspace;
  expect(steps().length).toBeGreaterThan(8);
  for (const { code, shown } of steps()) {
    // Each block goes on in the folder where the one before it ended, as in one terminal.
    const left = join(place.directory, 'left');
    const script = `set -e\nexec 2>&1 < /dev/null\n${code}\npwd > '${left}'\n`;
    const { status, stdout } = spawnSync('bash', ['-c', script], { cwd, env, encoding: 'utf8' });
    const output = shown === null ? stdout : expect.stringMatching(pattern(shown));
    expect({ code, status, stdout }).toEqual({ code, status: 0, stdout: output });
    cwd = readFileSync(left, 'utf8').trim();
  }
});
