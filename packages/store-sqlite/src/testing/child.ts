// What another process does to a journal, for the tests. It says what it did as lines of JSON; some stay until their input ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Journal, JournalError, type ViewChange } from '@countersign/engine/journal';
import { append, approval, asking, grant, loaded, opened } from '@countersign/engine/testing';
import { sqliteJournal } from '../index.js';

const [role = '', path = '', sessionId = '', times = 'Infinity'] = process.argv.slice(2);
const NOBODY = 65_534;

const roles: { readonly [name: string]: () => Promise<void> } = {
  /** Append as often as asked; what is said was acknowledged. */
  async append() {
    const journal = await sqliteJournal(path);
    const token = await own(journal);
    let seq = 0;
    for (let index = 0; index < Number(times); index++) {
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
    const token = await own(journal);
    const views: ViewChange[] = [
      { type: 'approval.asked', row: approval(sessionId, 'call-1') },
      { type: 'grant.added', grant: grant('g-1', { uses: 2 }) },
    ];
    const events = [opened(), ...asking(approval(sessionId, 'call-1'))];
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

  /** Try what only the sole user of a database can do: give up its log. */
  async leaveLog() {
    const { default: Database } = await import('libsql');
    try {
      new Database(path).exec('PRAGMA journal_mode = DELETE');
      say({ left: true });
    } catch (error) {
      say({ left: false, because: String(error) });
    }
  },

  /** Open the journal as a user with fewer permissions. */
  async unprivileged() {
    // Everything is loaded before the rights are given up.
    const scratch = mkdtempSync(join(tmpdir(), 'journal-scratch-'));
    await (await sqliteJournal(join(scratch, 'j.db'))).close();
    rmSync(scratch, { recursive: true });
    if (process.getuid?.() === 0) {
      process.setgid?.(NOBODY);
      process.setuid?.(NOBODY);
    }
    try {
      await sqliteJournal(path);
      say({ opened: true });
    } catch (error) {
      say(error instanceof JournalError ? error.failure : { thrown: String(error) });
    }
  },

  /** Append ever more until it fails, then say what the same journal says of itself. */
  async untilItFails() {
    const journal = await sqliteJournal(path);
    const token = await own(journal);
    let seq = 0;
    let failure: object | null = null;
    for (let index = 0; index < 100 && !failure; index++) {
      const appended = await journal.append(
        append(sessionId, token, seq, { events: [loaded('x'.repeat(20_000))] }),
      );
      if (appended.ok) seq = appended.seq;
      else failure = appended.failure;
    }
    const recorded = await journal.read(sessionId, 0);
    const small = await journal.append(append(sessionId, token, seq, { events: [loaded('small')] }));
    say({ acknowledged: seq, recorded: recorded.length, failure, afterwards: small.ok ? small.seq : seq });
  },

  /** Tell whether the native library is there before and after a journal was opened. */
  async load() {
    const before = hasLoadedLibsql();
    await sqliteJournal(path);
    say({ before, after: hasLoadedLibsql() });
  },
};

async function own(journal: Journal): Promise<number> {
  const owned = await journal.own(sessionId);
  if (!owned.ok) throw new JournalError({ code: 'journal_unavailable', path, detail: owned.failure.code });
  return owned.token;
}

const say = (value: object): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`);
};

const untilToldToEnd = (): Promise<unknown> =>
  new Promise((resolve) => {
    process.stdin.on('end', resolve).resume();
  });

const hasLoadedLibsql = (): boolean =>
  /@libsql[^"]*\.node"/.test(JSON.stringify(process.report?.getReport()));

await roles[role]?.();
