import { expect, test } from 'vitest';
import { FollowedSessions } from './followed-sessions.js';

const fact = (sessionId: string, seq: number) => ({ sessionId, event: 'fact', data: { seq, event: {} } });

function follow(sessions: FollowedSessions, sessionId: string, after: number | null = null) {
  const heard: unknown[] = [];
  const left = new AbortController();
  const listener = {
    after,
    onTold: ({ data }: { readonly data: unknown }) => heard.push(data),
    onRefused: ({ code }: { readonly code: string }) => heard.push(code),
  };
  sessions.follow(sessionId, listener, left.signal);
  return { heard, leave: () => left.abort() };
}

test('a new connection carries each session from where it was told [W1]', () => {
  const sessions = new FollowedSessions(() => {});
  follow(sessions, 'a');
  follow(sessions, 'b', 7);
  expect(sessions.carry()).toEqual([{ sessionId: 'a' }, { sessionId: 'b', after: 7 }]);
  sessions.hear(fact('a', 0));
  sessions.hear(fact('b', 8));
  expect(sessions.carry()).toEqual([
    { sessionId: 'a', after: 0 },
    { sessionId: 'b', after: 8 },
  ]);
});

test('who comes back to a session at once is told it from its beginning, not from where it was left [W2]', () => {
  const sessions = new FollowedSessions(() => {});
  const first = follow(sessions, 'a');
  sessions.carry();
  sessions.hear(fact('a', 0));
  first.leave();
  const second = follow(sessions, 'a');
  // The old connection still talks.
  sessions.hear(fact('a', 1));
  expect([first.heard.length, second.heard.length]).toEqual([1, 0]);
  expect(sessions.carry()).toEqual([{ sessionId: 'a' }]);
  sessions.hear(fact('a', 0));
  expect(second.heard).toEqual([{ seq: 0, event: {} }]);
});

test('a session that is refused is reported as such once, and not asked for again [W2]', () => {
  const sessions = new FollowedSessions(() => {});
  const { heard } = follow(sessions, 'a');
  sessions.carry();
  const refusal = { code: 'unknown_session', message: '', hint: '', details: {} };
  sessions.hear({ sessionId: 'a', event: 'refused', data: refusal });
  sessions.hear(fact('a', 0));
  expect(heard).toEqual(['unknown_session']);
  expect(sessions.carry()).toEqual([]);
});
