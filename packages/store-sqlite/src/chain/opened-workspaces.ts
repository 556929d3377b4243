import { integer, text } from '../database/columns.js';
import type { Db, Row } from '../database/open-database.js';
import { fromKey } from '../database/row-key.js';
import { checkedAppend, latestWith, listIn } from './checked-append.js';

/**
 * The directory a session is about, from the fact that opened it: a process that resumes the session works there, and what
 * lies outside it is asked about. The row of the session only says when there is something new to read.
 */
export class OpenedWorkspaces {
  readonly #known = new Map<string, { readonly seen: string; readonly workspace: string }>();

  of(db: Db, row: Row): string {
    const session = text(row, 'id');
    const stated = text(row, 'workspace');
    const seen = `${integer(row, 'owner_token')} ${stated}`;
    const known = this.#known.get(session);
    if (known?.seen === seen) return known.workspace;
    const workspace = workspaceIn(db, session) ?? fromKey(stated);
    if (this.#known.size >= SESSIONS_KNOWN_MAX) this.#known.clear();
    this.#known.set(session, { seen, workspace });
    return workspace;
  }
}

const SESSIONS_KNOWN_MAX = 2_000; // a path each

function workspaceIn(db: Db, session: string): string | null {
  const at = latestWith(db, session, '{"type":"session.opened",');
  if (at === null) return null;
  for (const stored of listIn(checkedAppend(db, session, at)).toReversed()) {
    if (typeof stored !== 'object' || stored === null || !('type' in stored && 'workspace' in stored))
      continue;
    if (stored.type === 'session.opened' && typeof stored.workspace === 'string') return stored.workspace;
  }
  return null;
}
