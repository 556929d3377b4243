import { expect, test } from 'vitest';
import { hashOf, type Route, routeIn } from './route.js';

test.each<Route>([
  { view: 'sessions' },
  { view: 'session', sessionId: 'a/b #c' },
  { view: 'approval', sessionId: 's', callId: 'call 1/ü' },
  { view: 'inbox' },
  { view: 'grants' },
  { view: 'figures' },
])('an address leads back to its view: %j', (route) => {
  expect(routeIn(hashOf(route))).toEqual(route);
});

test.each(['', '#', '#/', '#/nowhere', '#/sessions/', '#pair=x'])('%j leads to the sessions', (hash) => {
  expect(routeIn(hash)).toEqual({ view: 'sessions' });
});

test('half an escape is no reason to fail', () => {
  expect(routeIn('#/sessions/%E0%A4%A')).toEqual({ view: 'session', sessionId: '%E0%A4%A' });
});
