// What another process does to a journal, for the tests. Says what it did as lines of JSON; ends when its input does.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteJournal } from '../../../dist/journal/index.js';
import {
  append,
  approval,
  grant,
  loaded,
  opened,
  requested,
} from '../../../dist/journal/testing/examples.js';

const [role, path, sessionId, ...rest] = process.argv.slice(2);
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const failureOf = (error) => error.failure ?? { code: 'not a JournalError', message: String(error) };
const untilToldToEnd = () => new Promise((resolve) => process.stdin.on('end', resolve).resume());

const roles = {
  /** Append for ever, or as often as asked; what is said was acknowledged. */
  async append() {
    const times = Number(rest[0] ?? Infinity);
    const journal = await sqliteJournal(path);
    const { token } = await journal.own(sessionId);
    let seq = 0;
    for (let index = 0; index < times; index++) {
      const events = [loaded(`${sessionId}-${index}-a`), loaded(`${sessionId}-${index}-b`)];
      const sync = index % 3 === 0 ? 'full' : 'normal';
      const appended = await journal.append(append(sessionId, token, seq, { events, sync }));
      if (!appended.ok) return say(appended);
      seq = appended.seq;
      say({ seq });
    }
    await journal.close();
  },

  /** Take a session, ask something in it, and stay. */
  async ask() {
    const journal = await sqliteJournal(path);
    const { token } = await journal.own(sessionId);
    const views = [
      { type: 'approval.asked', row: approval(sessionId, 'call-1') },
      { type: 'grant.added', grant: grant('g-1', { uses: 2 }) },
    ];
    const events = [opened(), requested('call-1', 1)];
    await journal.append(append(sessionId, token, 0, { events, views, sync: 'full' }));
    say({ token, pid: process.pid });
    await untilToldToEnd();
  },

  /** Keep the database to itself. */
  async hold() {
    const { default: Database } = await import('libsql');
    const db = new Database(path);
    db.exec('BEGIN EXCLUSIVE');
    say({ held: true });
    await untilToldToEnd();
    db.exec('ROLLBACK');
  },

  /** Open the journal as somebody who may not do everything. */
  async unprivileged() {
    // Everything is loaded before the rights are given up.
    const scratch = mkdtempSync(join(tmpdir(), 'journal-scratch-'));
    await (await sqliteJournal(join(scratch, 'j.db'))).close();
    rmSync(scratch, { recursive: true });
    if (process.getuid() === 0) {
      process.setgid(65534);
      process.setuid(65534);
    }
    await sqliteJournal(path).then(
      () => say({ opened: true }),
      (error) => say(failureOf(error)),
    );
  },

  /** Append ever more until it fails, then say what the same journal says of itself. */
  async untilItFails() {
    const journal = await sqliteJournal(path);
    const { token } = await journal.own(sessionId);
    let seq = 0;
    let failure = null;
    for (let index = 0; index < 100 && !failure; index++) {
      const appended = await journal.append(
        append(sessionId, token, seq, { events: [loaded('x'.repeat(20_000))] }),
      );
      if (appended.ok) seq = appended.seq;
      else failure = appended.failure;
    }
    const recorded = await journal.read(sessionId, 0);
    const after = await journal.append(append(sessionId, token, seq, { events: [loaded('small')] }));
    say({ acknowledged: seq, recorded: recorded.length, failure, after });
  },

  /** Tell whether the native library is there before and after a journal was opened. */
  async load() {
    const isLoaded = () => process.report.getReport().sharedObjects.some((name) => name.includes('libsql'));
    const before = isLoaded();
    await sqliteJournal(path);
    say({ before, after: isLoaded() });
  },
};

await roles[role]();
