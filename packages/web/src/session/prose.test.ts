import { expect, test } from 'vitest';
import { piecesOf } from './pieces.js';

test('code between fences is set apart, and a fence that is still open reaches to the end', () => {
  expect(piecesOf('Look:\n```ts\nlet x;\n```\nDone.\n```\nlet y')).toEqual([
    { as: 'words', text: 'Look:' },
    { as: 'code', text: 'let x;' },
    { as: 'words', text: 'Done.' },
    { as: 'code', text: 'let y' },
  ]);
});
