import type { Event } from '@countersign/protocol';
import { expect, test } from 'vitest';
import { factText, momentOf } from './fact-text.js';

const answered = (feedback: string | null): Event => ({
  type: 'call.answered',
  callId: 'c',
  answer: { outcome: 'cancel', by: 'ann', at: 7, digest: 'd', key: null, feedback },
});

test('a fact is reported in a sentence, with who and why', () => {
  expect(factText(answered('not today'))).toBe('ann answered cancel: not today');
  expect(momentOf(answered(null))).toBe(7);
  expect(factText({ type: 'mode.changed', mode: 'plan', by: 'bob', at: 1 })).toBe(
    'bob switched to plan mode',
  );
});

test('what others wrote cannot turn a sentence around or break its line [A7]', () => {
  expect(factText(answered('fine\n\u202eanother line'))).toBe(
    'ann answered cancel: fine\\x0a\\u{202e}another line',
  );
});
