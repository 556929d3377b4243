import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/source/files.mjs';

/** Many times what a quick run takes on a busy machine. */
const PATIENCE_MS = 180_000;

/** A median and the best of all rounds. */
const FIGURES = '[\\d.,]+ (µs|ms) +best [\\d.,]+ (µs|ms)';

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
  const withTarget = (row: string) => new RegExp(`${row}.*≤ [\\d.,]+ (µs|ms|B|MB|×) +(ok|MISSED)$`, 'm');
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
  for (const hand of [
    'read_file, 200 lines',
    'read_file, 20 files in one batch',
    'replace, one line of 10,000',
    'write_file, 1 MB over 1 MB',
    'grep_search, 80 matches',
    'glob, 4,000 files newest first',
    'glob, all 20,000 files newest first',
    'run_shell_command, true',
    'ten sleeps of 100 ms in one batch',
    '100 MB',
  ]) {
    expect(stdout).toMatch(
      withTarget(`  ${hand} +${FIGURES}\\n    bare: .+${FIGURES}\\n      countersign beside it`),
    );
  }
  expect(stdout).toMatch(new RegExp(`  50,000 lines +${FIGURES}\\n    bare: .+${FIGURES}\\n`));
  for (const printed of ['50,000 lines', '100 MB'])
    expect(stdout).toMatch(withTarget(`  ${printed}: more memory resident, at most`));
  for (const row of ['--version', 'from the start to the first request', 'one read', 'a command, true'])
    expect(stdout).toMatch(
      withTarget(`  ${row} +${FIGURES}\\n    bare: .+${FIGURES}\\n      countersign beside it`),
    );
  expect(stdout).toMatch(
    withTarget(
      `  from the start to the first prompt +${FIGURES}\\n    bare: .+${FIGURES}\\n      countersign beside it`,
    ),
  );
  for (const row of ['frames drawn +[\\d.,]+ /s', 'of a core +[\\d.,]+ %'])
    expect(stdout).toMatch(new RegExp(`  ${row} .*≤ [\\d.,]+ (/s|%) +(ok|MISSED)$`, 'm'));
  expect(stdout).toMatch(/ {2}written to the terminal +[\d.,]+ B\/s$/m);
  expect(stdout).toMatch(withTarget('from a key to its letter, while 50,000 lines arrive'));
  for (const row of ['the first request', 'memory resident, at most'])
    expect(stdout).toMatch(withTarget(row));
  for (const peer of ['@google/gemini-cli-core', 'ai']) {
    expect(stdout).toMatch(new RegExp(`  ${peer} +not installed: see bench/README.md`));
  }
  expect(status).toBe(0);
});

test('a benchmark that does not exist is named, with those that do', () => {
  const { status, stderr } = bench('cals');
  expect(stderr).toContain(
    'No benchmark is called cals. There are: calls, asked, beside-waiting, live, heap, library, judge, mcp, voice, terminal, server, page, files, commands, search.',
  );
  expect(status).toBe(2);
});
