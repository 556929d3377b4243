import { expect, test } from 'vitest';
import { nearest } from './nearest.js';
import { SLASH_COMMANDS } from './slash-commands.js';

const NAMES = SLASH_COMMANDS.map(({ name }) => name);

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
