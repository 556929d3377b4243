import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { journalContract } from '@countersign/testkit/journal-contract';
import { sqliteJournal } from './index.js';

journalContract('sqlite', () => {
  const directory = mkdtempSync(join(tmpdir(), 'journal-contract-'));
  return {
    open: () => sqliteJournal(join(directory, 'journal.db')),
    remove: () => rmSync(directory, { recursive: true }),
  };
});
