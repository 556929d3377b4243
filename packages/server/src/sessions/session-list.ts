import { type LeftOpen, leftOpen } from '@countersign/attach';
import { isAtWork, type Journal, orDamage, readEach, type SessionInfo } from '@countersign/engine';
import type { SessionSummary } from '../contract/operations.js';
import { invalidCursor } from '../contract/problems.js';
import type { Inbox } from '../inbox/inbox.js';
import { requireSession } from './require-session.js';
import type { ServedWorkspaces } from './served-workspaces.js';
import type { SessionHost } from './session-host.js';

/** Titles cached: they are read from the facts, and do not change once they exist. */
const TITLES_MAX = 10_000;

/** `createdAt`: an id may be used again, by a session with another title. */
type Titled = {
  readonly title: string | null;
  readonly damaged: string | null;
  readonly seq: number;
  readonly createdAt: number;
};

/** Of a session that no process works on, so that it holds until `seq` changes. */
type Left = {
  readonly open: LeftOpen | null;
  readonly damaged: string | null;
  readonly seq: number;
  readonly createdAt: number;
};

/** What lists of sessions show. */
export class SessionList {
  readonly #journal: Journal;
  readonly #inbox: Inbox;
  readonly #host: SessionHost;
  readonly #served: ServedWorkspaces;
  readonly #titles = new Map<string, Titled>();
  readonly #left = new Map<string, Left>();

  constructor(journal: Journal, inbox: Inbox, host: SessionHost, served: ServedWorkspaces) {
    this.#journal = journal;
    this.#inbox = inbox;
    this.#host = host;
    this.#served = served;
  }

  async one(sessionId: string): Promise<SessionSummary> {
    const info = await requireSession(this.#journal, sessionId);
    await this.#learnTitles([info]);
    return this.#summary(info, await this.#served.has(info.workspace));
  }

  /** By last use; `cursor` is the id of the last one on the page before, with when it had last been used. */
  async page(wanted: {
    readonly limit: number;
    readonly cursor: string | null;
    readonly workspace: string | null;
  }): Promise<{ readonly sessions: SessionSummary[]; readonly next: string | null }> {
    const { limit, cursor, workspace } = wanted;
    const all = (await this.#journal.list())
      .filter((info) => info.seq > 0 && (workspace === null || info.workspace === workspace))
      .sort(lastUsedFirst);
    const from = cursor === null ? 0 : all.findIndex(isAfter(cursor));
    const page = from < 0 ? [] : all.slice(from, from + limit);
    await this.#learnTitles(page);
    const last = page.at(-1);
    const hasMore = last !== undefined && from + limit < all.length;
    const served = await this.#served.among(page.map((info) => info.workspace));
    const sessions: SessionSummary[] = [];
    for (const info of page) sessions.push(await this.#summary(info, served.has(info.workspace)));
    return { sessions, next: hasMore ? cursorOf(last) : null };
  }

  async #summary(info: SessionInfo, served: boolean): Promise<SessionSummary> {
    const { sessionId, workspace, mode, createdAt, updatedAt, seq, owner, lastOwner } = info;
    const held = this.#host.held(sessionId);
    const approvals = this.#inbox.waitingIn(sessionId);
    const found = held || owner ? null : await this.#leftIn(info);
    const left = found?.open ?? null;
    const titled = this.#titles.get(sessionId);
    const damaged = info.damaged ?? found?.damaged ?? titled?.damaged ?? null;
    const isWorking = held ? held.work.isWorking || held.session.openTurns.length > 0 : isAtWork(info);
    return {
      sessionId,
      workspace,
      mode,
      createdAt,
      updatedAt,
      seq,
      title: titled?.title ?? null,
      state: approvals > 0 ? 'waiting' : isWorking ? 'working' : left ? 'interrupted' : 'idle',
      owner: held ? 'here' : owner === null ? null : 'elsewhere',
      frontEnd: (owner ?? lastOwner)?.frontEnd ?? null,
      left,
      approvals,
      served,
      ...(damaged !== null && { damaged }),
    };
  }

  async #leftIn(info: SessionInfo): Promise<Left> {
    const { sessionId, seq, createdAt } = info;
    const known = this.#left.get(sessionId);
    if (known?.seq === seq && known.createdAt === createdAt) return known;
    const read = await orDamage(() => leftOpen(this.#journal, info));
    const left = read.ok
      ? { open: read.value, damaged: null, seq, createdAt }
      : { open: null, damaged: read.failure.detail, seq, createdAt };
    if (this.#left.size > TITLES_MAX) this.#left.clear();
    this.#left.set(sessionId, left);
    return left;
  }

  async #learnTitles(sessions: readonly SessionInfo[]): Promise<void> {
    const unknown = sessions.filter(({ sessionId, seq, createdAt }) => {
      const known = this.#titles.get(sessionId);
      return !known || known.createdAt !== createdAt || (known.title === null && known.seq !== seq);
    });
    if (unknown.length === 0) return;
    const ids = unknown.map(({ sessionId }) => sessionId);
    const { rows: messages, damaged } = await readEach(
      async () => ids,
      () => this.#journal.messages(ids),
      (sessionId) => this.#journal.messages([sessionId]),
    );
    if (this.#titles.size > TITLES_MAX) this.#titles.clear();
    const titles = new Map(
      messages.toReversed().flatMap(({ sessionId, words }) => (words === null ? [] : [[sessionId, words]])),
    );
    for (const { sessionId, seq, createdAt } of unknown)
      this.#titles.set(sessionId, {
        title: titles.get(sessionId) ?? null,
        damaged: damaged.get(sessionId)?.detail ?? null,
        seq,
        createdAt,
      });
  }
}

const cursorOf = ({ updatedAt, sessionId }: SessionInfo): string => `${updatedAt} ${sessionId}`;

const lastUsedFirst = (a: SessionInfo, b: SessionInfo): number =>
  b.updatedAt - a.updatedAt || (a.sessionId < b.sessionId ? -1 : 1);

/** Throws a `Refusal` if the cursor is malformed. */
function isAfter(cursor: string): (info: SessionInfo) => boolean {
  const [, time, last = ''] = /^(\d{1,15}) (.+)$/s.exec(cursor) ?? [];
  if (time === undefined) throw invalidCursor();
  const at = Number(time);
  return ({ updatedAt, sessionId }) => updatedAt < at || (updatedAt === at && sessionId > last);
}
