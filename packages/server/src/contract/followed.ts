import { decoded } from './decoded.js';

/** A session that a stream carries, from the fact after `after` on, or from its first. */
export type Followed = { readonly sessionId: string; readonly after?: number };

/** The data of an event `session`: an event of that session's own stream, or `refused` with the problem. */
export type SessionMessage = { readonly sessionId: string; readonly event: string; readonly data: unknown };

/**
 * Sessions as they stand in the address of a stream: `a,b:12`. Commas, colons
 * and percent signs in an id are percent-encoded before that.
 */
export const followedText = (sessions: readonly Followed[]): string =>
  sessions
    .map(
      ({ sessionId, after }) => `${encodeURIComponent(sessionId)}${after === undefined ? '' : `:${after}`}`,
    )
    .join(',');

/** Null if it is malformed. */
export function followedIn(text: string): readonly Followed[] | null {
  const followed: Followed[] = [];
  for (const each of text === '' ? [] : text.split(',')) {
    const [encoded = '', after, ...more] = each.split(':');
    const sessionId = decoded(encoded);
    if (sessionId === '' || more.length > 0) return null;
    if (after !== undefined && !SEQ.test(after)) return null;
    if (followed.some((other) => other.sessionId === sessionId)) return null;
    followed.push({ sessionId, ...(after !== undefined && { after: Number(after) }) });
  }
  return followed;
}

/** The cursor of a client of such a stream: in the inbox, and in each session that the stream carries. */
export type Place = { readonly inbox: string; readonly sessions: ReadonlyMap<string, number> };

/** As the id of an event: `INBOX&SESSION=SEQ&SESSION=SEQ`; without sessions it is the place in the inbox alone. */
export function placeText({ inbox, sessions }: Place): string {
  let text = inbox;
  for (const [sessionId, seq] of sessions) text += `&${encodeURIComponent(sessionId)}=${seq}`;
  return text;
}

/** Null if it is malformed. The inbox checks its own part. */
export function placeIn(text: string): Place | null {
  const [inbox = '', ...parts] = text.split('&');
  const sessions = new Map<string, number>();
  for (const part of parts) {
    const [encoded = '', seq = '', ...more] = part.split('=');
    const sessionId = decoded(encoded);
    if (sessionId === '' || !SEQ.test(seq) || more.length > 0) return null;
    sessions.set(sessionId, Number(seq));
  }
  return { inbox, sessions };
}

const SEQ = /^\d{1,15}$/;
