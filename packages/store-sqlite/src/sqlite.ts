import { resolve } from 'node:path';
import {
  type AnsweredRow,
  type Append,
  type Appended,
  type ApprovalRow,
  type ApprovalsOf,
  appliesTo,
  type CallRow,
  type Deleted,
  type FrontEnd,
  type GrantKeys,
  type GrantRevoked,
  type InboxItem,
  type Journal,
  JournalError,
  type MessageRow,
  type Owned,
  type Recorded,
  type Revoked,
  type SessionDeleted,
  type SessionInfo,
  UNNAMED_DELETION,
} from '@countersign/engine/journal';
import { type Ack, type Command, explain, type FailureOf, type Grant } from '@countersign/protocol';
import type { z } from 'zod';
import { AskedQuestions, answerIn } from './chain/asked-questions.js';
import { readChain } from './chain/chain.js';
import { deletionsIn, GrantFacts } from './chain/grant-facts.js';
import { OpenedWorkspaces } from './chain/opened-workspaces.js';
import { NO_HASH } from './chain/record.js';
import { appendChange } from './changes/append-rows.js';
import { deleteChange } from './changes/delete-rows.js';
import { HeldSessions } from './changes/held-sessions.js';
import { postChange, refuseChange, withdrawChange } from './changes/inbox-rows.js';
import { readSender } from './changes/inbox-sender.js';
import { messageRows } from './changes/message-rows.js';
import { thisProcess } from './changes/process-identity.js';
import { revokeChange } from './changes/revoke-grant.js';
import {
  noteModelChange,
  ownChange,
  ownerOf,
  releaseChange,
  sessionInfo,
  sessionInfoOrDamage,
} from './changes/session-rows.js';
import { ChangeWatch } from './database/change-watch.js';
import { integer, integerOrNull, text, textOrNull } from './database/columns.js';
import { type Connect, type Db, loadDriver, type Row, type SqlValue } from './database/open-database.js';
import { fromKey, toKey } from './database/row-key.js';
import { type Change, SqliteStore } from './database/sqlite-store.js';

export type SqliteOptions = {
  /** How long to keep trying while another process writes. */
  readonly lockTimeoutMs?: number | undefined;
  /** The file does not grow beyond this. Omitted: until the disk is full. */
  readonly bytesMax?: number | undefined;
  /**
   * Called when the file may only be read: it is then opened as it is at this moment, and every write fails. Omitted: a
   * file that cannot be written is refused.
   */
  readonly onReadOnly?: (() => void) | undefined;
};

/** Longer than any transaction of ours takes on a slow disk, short enough for a person to wait. */
const LOCK_TIMEOUT_MS = 5_000;

/**
 * Opens the journal in one SQLite file, which all processes of a user share. Throws a `JournalError` if it cannot be opened.
 *
 * @example
 * ```ts
 * const scheduler = new Scheduler({ toolRegistry: registry, journal: sqlite('journal.db'), sessionId: 'monday' });
 * for (const { request } of await scheduler.pending()) show(request.name); // calls that wait since an earlier run
 * ```
 */
export async function sqliteJournal(file: string, options: SqliteOptions = {}): Promise<Journal> {
  const path = resolve(file);
  const { lockTimeoutMs = LOCK_TIMEOUT_MS, bytesMax = null, onReadOnly = null } = options;
  const connect = await loadDriverFor(path);
  return new SqliteJournal(
    path,
    await SqliteStore.open(path, connect, { lockTimeoutMs, bytesMax, onReadOnly }),
  );
}

class SqliteJournal implements Journal {
  readonly place: string;
  readonly #store: SqliteStore;
  readonly #watch: ChangeWatch;
  readonly #held: HeldSessions;
  readonly #questions = new AskedQuestions<ApprovalRow>();
  readonly #grantFacts = new GrantFacts();
  readonly #workspaces = new OpenedWorkspaces();
  /** The last hash of a session, valid while no other process appends to it. */
  readonly #heads = new Map<string, { readonly seq: number; readonly hash: string }>();

