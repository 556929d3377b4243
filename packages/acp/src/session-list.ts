import type { ListSessionsResponse } from '@agentclientprotocol/sdk';
import { badRequest } from './content/request-failure.js';
import type { KnownSession } from './host.js';

/** As many as a person looks through at once. */
const PAGE_SESSIONS_MAX = 50;

/** One page of them. A cursor is where the next page begins. */
export function pageOf(all: readonly KnownSession[], cursor: string | null): ListSessionsResponse {
  const from = cursor === null ? 0 : Number(cursor);
  if (!Number.isSafeInteger(from) || from < 0) throw badRequest(`"${cursor}" is not a cursor of this list`);
  const end = from + PAGE_SESSIONS_MAX;
  return {
    sessions: all.slice(from, end).map(({ sessionId, workspace, title, updatedAt }) => ({
      sessionId,
      cwd: workspace,
      ...(title !== null && { title }),
      updatedAt: new Date(updatedAt).toISOString(),
    })),
    ...(end < all.length && { nextCursor: String(end) }),
  };
}
