import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { append, opened } from '@countersign/engine/testing';
import type { Event } from '@countersign/protocol';
import Database from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sqliteJournal } from './index.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'half-characters-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const said = (text: string): Event => ({
  type: 'message.added',
  message: { id: 1, at: 1, role: 'user', parts: [{ text }], by: 'ada', promptId: 'p' },
});

test.each([
  ['the bytes of half a character', 'eda0bd'],
  ['a byte that is in no text', 'ff2020'],
])('%s in a record that held something else are damage [J1]', async (_what, bytes) => {
  const path = join(directory, 'journal.db');
  const journal = await sqliteJournal(path);
  try {
    const owned = await journal.own('s');
    if (!owned.ok) throw new Error(owned.failure.code);
    await journal.append(append('s', owned.token, 0, { events: [opened(), said('XYZ')] }));
    expect(await journal.messages('all')).toMatchObject([{ words: 'XYZ' }]);
    const db = new Database(path);
    db.exec(`UPDATE journal SET body = CAST(replace(body, 'XYZ', CAST(x'${bytes}' AS TEXT)) AS TEXT)`);
    db.close();
    await expect(journal.messages('all')).rejects.toMatchObject({ failure: { code: 'journal_corrupt' } });
  } finally {
    await journal.close();
  }
});