  constructor(path: string, store: SqliteStore) {
    this.place = path;
    this.#store = store;
    const held = new HeldSessions(store);
    this.#held = held;
    this.#watch = new ChangeWatch(
      () => store.version(),
      () => void held.look(),
    );
  }

  async append(append: Append): Promise<Appended> {
    const { sessionId, expectedSeq, events } = append;
    const headHash = () => {
      const head = this.#heads.get(sessionId);
      return head?.seq === expectedSeq ? head.hash : null;
    };
    const result = await this.#write(appendChange(append, headHash));
    if (!result.ok) {
      if (result.failure.code === 'owner_lost') this.#held.lose(sessionId, append.token);
      return result;
    }
    const seq = expectedSeq + events.length;
    this.#heads.set(sessionId, { seq, hash: result.hash });
    return { ok: true, seq };
  }

  async read(
    sessionId: string,
    fromSeq: number,
    eventsMax?: number,
    charsMax: number | null = null,
  ): Promise<readonly Recorded[]> {
    // Every append holds at least one event, and its first may be one that is not wanted.
    const appendsMax = eventsMax === undefined ? null : eventsMax + 1;
    const limits = { appendsMax, charsMax };
    const appends = await this.#store.read((db) => readChain(db, toKey(sessionId), fromSeq, limits));
    if (appends === null) throw new JournalError({ code: 'unknown_session', sessionId });
    if (appends.length === 0) return [];

    const { parseEvent } = await import('@countersign/protocol/schemas');
    const recorded: Recorded[] = [];
    for (const { firstSeq, body } of appends) {
      const stored = this.#parseList(body, `the records of session ${sessionId} from ${firstSeq} on`);
      for (const [index, value] of stored.entries()) {
        const seq = firstSeq + index;
        if (seq < fromSeq) continue;
        if (recorded.length === eventsMax) return recorded;
        const parsed = parseEvent(value);
        if (!parsed.ok)
          throw this.#corrupt(`in session ${sessionId}, record ${seq} cannot be read: ${parsed.problem}`);
        recorded.push({ seq, event: parsed.event });
      }
    }
    return recorded;
  }

  async list(): Promise<readonly SessionInfo[]> {
    return this.#store.read((db) => db.all(SESSIONS).map(sessionInfoOrDamage));
  }

  async session(sessionId: string): Promise<SessionInfo | null> {
    return this.#store.read((db) => {
      const [row] = db.all(SESSION, toKey(sessionId));
      return row ? { ...sessionInfo(row), workspace: this.#workspaces.of(db, row) } : null;
    });
  }

  async own(
    sessionId: string,
    frontEnd: FrontEnd | null = null,
    serverId: string | null = null,
    expected: 'new' | 'known' = 'new',
  ): Promise<Owned> {
    const taken = await this.#write(ownChange(sessionId, frontEnd, serverId, expected));
    if (!taken.ok) return taken;
    const { token, seq, headHash: hash } = taken;
    this.#heads.set(sessionId, { seq, hash });
    const owner = ownerOf(thisProcess(), frontEnd);
    return { ok: true, token, owner, lost: this.#held.add(sessionId, token) };
  }

  async noteModel(sessionId: string, token: number, isAtWork: boolean): Promise<void> {
    await this.#store.write(noteModelChange(sessionId, token, isAtWork));
  }

  async release(sessionId: string, token: number): Promise<void> {
    if (!this.#held.remove(sessionId, token)) return;
    this.#heads.delete(sessionId);
    await this.#store.write(releaseChange([{ sessionId, token }]));
  }

  async delete(sessionId: string, deletion = UNNAMED_DELETION): Promise<Deleted> {
    const deleted = await this.#write(deleteChange(sessionId, deletion));
    if (deleted.ok) await this.#store.emptyLog();
    return deleted;
  }

  async deletions(): Promise<readonly SessionDeleted[]> {
    const { parseEvent } = await import('@countersign/protocol/schemas');
    return this.#store.read((db) => deletionsIn(db, parseEvent));
  }

  async revokeGrant(fact: GrantRevoked): Promise<Revoked> {
    return this.#write(revokeChange(fact));
  }

  async post(sessionId: string, command: Command): Promise<number> {
    const posted = await this.#store.write(postChange(sessionId, command));
    if (posted === null) throw new JournalError({ code: 'unknown_session', sessionId });
    return posted;
  }

  async inbox(sessionId: string): Promise<readonly InboxItem[]> {
    const waiting = await this.#store.read((db) =>
      db
        .all(WAITING_COMMANDS, toKey(sessionId))
        .map((row) => ({ inboxId: integer(row, 'id'), body: text(row, 'command') })),
    );
    if (waiting.length === 0) return [];
    const { command: schema } = await import('@countersign/protocol/schemas');
    const items: InboxItem[] = [];
    for (const { inboxId, body } of waiting) {
      const { command, isAwaited } = readSender(this.#parseJson(body, `command ${inboxId}`));
      const parsed = schema.safeParse(command);
      if (!isAwaited) await this.#store.write(withdrawChange(inboxId));
      else if (parsed.success) items.push({ inboxId, command: parsed.data });
      else await this.#store.write(refuseChange(inboxId));
    }
    return items;
  }

  async outcomeOf(inboxId: number): Promise<Ack | null> {
    const [stored] = await this.#texts(OUTCOME, 'ack', inboxId);
    if (stored === undefined) return null;
    const { ack } = await import('@countersign/protocol/schemas');
    return this.#parse(ack, stored, `the outcome of command ${inboxId}`);
  }

  async withdraw(inboxId: number): Promise<boolean> {
    return this.#store.write(withdrawChange(inboxId));
  }

  async approvals(of?: ApprovalsOf): Promise<readonly ApprovalRow[]> {
    const isQuiet = await this.#store.read((db) => db.all(ANYTHING_WAITS).length === 0);
    if (isQuiet) return [];
    const { approvalRow } = await import('@countersign/protocol/schemas');
    const read = (row: unknown) => this.#shaped(approvalRow, row, 'a waiting approval');
    return this.#store.read((db) =>
      waitingRows(db, of).flatMap((row): readonly ApprovalRow[] => {
        const [session, call] = [text(row, 'session'), text(row, 'call')];
        const head = textOrNull(row, 'head_hash') ?? NO_HASH;
        const asked = this.#questions.of(db, { session, call, head }, read);
        return asked.type === 'waits' ? [asked.row] : [];
      }),
    );
  }

  async answerOf(sessionId: string, callId: string): Promise<AnsweredRow | null> {
    const [stored] = await this.#texts(ANSWER, 'answer', toKey(sessionId), toKey(callId));
    if (stored === undefined) return null;
    const { answeredRow } = await import('@countersign/protocol/schemas');
    const what = `the answer to ${callId}`;
    const given = await this.#store.read((db) => answerIn(db, toKey(sessionId), callId));
    if (given === 'unknown') return this.#parse(answeredRow, stored, what);
    if (given === null) return null;
    const { digest, outcome, by, at, key, payloadDigest } = this.#shaped(answeredRow, given, what);
    return { digest, outcome, by, at, key, ...(payloadDigest !== undefined && { payloadDigest }) };
  }

  async calls(sessionId?: string): Promise<readonly CallRow[]> {
    const stored =
      sessionId === undefined
        ? await this.#texts('SELECT body FROM calls ORDER BY place', 'body')
        : await this.#texts(
            'SELECT body FROM calls WHERE session = ? ORDER BY place',
            'body',
            toKey(sessionId),
          );
    if (stored.length === 0) return [];
    const { callRow } = await import('@countersign/protocol/schemas');
    return stored.map((body) => this.#parse(callRow, body, 'a call in the statistics'));
  }

  async messages(sessionIds: readonly string[] | 'all'): Promise<readonly MessageRow[]> {
    return this.#store.read((db) => messageRows(db, sessionIds));
  }

  async grants(keys: GrantKeys | 'all'): Promise<readonly Grant[]> {
    const rowsIn = (db: Db) =>
      keys === 'all' ? db.all(ALL_GRANTS) : db.all(GRANTS, toKey(keys.sessionId), toKey(keys.workspace));
    if (await this.#store.read((db) => rowsIn(db).length === 0)) return [];
    const { parseEvent } = await import('@countersign/protocol/schemas');
    return this.#store.read((db) => {
      this.#grantFacts.refresh(db, parseEvent);
      return rowsIn(db).flatMap((row): readonly Grant[] => {
        const grant = this.#grantFacts.inForce(fromKey(text(row, 'id')));
        if (!grant || (keys !== 'all' && !appliesTo(grant, keys))) return [];
        const left = integerOrNull(row, 'uses');
        return [
          { ...grant, uses: left === null || grant.uses === null ? grant.uses : Math.min(left, grant.uses) },
        ];
      });
    });
  }

  async revoked(grantIds: readonly string[]): Promise<readonly string[]> {
    const { parseEvent } = await import('@countersign/protocol/schemas');
    return this.#store.read((db) => {
      this.#grantFacts.refresh(db, parseEvent);
      const marked = db
        .all(REVOKED, JSON.stringify(grantIds.map(toKey)))
        .map((row) => fromKey(text(row, 'id')));
      return grantIds.filter((id) => marked.includes(id) || this.#grantFacts.isRevoked(id));
    });
  }

  watch(wake: () => void): () => void {
    this.#store.requireOpen();
    return this.#watch.add(wake);
  }

  async close(): Promise<void> {
    this.#watch.close();
    const held = this.#held.removeAll();
    await this.#store.close(held.length > 0 ? releaseChange(held) : null);
  }

  async #texts(sql: string, column: string, ...values: readonly SqlValue[]): Promise<readonly string[]> {
    return this.#store.read((db) => db.all(sql, ...values).map((row) => text(row, column)));
  }

  #parse<T>(schema: z.ZodType<T>, stored: string, what: string): T {
    return this.#shaped(schema, this.#parseJson(stored, what), what);
  }

  #shaped<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw this.#corrupt(
      `${what} does not match its schema: ${parsed.error.issues[0]?.message ?? 'not valid'}`,
    );
  }

  #parseList(stored: string, what: string): readonly unknown[] {
    const value = this.#parseJson(stored, what);
    if (Array.isArray(value)) return value;
    throw this.#corrupt(`${what} are not a list`);
  }

  #parseJson(stored: string, what: string): unknown {
    try {
      return JSON.parse(stored);
    } catch {
      throw this.#corrupt(`${what}: not JSON`);
    }
  }

  #corrupt(detail: string): JournalError {
    return new JournalError({ code: 'journal_corrupt', path: this.place, detail });
  }

  /** Returns what keeps the journal from being written as a failure. A file that was replaced by another is not usable. */
  async #write<T>(change: Change<T>): Promise<T | { readonly ok: false; readonly failure: WriteFailure }> {
    try {
      return await this.#store.write(change);
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      const { failure } = error;
      switch (failure.code) {
        case 'journal_full':
        case 'journal_read_only':
        case 'journal_locked':
        case 'journal_corrupt':
        case 'journal_unavailable':
          return { ok: false, failure };
        case 'journal_newer':
        case 'journal_foreign':
        case 'unknown_session': {
          const detail = explain(failure).message;
          return { ok: false, failure: { code: 'journal_unavailable', path: this.place, detail } };
        }
      }
    }
  }
}

