import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Journal, JournalError } from '@countersign/engine/journal';
import { append, approval, grant, loaded, opened } from '@countersign/engine/testing';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sqliteJournal } from './sqlite.js';

/** Runs what was built, since a process of its own cannot read TypeScript. */
const CHILD = fileURLToPath(new URL('../dist/testing/child.js', import.meta.url));

let directory: string;
let path: string;
let journals: Journal[];
let children: ChildProcessWithoutNullStreams[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'journal-sqlite-'));
  path = join(directory, 'journal.db');
  journals = [];
  children = [];
});
afterEach(async () => {
  for (const child of children) await kill(child);
  for (const journal of journals) await journal.close();
  rmSync(directory, { recursive: true });
});

async function open(options: Parameters<typeof sqliteJournal>[1] = {}): Promise<Journal> {
  const journal = await sqliteJournal(path, options);
  journals.push(journal);
  return journal;
}

async function own(journal: Journal, sessionId = 's'): Promise<number> {
  const owned = await journal.own(sessionId);
  if (!owned.ok) throw new Error(owned.failure.code);
  return owned.token;
}

/** A journal with three appends in session `s`, closed again. */
async function madeJournal(): Promise<void> {
  const journal = await open();
  const token = await own(journal);
  await journal.append(append('s', token, 0, { events: [opened(), loaded('1')] }));
  await journal.append(append('s', token, 2, { events: [loaded('2')] }));
  await journal.append(append('s', token, 3, { events: [loaded('3'), loaded('4')] }));
  await journal.close();
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no failure',
    (error: unknown) => (error instanceof JournalError ? error.failure : error),
  );

