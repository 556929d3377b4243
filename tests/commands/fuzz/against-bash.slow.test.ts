import { type ChildProcess, execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { analyzeCommand } from '@countersign/commands';
import { skipBecause } from '@countersign/testkit/vitest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leftOpen, missed, type Observed } from './foresight.js';
import { CONSTRUCTS, generateLine } from './generate-line.js';
import { shrink } from './shrink.js';
import { FILES, REAL_PROGRAMS, STUBS } from './stubs.js';

// `node scripts/fuzz-commands.mjs --lines 20000 --seed 7` runs this file with other numbers.
const LINES = Number(process.env['FUZZ_LINES'] ?? 1_000);
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);

/** Lines that run at the same time: while one waits for its processes, another is read. */
const AT_ONCE = 4;
/** Nearly all take less than 50 ms; a loop that never ends is stopped here. */
const LINE_MS_MAX = 3_000;
/** For what left the process group: seconds of a core, and blocks of 512 bytes in a file. */
const LIMITS = 'ulimit -t 2; ulimit -f 2048';
/** A thousand lines take ten seconds on an idle machine. */
const PATIENCE_MS = 60_000 + LINES * 100;
/** If the analysis left more open than this, the comparison would say little. */
const EXACT_SHARE_MIN = 0.35;
/** Each takes some hundred runs of bash. */
const MISSES_SHRUNK_MAX = 3;

let folder = '';
let lastFolder = 0;

/**
 * What keeps a line from harm. Generated, spoilt and shrunk text can name any
 * file, so it runs as a user who may write nowhere, or where nothing but its
 * own folder can be written; without either it does not run at all.
 */
type Confinement =
  | { readonly type: 'user'; readonly uid: number; readonly gid: number }
  | { readonly type: 'bubblewrap'; readonly program: string };

const NOBODY: Confinement = { type: 'user', uid: 65_534, gid: 65_534 };
const READ_ONLY = ['--ro-bind', '/', '/', '--dev', '/dev', '--unshare-net', '--die-with-parent'];

const confinement = confinementHere();
skipBecause(
  confinement
    ? null
    : 'Lines are run as nobody, which takes root, or in bubblewrap: apt-get install bubblewrap',
);

function confinementHere(): Confinement | null {
  if (process.getuid?.() === 0) return NOBODY;
  const program = ['/usr/bin/bwrap', '/usr/local/bin/bwrap'].find((path) => existsSync(path)) ?? null;
  if (program === null) return null;
  const { status } = spawnSync(program, [...READ_ONLY, 'true'], { stdio: 'ignore' });
  return status === 0 ? { type: 'bubblewrap', program } : null;
}

