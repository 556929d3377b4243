import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { root } from '../../scripts/source/files.mjs';
import { leavePending } from './pending-session.js';

let directory: string;
let file: string;

beforeEach(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-damaged-')));
  file = join(directory, 'countersign.db');
  mkdirSync(join(directory, 'work'));
  for (const session of ['whole', 'broken']) await leavePending(file, session);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function countersign(...args: string[]) {
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'packages/cli/bin/countersign.js'), ...args, '--store', directory],
    {
      cwd: join(directory, 'work'),
      encoding: 'utf8',
      input: '',
      env: { ...process.env, COUNTERSIGN_HOME: directory },
    },
  );
  return { status, signal, stdout, stderr };
}

function damage(sql: string): void {
  const db = new Database(file);
  db.exec(sql);
  db.close();
}

const BAD = `CAST(CAST('[' AS BLOB) || x'ff' AS TEXT)`;

describe.each([
  ['a record with bytes that are not UTF-8', `UPDATE journal SET body = ${BAD} WHERE session = 'broken'`],
  [
    'one bad byte inside a record',
    `UPDATE journal SET body = CAST(replace(CAST(body AS TEXT), 'edit', CAST(x'fe' AS TEXT)) AS TEXT) WHERE session = 'broken'`,
  ],
  [
    'records that were cut short',
    `UPDATE journal SET body = substr(body, 1, length(body) / 2) WHERE session = 'broken'`,
  ],
  ['an entry with a bad workspace', `UPDATE sessions SET workspace = ${BAD} WHERE id = 'broken'`],
  ['an entry with a bad mode', `UPDATE sessions SET mode = ${BAD} WHERE id = 'broken'`],
])('%s', (_what, sql) => {
  test('is reported as damage of that session, and every other session can be used [J1] [J4]', () => {
    damage(sql);
    const list = countersign('sessions', 'list', '--all');
    expect(list).toMatchObject({ status: 0, signal: null });
    expect(list.stdout).toMatch(/^whole .*pending/m);
    expect(list.stdout).toMatch(/^broken .*damaged: /m);

    const approvals = countersign('approvals', 'list');
    expect(approvals.signal).toBeNull();
    expect(approvals.stdout).toContain('whole/ask');
    // A list that lacks the questions of a damaged session is no success.
    const isListed = approvals.stdout.includes('broken/ask');
    expect([
      approvals.status,
      /broken is damaged and its questions are not listed/.test(approvals.stderr),
    ]).toEqual(isListed ? [0, false] : [4, true]);

    expect(countersign('stats').signal).toBeNull();
    for (const args of [
      ['sessions', 'show', 'whole'],
      ['sessions', 'export', 'whole'],
    ])
      expect(countersign(...args)).toMatchObject({ status: 0, signal: null });
    const shown = countersign('sessions', 'show', 'broken');
    expect(shown.signal).toBeNull();
    expect(shown.stderr).not.toMatch(/panicked|at .*\.js:\d/);

    const call = '{"id":"next","name":"list_directory","args":{"dir_path":"."}}';
    expect(countersign('exec', '--resume', 'whole', call)).toMatchObject({ signal: null });
    expect(countersign('exec', call)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('success'),
    });
  });
});

test('damage of one session is answered with how to remove that session, and not the journal [J1] [J4]', () => {
  damage(`UPDATE journal SET body = ${BAD} WHERE session = 'broken'`);
  const { stderr } = countersign('sessions', 'show', 'broken');
  expect(stderr).toContain('countersign sessions delete broken');
  expect(stderr).not.toContain('move it away');
  expect(countersign('sessions', 'delete', 'broken', '--yes')).toMatchObject({ status: 0 });
});

test('a row of the statistics that cannot be read is left out and said [J1]', () => {
  const call = '{"id":"done","name":"list_directory","args":{"dir_path":"."}}';
  for (const session of ['other', 'counted']) countersign('exec', '--session', session, call);
  damage(`UPDATE calls SET body = ${BAD} WHERE session = 'other'`);
  const { status, stdout, stderr } = countersign('stats');
  expect(status).toBe(4);
  expect(stdout).toContain('list_directory');
  expect(stderr).toContain('The session other is damaged and not counted');
});

test('a store that was truncated to nothing is damaged, and is not filled anew [J1]', () => {
  for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  truncateSync(file, 0);
  for (const args of [
    ['sessions', 'list', '--all'],
    ['exec', '{"id":"a","name":"list_directory","args":{}}'],
  ]) {
    const { status, stderr } = countersign(...args);
    expect(status).not.toBe(0);
    expect(stderr).toContain(`The journal ${file} is damaged: the file is empty`);
    expect(stderr).toContain('from a copy');
  }
});
