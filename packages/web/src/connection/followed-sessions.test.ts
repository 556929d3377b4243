import { expect, test } from 'vitest';
import { FollowedSessions } from './followed-sessions.js';

const fact = (sessionId: string, seq: number) => ({ sessionId, event: 'fact', data: { seq, event: {} } });

function follow(sessions: FollowedSessions, sessionId: string, after: number | null = null) {
  const received: unknown[] = [];
  const left = new AbortController();
  const listener = {
    after,
    onMessage: ({ data }: { readonly data: unknown }) => received.push(data),
    onRefused: ({ code }: { readonly code: string }) => received.push(code),
  };
  sessions.follow(sessionId, listener, left.signal);
  return { received, leave: () => left.abort() };
}

test('a new connection carries each session from its cursor on [W1]', () => {
  const sessions = new FollowedSessions(() => {});
  follow(sessions, 'a');
  follow(sessions, 'b', 7);
  expect(sessions.carry()).toEqual([{ sessionId: 'a' }, { sessionId: 'b', after: 7 }]);
  sessions.receive(fact('a', 0));
  sessions.receive(fact('b', 8));
  expect(sessions.carry()).toEqual([
    { sessionId: 'a', after: 0 },
    { sessionId: 'b', after: 8 },
  ]);
});

test('a session that is opened again at once is sent from its beginning, not from the old cursor [W2]', () => {
  const sessions = new FollowedSessions(() => {});
  const first = follow(sessions, 'a');
  sessions.carry();
  sessions.receive(fact('a', 0));
  first.leave();
  const second = follow(sessions, 'a');
  // The old connection still talks.
  sessions.receive(fact('a', 1));
  expect([first.received.length, second.received.length]).toEqual([1, 0]);
  expect(sessions.carry()).toEqual([{ sessionId: 'a' }]);
  sessions.receive(fact('a', 0));
  expect(second.received).toEqual([{ seq: 0, event: {} }]);
});

test('a session that is refused is reported as such once, and not asked for again [W2]', () => {
  const sessions = new FollowedSessions(() => {});
  const { received } = follow(sessions, 'a');
  sessions.carry();
  const refusal = { code: 'unknown_session', message: '', hint: '', details: {} };
  sessions.receive({ sessionId: 'a', event: 'refused', data: refusal });
  sessions.receive(fact('a', 0));
  expect(received).toEqual(['unknown_session']);
  expect(sessions.carry()).toEqual([]);
});
