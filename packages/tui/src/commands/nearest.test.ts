import { expect, test } from 'vitest';
import { nearest } from './nearest.js';

const NAMES = [
  'help',
  'approvals',
  'clear',
  'compact',
  'diff',
  'export',
  'grants',
  'mcp',
  'mode',
  'model',
  'policy',
  'quit',
  'resume',
  'sessions',
  'stats',
  'tool',
];

test.each([
  ['modle', ['mode', 'model']],
  ['hlep', ['help']],
  ['grnts', ['grants']],
  ['staats', ['stats']],
  ['comapct', ['compact']],
  ['mod', ['mode']],
  ['sess', ['sessions']],
  ['xyzzy', []],
])('by /%s %j may have been meant [U3]', (typed, names) => {
  expect(nearest(typed, NAMES)).toEqual(names);
});