beforeAll(() => {
  folder = ownFolder(mkdtempSync(join(tmpdir(), 'commands-fuzz-')));
  mkdirSync(join(folder, 'bin'));
  // One write into the pipe of the line: two at the same time do not mix, and none gets into another line's.
  const report = `printf '%s\\0' "$#" "\${0##*/}" "$@" >&3`;
  for (const [name, more] of Object.entries(STUBS))
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${report}\n${more}\n`, { mode: 0o755 });
  for (const name of REAL_PROGRAMS) {
    const found = whereIs(name);
    if (found === null) continue;
    copyFileSync(found, join(folder, 'bin', name));
    chmodSync(join(folder, 'bin', name), 0o755);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function ownFolder(path: string): string {
  if (confinement?.type === 'user') chownSync(path, confinement.uid, confinement.gid);
  return path;
}

function whereIs(name: string): string | null {
  try {
    return execFileSync('which', [name], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

test('a line can write nothing outside of its folder', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'commands-fuzz-outside-'));
  const canary = join(outside, 'canary');
  writeFileSync(canary, 'sings');
  const program = join(folder, 'bin', 'env');
  const { size } = statSync(program);
  const { runs } = await observe(
    `: > '${canary}'; : > '${outside}/new'; : > "$(command -v env)"; : > file2; pa`,
  );
  expect(runs).toEqual([['pa']]);
  expect(readFileSync(canary, 'utf8')).toBe('sings');
  expect(readdirSync(outside)).toEqual(['canary']);
  expect(statSync(program).size).toBe(size);
  rmSync(outside, { recursive: true });
  isConfined = true;
});
let isConfined = false;

test('bash runs and writes nothing that was not foreseen, whatever the line [P4]', {
  timeout: PATIENCE_MS,
}, async () => {
  expect(isConfined, 'nothing runs before the test above has passed').toBe(true);
  const constructs = new Map(CONSTRUCTS.map((name) => [name, 0]));
  const said = new Map<string, number>();
  const misses: string[] = [];
  let runs = 0;
  let next = 0;
  const compareLines = async () => {
    while (next < LINES) {
      const number = next++;
      const line = generateLine(SEED, number);
      for (const name of new Set(line.constructs)) count(constructs, name);
      const analysis = analyzeCommand(line.text);
      count(said, leftOpen(analysis) ?? EXACTLY);
      const observed = await observe(line.text);
      runs += observed.runs.length;
      const miss = missed(analysis, observed, folder);
      if (miss === null) continue;
      const small = misses.length < MISSES_SHRUNK_MAX ? await shrink(line.text, isMissed) : line.text;
      misses.push(
        `line ${number}: bash ${miss} of ${JSON.stringify(line.text)}; small: ${JSON.stringify(small)}`,
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, compareLines));
  console.log(
    [
      `${LINES} lines of seed ${SEED}, ${runs} runs of programs, ${misses.length} misses.`,
      `What the analysis said of the lines: ${listed(said)}.`,
      `Lines that hold each construct: ${listed(constructs)}.`,
    ].join('\n'),
  );
  expect(misses.join('\n')).toBe('');
  expect(runs).toBeGreaterThan(LINES);
  expect((said.get(EXACTLY) ?? 0) / LINES).toBeGreaterThan(EXACT_SHARE_MIN);
  expect([...constructs].filter(([, lines]) => lines === 0)).toEqual([]);
});

const EXACTLY = 'exactly what it runs';

const count = (counts: Map<string, number>, name: string): unknown =>
  counts.set(name, (counts.get(name) ?? 0) + 1);

const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, lines]) => `${name} ${lines}`)
    .join(', ');

const isMissed = async (text: string): Promise<boolean> =>
  missed(analyzeCommand(text), await observe(text), folder) !== null;

/** Runs a line where it finds nothing but stubs, in a folder of its own, and waits for all that it started. */
async function observe(text: string): Promise<Observed> {
  const cwd = join(folder, `line-${lastFolder++}`);
  mkdirSync(cwd);
  ownFolder(cwd);
  for (const name of FILES) writeFileSync(join(cwd, name), '');
  const log = await toldUntilTheEnd(start(text, cwd));
  const written = readdirSync(cwd).filter((name) => !FILES.includes(name));
  rmSync(cwd, { recursive: true, force: true });
  return { runs: runsIn(log), written };
}

/** Each run is the number of its arguments, the name and the arguments, each ended by the one byte that none can hold. */
function runsIn(log: string): readonly (readonly string[])[] {
  const received = log.split('\0');
  const runs: string[][] = [];
  for (let at = 0; at + 1 < received.length; ) {
    const end = at + 2 + Number(received[at]);
    runs.push(received.slice(at + 1, end));
    at = end;
  }
  return runs;
}

function start(text: string, cwd: string): ChildProcess {
  const argv = ['-c', `${LIMITS}; exec bash -c "$1"`, 'sh', text];
  const options: SpawnOptions = {
    cwd,
    env: { PATH: join(folder, 'bin'), HOME: folder, TMPDIR: folder, LC_ALL: 'C.UTF-8', FUNCNEST: '20' },
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  };
  switch (confinement?.type) {
    case 'user':
      return spawn('/bin/sh', argv, { ...options, uid: confinement.uid, gid: confinement.gid });
    case 'bubblewrap': {
      const programs = join(folder, 'bin');
      const own = ['--bind', folder, folder, '--ro-bind', programs, programs, '--chdir', cwd];
      return spawn(confinement.program, [...READ_ONLY, ...own, '/bin/sh', ...argv], options);
    }
    case undefined:
      throw new Error('nothing confines what the line could do');
  }
}

/** Background jobs hold the pipe as well: it ends with the last of them. */
async function toldUntilTheEnd(child: ChildProcess): Promise<string> {
  const pipe = child.stdio[3];
  if (!(pipe instanceof Readable)) throw new Error('no pipe for the stubs');
  let received = '';
  pipe.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  const timer = setTimeout(() => {
    pipe.destroy();
    endGroup(child);
  }, LINE_MS_MAX);
  await new Promise((resolve) => pipe.once('close', resolve));
  clearTimeout(timer);
  return received;
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}