/** Change the file behind the journal's back. */
function tamper(...statements: string[]): void {
  const db = new Database(path);
  for (const sql of statements) db.exec(sql);
  // What is in the log belongs to the file before it is looked at as a file.
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

type Said = Record<string, unknown>;

function child(
  role: string,
  ...args: string[]
): { process: ChildProcessWithoutNullStreams; said: AsyncIterator<Said> } {
  return follow(spawn(process.execPath, [CHILD, role, path, ...args]));
}

function follow(spawned: ChildProcessWithoutNullStreams) {
  children.push(spawned);
  spawned.stderr.on('data', (text: Buffer) => process.stderr.write(text));
  // Node throws away what nobody has begun to read when a process ends.
  return { process: spawned, said: lines(spawned.stdout.pipe(new PassThrough())) };
}

async function* lines(stream: AsyncIterable<Buffer>): AsyncGenerator<Said> {
  let text = '';
  for await (const chunk of stream) {
    text += chunk;
    const whole = text.split('\n');
    text = whole.pop() ?? '';
    for (const line of whole) yield JSON.parse(line);
  }
}

async function next(said: AsyncIterator<Said>): Promise<Said> {
  const { value, done } = await said.next();
  if (done) throw new Error('the child ended without a word');
  return value;
}

async function kill(spawned: ChildProcessWithoutNullStreams): Promise<void> {
  if (spawned.exitCode !== null || spawned.signalCode !== null) return;
  const exit = once(spawned, 'exit');
  spawned.kill('SIGKILL');
  await exit;
}

describe('with other processes', () => {
  test('kill -9 while it writes loses nothing that was acknowledged, and the session can be taken up [J1] [J2]', async () => {
    let before = 0;
    for (let round = 0; round < 4; round++) {
      const { process: writer, said } = child('append', `s${round}`);
      let acknowledged = 0;
      // Another number of appends each round, so that the end comes at different moments.
      const enough = 20 + round * 17;
      while (acknowledged < enough) acknowledged = Number((await next(said))['seq']);
      writer.kill('SIGKILL');
      for (let line = await said.next(); !line.done; line = await said.next()) {
        acknowledged = Number(line.value['seq']);
      }
      await kill(writer);

      const journal = await open();
      const token = await own(journal, `s${round}`);
      const recorded = await journal.read(`s${round}`, 0);
      expect(recorded.length).toBeGreaterThanOrEqual(acknowledged);
      // An append is there whole or not at all.
      expect(recorded.length % 2).toBe(0);
      expect(recorded.map(({ event }) => event)).toEqual(pairs(`s${round}`, recorded.length));
      expect(
        await journal.append(append(`s${round}`, token, recorded.length, { events: [loaded('on')] })),
      ).toMatchObject({ ok: true });
      await journal.close();
      before += recorded.length;
    }
    expect(before).toBeGreaterThan(100);
  });

  const pairs = (name: string, length: number) =>
    Array.from({ length }, (_, index) => loaded(`${name}-${index >> 1}-${index % 2 === 0 ? 'a' : 'b'}`));

  test('two processes that write different sessions at the same time do not disturb each other [J1]', async () => {
    const writers = ['left', 'right', 'third'].map((name) => child('append', name, '100'));
    await Promise.all(writers.map((writer) => once(writer.process, 'exit')));
    const journal = await open();
    for (const name of ['left', 'right', 'third']) {
      expect((await journal.read(name, 0)).map(({ event }) => event)).toEqual(pairs(name, 200));
    }
  });

  test('a session of a living process is refused, one of a killed process is taken over [J2]', async () => {
    const { process: owner, said } = child('ask', 's');
    const { pid, token } = await next(said);
    const journal = await open();
    expect(await journal.own('s')).toEqual({
      ok: false,
      failure: { code: 'session_owned', sessionId: 's', pid },
    });
    expect((await journal.session('s'))?.owner?.shown).toEqual({ pid });

    await kill(owner);
    expect((await journal.session('s'))?.owner).toBeNull();
    expect(await journal.own('s')).toMatchObject({ ok: true, token: Number(token) + 1 });
  });

  test('an owner that was taken for dead learns it before it writes anything [J2]', async () => {
    const journal = await open();
    const owned = await journal.own('s');
    const kept = await journal.own('t');
    if (!owned.ok || !kept.ok) throw new Error('not taken');
    const stop = journal.watch(() => {});
    tamper("UPDATE sessions SET owner_token = owner_token + 1 WHERE id = 's'");
    await expect.poll(() => owned.lost.aborted).toBe(true);
    stop();
    expect(kept.lost.aborted).toBe(false);
    await journal.release('s', owned.token);
    expect((await journal.session('s'))?.owner).not.toBeNull();
  });

  test('an owner that was not notified gets owner_lost from its next append after the session was taken [J2]', async () => {
    const journal = await open();
    const owned = await journal.own('s');
    if (!owned.ok) throw new Error('not taken');
    tamper("UPDATE sessions SET owner_token = owner_token + 1 WHERE id = 's'");
    expect(owned.lost.aborted).toBe(false);
    expect(await journal.append(append('s', owned.token, 0, { events: [opened()] }))).toEqual({
      ok: false,
      failure: { code: 'owner_lost', sessionId: 's' },
    });
    expect(owned.lost.aborted).toBe(true);
  });

  test('questions and grants survive kill -9 [A6] [P6]', async () => {
    const { process: owner, said } = child('ask', 's');
    await next(said);
    await kill(owner);
    const journal = await open();
    expect(await journal.approvals()).toEqual([approval('s', 'call-1')]);
    expect(await journal.grants({ sessionId: 's', workspace: '' })).toEqual([grant('g-1', { uses: 2 })]);
  });

  test('several processes that make the journal at the same moment all succeed', async () => {
    const writers = Array.from({ length: 4 }, (_, index) => child('append', `s${index}`, '1'));
    for (const { said } of writers) expect(await next(said)).toEqual({ seq: 2 });
    expect(await (await open()).list()).toHaveLength(4);
  });

  test('a journal that another process keeps to itself says how long it was waited for, and works afterwards', async () => {
    const journal = await open({ lockTimeoutMs: 150 });
    const token = await own(journal);
    const { process: holder, said } = child('hold');
    await next(said);

    const begunAt = performance.now();
    const locked = await journal.append(append('s', token, 0, { events: [opened()] }));
    const tookMs = performance.now() - begunAt;
    if (locked.ok || locked.failure.code !== 'journal_locked') throw new Error('it was not locked');
    expect(locked.failure.path).toBe(path);
    expect(locked.failure.waitedMs).toBeGreaterThanOrEqual(150);
    expect(locked.failure.waitedMs).toBeLessThanOrEqual(Math.ceil(tookMs));
    expect(await journal.own('t')).toMatchObject({ ok: false, failure: { code: 'journal_locked' } });
    // Reading does not need the lock.
    expect(await journal.read('s', 0)).toEqual([]);

    const waiting = (await open()).post('s', { type: 'cancel', target: { type: 'all' }, by: 'ada' });
    holder.stdin.end();
    expect(await waiting).toBe(1);
    expect(await journal.append(append('s', token, 0, { events: [opened()] }))).toEqual({ ok: true, seq: 1 });
  });

  test('waiting for the lock does not stop the program', async () => {
    const journal = await open({ lockTimeoutMs: 500 });
    const token = await own(journal);
    await next(child('hold').said);
    let ticks = 0;
    const timer = setInterval(() => ticks++, 5);
    await journal.append(append('s', token, 0, { events: [opened()] }));
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(2);
  });

  test('opening a journal twice in one process does not give up its locks [J1]', async () => {
    const journal = await open();
    await own(journal);
    expect(await next(child('leaveLog').said)).toMatchObject({ left: false });
    await (await open()).list();
    await failureOf((await open()).read('nobody', 0));
    expect(await next(child('leaveLog').said)).toMatchObject({ left: false });
  });

  test('the native library is loaded only when a journal is opened', async () => {
    expect(await next(child('load').said)).toEqual({ before: false, after: true });
  });
});

test('nothing of a deleted session is left in the file or beside it [J3]', async () => {
  const journal = await open();
  for (const id of ['kept', 'gone']) {
    const owned = await journal.own(id);
    if (!owned.ok) throw new Error(owned.failure.code);
    const events = Array.from({ length: 50 }, (_, index) => loaded(`words-of-${id}-${index}`));
    await journal.append(append(id, owned.token, 0, { events }));
    await journal.release(id, owned.token);
  }
  expect(await journal.delete('gone')).toEqual({ ok: true });
  await journal.close();
  const files = [path, `${path}-wal`].map((file) => (existsSync(file) ? readFileSync(file, 'latin1') : ''));
  expect(files.join('')).toContain('words-of-kept-49');
  expect(files.join('')).not.toContain('words-of-gone');
});

describe('a file that is not as it should be', () => {
  test('a newer format is refused, and nothing is changed', async () => {
    await madeJournal();
    tamper('PRAGMA user_version = 7');
    const before = readFileSync(path);
    expect(await failureOf(sqliteJournal(path))).toEqual({ code: 'journal_newer', path, found: 7, known: 3 });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('a newer format that is still in the log is refused too', async () => {
    await madeJournal();
    const db = new Database(path);
    db.exec('PRAGMA user_version = 7');
    expect(await failureOf(sqliteJournal(path))).toEqual({ code: 'journal_newer', path, found: 7, known: 3 });
    db.close();
  });

  test("another program's database is left alone, and nothing is put beside it", async () => {
    const db = new Database(path);
    db.exec('CREATE TABLE theirs (x)');
    db.close();
    const before = readFileSync(path);
    expect(await failureOf(sqliteJournal(path))).toEqual({ code: 'journal_foreign', path });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(readdirSync(directory)).toEqual(['journal.db']);
  });

  test.each(['My notes, which are longer than the header of a database would be. '.repeat(3), 'x'])(
    'a file that is no database is left alone',
    async (text) => {
      writeFileSync(path, text);
      expect(await failureOf(sqliteJournal(path))).toEqual({ code: 'journal_foreign', path });
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  test('a directory in its place is left alone', async () => {
    mkdirSync(path);
    expect(await failureOf(sqliteJournal(path))).toEqual({ code: 'journal_foreign', path });
  });

  test('a place that cannot be made says why', async () => {
    writeFileSync(join(directory, 'file'), '');
    path = join(directory, 'file', 'journal.db');
    expect(await failureOf(sqliteJournal(path))).toMatchObject({ code: 'journal_unavailable', path });
  });

  test('an empty file is a damaged journal, and is left as it was [J1]', async () => {
    writeFileSync(path, '');
    expect(await failureOf(sqliteJournal(path))).toMatchObject({
      code: 'journal_corrupt',
      path,
      detail: expect.stringContaining('empty'),
    });
    expect(readFileSync(path)).toHaveLength(0);
  });

  test('a creation that was cut off is begun again, and what it left is removed [J1]', async () => {
    const { process: dead } = child('none');
    await once(dead, 'exit');
    for (const name of ['x', 'x-journal']) writeFileSync(`${path}.new-${dead.pid}-${name}`, 'cut off');
    await own(await open());
    expect(readdirSync(directory).filter((name) => name.includes('.new-'))).toEqual([]);
  });

  test('a journal that was cut short is found damaged, with what is left, and not changed', async () => {
    await madeJournal();
    tamper();
    const whole = statSync(path).size;
    for (const left of [whole - 1, whole - 4096, 4096, 99, 20]) {
      const copy = join(directory, `cut-${left}.db`);
      copyFileSync(path, copy);
      truncateSync(copy, left);
      expect(await failureOf(sqliteJournal(copy))).toEqual({
        code: 'journal_corrupt',
        path: copy,
        detail: expect.stringMatching(new RegExp(`truncated.*\\b${left} `)),
      });
      expect(statSync(copy).size).toBe(left);
    }
  });

  test('an empty journal file beside its log is not created again: the log may hold everything [J1]', async () => {
    const journal = await open();
    const token = await own(journal);
    await journal.append(append('s', token, 0, { events: [opened()] }));
    const log = `${path}-wal`;
    const copy = join(directory, 'cut.db');
    copyFileSync(log, `${copy}-wal`);
    writeFileSync(copy, '');
    expect(await failureOf(sqliteJournal(copy))).toMatchObject({ code: 'journal_corrupt', path: copy });
    expect(readFileSync(`${copy}-wal`).equals(readFileSync(log))).toBe(true);
  });

  test('a journal with pages overwritten is found damaged, not misread', async () => {
    await madeJournal();
    tamper();
    const bytes = readFileSync(path);
    bytes.fill(0x5a, 4096);
    writeFileSync(path, bytes);
    const failure = await failureOf(sqliteJournal(path).then((journal) => journal.read('s', 0)));
    expect(failure).toMatchObject({ code: 'journal_corrupt', path });
  });

  describe.each([
    { what: 'file', mode: () => chmodSync(path, 0o400) },
    { what: 'directory', mode: () => chmodSync(directory, 0o500) },
  ])('a read-only $what', ({ mode }) => {
    test('is refused, and left as it was', async () => {
      await madeJournal();
      tamper();
      for (const name of ['journal.db-wal', 'journal.db-shm']) rmSync(join(directory, name), { force: true });
      if (process.getuid?.() === 0) for (const place of [path, directory]) chownSync(place, 65534, 65534);
      mode();
      const before = readFileSync(path);
      expect(await next(child('unprivileged').said)).toEqual({ code: 'journal_read_only', path });
      expect(readFileSync(path).equals(before)).toBe(true);
      chmodSync(directory, 0o700);
    });
  });

  test('a journal in a directory that may not be made is refused', async () => {
    chmodSync(directory, 0o500);
    path = join(directory, 'deeper', 'journal.db');
    expect(await next(child('unprivileged').said)).toEqual({ code: 'journal_read_only', path });
    chmodSync(directory, 0o700);
  });
});

describe('a journal that cannot grow', () => {
  test('a full journal reports it, loses nothing, and continues when there is room again [J1] [J2]', async () => {
    const journal = await open({ bytesMax: 200_000 });
    const token = await own(journal);
    let seq = 0;
    for (;;) {
      const events = [loaded('x'.repeat(10_000))];
      const views = [{ type: 'call.settled', row: callOf(seq) } as const];
      const appended = await journal.append(append('s', token, seq, { events, views }));
      if (!appended.ok) {
        expect(appended.failure).toEqual({ code: 'journal_full', path });
        break;
      }
      seq = appended.seq;
    }
    expect(seq).toBeGreaterThan(5);
    expect(await journal.read('s', 0)).toHaveLength(seq);
    expect(await journal.calls()).toHaveLength(seq);
    await journal.close();

    const roomier = await open();
    const again = await own(roomier);
    const appended = await roomier.append(append('s', again, seq, { events: [loaded('x'.repeat(10_000))] }));
    expect(appended).toEqual({ ok: true, seq: seq + 1 });
    expect(await roomier.read('s', 0)).toHaveLength(seq + 1);
  });
  const callOf = (seq: number) => ({
    sessionId: 's',
    callId: `c${seq}`,
    turn: 1,
    tool: 't',
    status: 'success' as const,
    requestedAt: 1,
    startedAt: 1,
    endedAt: 1,
    waitedMs: 0,
    decidedBy: null,
    failure: null,
  });

  test('after a commit that failed, the journal was looked at again and the answer is true [J2]', async () => {
    // The system refuses to let any file grow beyond 300 KB, which the log meets in the middle of a commit.
    const limited = spawn('sh', [
      '-c',
      'trap "" XFSZ; ulimit -f 600; exec "$@"',
      'sh',
      process.execPath,
      CHILD,
      'untilItFails',
      path,
      's',
    ]);
    const result = await next(follow(limited).said);
    const acknowledged = Number(result['acknowledged']);
    expect(acknowledged).toBeGreaterThan(3);
    expect(result['failure']).toMatchObject({
      code: 'journal_unavailable',
      detail: expect.stringContaining('SQLITE_IOERR'),
    });
    expect(result['recorded']).toBe(acknowledged);
    // A small one may still fit, and then follows what is really there.
    const seq = Number(result['afterwards']);
    expect([acknowledged, acknowledged + 1]).toContain(seq);
    await kill(limited);

    const journal = await open();
    expect(await journal.read('s', 0)).toHaveLength(seq);
  });

  test('a journal that was moved away under a running program is not written in secret', async () => {
    const journal = await open();
    const token = await own(journal);
    await journal.append(append('s', token, 0, { events: [opened()] }));
    renameSync(path, `${path}.away`);
    const refused = {
      ok: false,
      failure: { code: 'journal_unavailable', detail: expect.stringContaining('removed') },
    };
    expect(await journal.append(append('s', token, 1, { events: [loaded('x')] }))).toMatchObject(refused);
    expect(existsSync(path)).toBe(false);
    renameSync(`${path}.away`, path);
    expect(await journal.append(append('s', token, 1, { events: [loaded('x')] }))).toEqual({
      ok: true,
      seq: 2,
    });
  });
});

describe('the hash chain', () => {
  const damaged = async () => failureOf((await open()).read('s', 0));
  const corrupt = (detail: string, whose: object = { sessionId: 's' }) => ({
    code: 'journal_corrupt',
    path,
    detail: expect.stringContaining(detail),
    ...whose,
  });

  test('a record that was altered is found and named [J4]', async () => {
    await madeJournal();
    tamper(`UPDATE journal SET body = replace(body, '"2"', '"9"') WHERE first_seq = 2`);
    expect(await damaged()).toEqual(corrupt('in session s, the records 2 to 2 were altered'));
    // Who reads only what comes after is not told what the altered record says, and what follows still fits.
    expect(await (await open()).read('s', 3)).toHaveLength(2);
  });

  test('a record that was altered together with its hash breaks the next one [J4]', async () => {
    await madeJournal();
    tamper(`UPDATE journal SET hash = 'f00' WHERE first_seq = 2`);
    expect(await damaged()).toEqual(corrupt('the records 2 to 2 were altered'));
  });

  test('a record that was taken out of the middle, or off the end, is missed [J4]', async () => {
    await madeJournal();
    copyFileSync(path, `${path}.copy`);
    tamper('DELETE FROM journal WHERE first_seq = 2');
    expect(await damaged()).toEqual(corrupt('the records 2 to 2 are missing'));
    tamper('DELETE FROM journal WHERE first_seq = 3');
    expect(await damaged()).toEqual(corrupt('the records from 2 on are missing (it should have 5)'));
  });

  test('a record that was replaced, hash and all, does not fit what was written last [J4]', async () => {
    await madeJournal();
    const journal = await open();
    const token = await own(journal, 'forged');
    tamper(`UPDATE sessions SET head_hash = 'f00' WHERE id = 's'`);
    expect(await damaged()).toEqual(corrupt('its last record, 4, is not the one that was written last'));
    await journal.append(append('forged', token, 0, { events: [opened()] }));
    tamper(`UPDATE sessions SET head_hash = 'f00' WHERE id = 'forged'`);
    expect(await journal.append(append('forged', token, 1, { events: [loaded('x')] }))).toEqual({
      ok: false,
      failure: corrupt('in session forged, the hash of the last record (0) was altered', {
        sessionId: 'forged',
      }),
    });
  });

  test('a journal whose records are whole but not to be understood says which and why', async () => {
    const journal = await open();
    const token = await own(journal);
    // As a newer program would have written it: the chain is right, the kind is unknown.
    const unknown = JSON.parse('{"type":"call.dreamt","of":"sheep"}');
    await journal.append(append('s', token, 0, { events: [opened(), unknown] }));
    expect(await failureOf(journal.read('s', 0))).toEqual(
      corrupt('in session s, record 1 cannot be read: this program is too old to know "call.dreamt"', {}),
    );
    const broken = JSON.parse('{"type":"turn.sealed","turn":"first"}');
    const other = await own(journal, 't');
    await journal.append(append('t', other, 0, { events: [broken] }));
    expect(await failureOf(journal.read('t', 0))).toEqual(
      corrupt('in session t, record 0 cannot be read: turn.sealed at turn', {}),
    );
  });
});

describe('on its own', () => {
  test('only its user can read it, and its directory is made', async () => {
    path = join(directory, 'deep', 'deeper', 'journal.db');
    const journal = await open();
    await own(journal);
    const modes = readdirSync(dirname(path)).map((name) => [
      name,
      statSync(join(dirname(path), name)).mode & 0o777,
    ]);
    expect(modes).toEqual([
      ['journal.db', 0o600],
      ['journal.db-shm', 0o600],
      ['journal.db-wal', 0o600],
    ]);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(statSync(dirname(dirname(path))).mode & 0o777).toBe(0o700);
  });

  test('nothing polls without a watcher, and all watchers share one timer [S5]', async () => {
    const started = vi.spyOn(globalThis, 'setInterval');
    const stopped = vi.spyOn(globalThis, 'clearInterval');
    try {
      const journal = await open();
      await own(journal);
      expect(started).not.toHaveBeenCalled();
      const stops = [journal.watch(() => {}), journal.watch(() => {})];
      expect(started).toHaveBeenCalledTimes(1);
      stops[0]?.();
      expect(stopped).not.toHaveBeenCalled();
      stops[1]?.();
      expect(stopped).toHaveBeenCalledTimes(1);
      journal.watch(() => {});
      await journal.close();
      expect(stopped).toHaveBeenCalledTimes(2);
    } finally {
      started.mockRestore();
      stopped.mockRestore();
    }
  });

  test('a command that only a newer program knows is refused, and does not keep others waiting', async () => {
    const journal = await open();
    await own(journal);
    const sender = await open();
    const strange = await sender.post('s', JSON.parse('{"type":"dream","of":"sheep"}'));
    const known = await sender.post('s', { type: 'revoke-grant', grantId: 'g', by: 'ada' });
    expect((await journal.inbox('s')).map(({ inboxId }) => inboxId)).toEqual([known]);
    expect(await sender.outcomeOf(strange)).toMatchObject({
      ok: false,
      failure: { code: 'invalid_request' },
    });
  });

  test('a large log is copied into the file when the journal is closed', async () => {
    const journal = await open();
    const token = await own(journal);
    await journal.append(append('s', token, 0, { events: [loaded('x'.repeat(2_000_000))] }));
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(2_000_000);
    await journal.close();
    expect(statSync(`${path}-wal`).size).toBe(0);
    expect(await (await open()).read('s', 0)).toHaveLength(1);
  });
});

test('a place where no directory can be made is a clear error, at once', async (context) => {
  context.skip(process.platform !== 'linux', 'There is no /proc.');
  await expect(sqliteJournal('/proc/no-such-place/here/journal.db')).rejects.toMatchObject({
    name: 'JournalError',
  });
});