type WriteFailure = FailureOf<
  'journal_full' | 'journal_read_only' | 'journal_locked' | 'journal_corrupt' | 'journal_unavailable'
>;

const SESSIONS = 'SELECT * FROM sessions ORDER BY updated_at DESC, rowid DESC';
const SESSION = 'SELECT * FROM sessions WHERE id = ?';
const OUTCOME = 'SELECT ack FROM inbox WHERE id = ? AND ack IS NOT NULL';
const WAITING_COMMANDS = 'SELECT id, command FROM inbox WHERE session = ? AND ack IS NULL ORDER BY id';
const ANYTHING_WAITS = 'SELECT 1 FROM approvals INDEXED BY approvals_waiting WHERE answer IS NULL LIMIT 1';
const waitingBy = (index: string): string => `
SELECT a.session, a.call, s.head_hash FROM approvals a INDEXED BY ${index} LEFT JOIN sessions s ON s.id = a.session
WHERE a.answer IS NULL`;
const WAITING_APPROVALS = `${waitingBy('approvals_waiting')} ORDER BY a.place`;
const WAITING_IN_SESSION = `${waitingBy('approvals_waiting')} AND a.session = ? ORDER BY a.place`;
const WAITING_CALL = `${waitingBy('approvals_call')} AND a.session = ? AND a.call = ?`;
const ANSWER = 'SELECT answer FROM approvals WHERE session = ? AND call = ? AND answer IS NOT NULL';
const ALL_GRANTS =
  'SELECT id, uses FROM grants WHERE revoked = 0 AND (uses IS NULL OR uses > 0) ORDER BY rowid';
const GRANTS = `
SELECT id, uses FROM grants
WHERE revoked = 0 AND (uses IS NULL OR uses > 0)
  AND (scope = 'session' AND scope_key = ? OR scope = 'project' AND scope_key = ? OR scope = 'user')
ORDER BY rowid`;

const REVOKED = 'SELECT id FROM grants WHERE revoked = 1 AND id IN (SELECT value FROM json_each(?))';

function waitingRows(db: Db, of: ApprovalsOf | undefined): readonly Row[] {
  if (!of) return db.all(WAITING_APPROVALS);
  const { sessionId, callId } = of;
  if (callId === undefined) return db.all(WAITING_IN_SESSION, toKey(sessionId));
  return db.all(WAITING_CALL, toKey(sessionId), toKey(callId));
}

async function loadDriverFor(path: string): Promise<Connect> {
  try {
    return await loadDriver();
  } catch (error) {
    const detail = `SQLite could not be loaded: ${error instanceof Error ? error.message : String(error)}`;
    throw new JournalError({ code: 'journal_unavailable', path, detail });
  }
}
