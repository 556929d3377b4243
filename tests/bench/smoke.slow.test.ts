import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/source/files.mjs';

/** Many times what a quick run takes on a busy machine. */
const PATIENCE_MS = 180_000;

function bench(...args: string[]) {
  const env = { ...process.env, BENCH_PEERS: join(root, 'bench', 'no-peers-here') };
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bench/run.mjs', ...args], {
    cwd: root,
    encoding: 'utf8',
    env,
  });
  return { status, stdout, stderr };
}

test('the benchmarks run and print every row, met or missed', { timeout: PATIENCE_MS }, () => {
  const { status, stdout, stderr } = bench('--quick');
  expect(stderr).toBe('');
  for (const calls of ['1', '10', '100', '1,000', '10,000']) {
    for (const who of ['bare promise', 'countersign, memory', 'countersign, SQLite']) {
      expect(stdout).toMatch(
        new RegExp(`batch of ${calls}: ${who} \\S+ +[\\d.,]+ µs +best [\\d.,]+ µs +[\\d.,]+ × floor`),
      );
    }
  }
  const withTarget = (row: string) => new RegExp(`${row}.*≤ [\\d.,]+ (µs|ms|B|×) +(ok|MISSED)$`, 'm');
  for (const row of [
    'batch of 1,000: countersign, memory',
    'batch of 10,000: countersign, memory',
    'batch of 1,000: countersign, SQLite',
    'countersign, memory: a call among 10,000 against one among 100',
    'asked: .*\\n(.*\\n)*  batch of 100: countersign, memory',
    'asked: .*\\n(.*\\n)*  batch of 1,000: countersign, memory',
    'beside-waiting: .*\\n(.*\\n)*  countersign, memory',
    'beside-waiting: .*\\n(.*\\n)*  countersign, SQLite',
    'countersign, memory: an update beside 100 against one alone',
    'heap: .*\\n(.*\\n)*  countersign, memory',
    'library: .*\\n(.*\\n)*    beside the engine',
  ]) {
    expect(stdout).toMatch(withTarget(row));
  }
  expect(stdout).toMatch(/ {2}1 running: countersign, memory \S+ +[\d.,]+ µs/);
  expect(stdout).toMatch(/ {2}100 running: countersign, memory \S+ +[\d.,]+ µs/);
  for (const peer of ['@google/gemini-cli-core', 'ai']) {
    expect(stdout).toMatch(new RegExp(`  ${peer} +not installed: see bench/README.md`));
  }
  expect(status).toBe(0);
});

test('a benchmark that does not exist is named, with those that do', () => {
  const { status, stderr } = bench('cals');
  expect(stderr).toContain(
    'No benchmark is called cals. There are: calls, asked, beside-waiting, live, heap, library.',
  );
  expect(status).toBe(2);
});
