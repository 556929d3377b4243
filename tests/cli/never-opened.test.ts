import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteJournal } from '@countersign/store-sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../../scripts/source/files.mjs';

let directory: string;
let store: string;

beforeEach(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-never-opened-')));
  store = join(directory, 'store');
  // What a process leaves behind that is killed after it has taken a new session and before it has written to it.
  const journal = await sqliteJournal(join(store, 'countersign.db'));
  await journal.own('new');
  await journal.close();
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function countersign(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'packages/cli/bin/countersign.js'), ...args, '--store', store],
    { cwd: directory, encoding: 'utf8', input: '', env: { ...process.env, COUNTERSIGN_HOME: directory } },
  );
  return { status, stdout, stderr };
}

test('a session that was never written to is resumed in the workspace that is given [J2, C3]', async () => {
  const workspace = join(directory, 'workspace');
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'here.txt'), '');
  const call = '{"id":"a","name":"list_directory","args":{"dir_path":"."}}';
  const { status, stdout } = countersign('exec', '--resume', 'new', '--workspace', workspace, call);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ callId: 'a', status: 'success' });
  expect(JSON.parse(stdout).output).toContain('here.txt');
  const journal = await sqliteJournal(join(store, 'countersign.db'));
  expect(await journal.session('new')).toMatchObject({ workspace });
  await journal.close();
});

test('an answer for a session that was never written to is refused and opens nothing [A5]', async () => {
  const { status, stderr } = countersign('approvals', 'answer', 'new/a', 'proceed_once');
  expect(status).toBe(1);
  expect(stderr).toContain('new');
  const journal = await sqliteJournal(join(store, 'countersign.db'));
  expect(await journal.session('new')).toMatchObject({ seq: 0 });
  await journal.close();
});
