import { splitLines } from '@countersign/host';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  allOf,
  LINE_CHARS_MAX,
  LINES_MAX,
  LinePicker,
  type PickedLines,
  TEXT_CHARS_MAX,
  type WantedLines,
} from './pick-lines.js';

function pick(pieces: readonly string[], wanted: WantedLines): PickedLines {
  const picker = new LinePicker(wanted);
  for (const piece of pieces) if (picker.take(piece) === 'done') return picker.picked('before');
  return picker.picked('at the end');
}

const text = fc
  .array(fc.constantFrom('a', 'é', '😀', '\r', '\n', '\r\n', 'word '), { maxLength: 60 })
  .map((parts) => parts.join(''));
const cutAnywhere = fc.tuple(text, fc.array(fc.nat({ max: 80 }), { maxLength: 6 })).map(([whole, cuts]) => {
  const places = [0, ...cuts.sort((a, b) => a - b), whole.length];
  return places.slice(1).map((end, index) => whole.slice(places[index], end));
});

test('lines are the same wherever a text is cut into pieces [T3]', () => {
  fc.assert(
    fc.property(cutAnywhere, fc.integer({ min: 1, max: 8 }), fc.nat({ max: 8 }), (pieces, first, more) => {
      const lines = splitLines(pieces.join(''));
      const last = first + more;
      const picked = pick(pieces, { first, last });
      const expected = lines.slice(first - 1, last);
      expect(picked.text).toBe(expected.join(''));
      expect(picked.last).toBe(first + expected.length - 1);
      expect(picked.more).toBe(false);
      if (picked.total !== null) expect(picked.total).toBe(lines.length);
    }),
  );
});

test('a text within all limits is picked whole, as line by line [T3]', () => {
  const wanted = { first: 1, last: null };
  const isAsPicked = (whole: string) => {
    expect(allOf(whole, wanted)).toEqual(pick([whole], wanted));
  };
  fc.assert(fc.property(text, isAsPicked));
  const longLine = 'x'.repeat(LINE_CHARS_MAX - 1);
  const fitting = [`${longLine}\n`, `${longLine}x`, 'x\n'.repeat(LINES_MAX), ...['\n', '\r\n', '\n\r\n', '']];
  fitting.forEach(isAsPicked);
});

test('a text beyond any limit is not, nor is a part of one [T5]', () => {
  const longLine = `${'x'.repeat(LINE_CHARS_MAX - 1)}\n`;
  const tooMuch = [`${longLine}${'x'.repeat(LINE_CHARS_MAX + 1)}`, 'x\n'.repeat(LINES_MAX + 1)];
  for (const whole of [...tooMuch, longLine.repeat(TEXT_CHARS_MAX / LINE_CHARS_MAX + 1)])
    expect(allOf(whole, { first: 1, last: null })).toBe(null);
  expect(allOf('a\nb\n', { first: 2, last: null })).toBe(null);
  expect(allOf('a\nb\n', { first: 1, last: 2 })).toBe(null);
});

test('without an end as many lines are given as fit, and the rest is counted [T5]', () => {
  fc.assert(
    fc.property(fc.integer({ min: LINES_MAX - 2, max: LINES_MAX + 2 }), fc.boolean(), (count, isEnded) => {
      const lines = Array.from({ length: count }, () => 'x').join('\n') + (isEnded ? '\n' : '');
      const picked = pick([lines.slice(0, 1_000), lines.slice(1_000)], { first: 1, last: null });
      expect(picked).toMatchObject({
        last: Math.min(count, LINES_MAX),
        total: count,
        more: count > LINES_MAX,
      });
    }),
  );
});

test('a line of exactly the limit is whole, however it ends and wherever it is cut [T5]', () => {
  const body = 'x'.repeat(LINE_CHARS_MAX);
  for (const ending of ['\n', '\r\n', '']) {
    const line = `${body}${ending}`;
    const ways = [[line], [line.slice(0, 700), line.slice(700)], [line.slice(0, -1), line.slice(-1)]];
    for (const pieces of ways) {
      expect(pick([...pieces], { first: 1, last: null })).toMatchObject({ text: line, cutLines: [] });
    }
    const longer = pick([`y${line}`], { first: 1, last: null });
    expect(longer.cutLines).toEqual([1]);
    expect(longer.text).toBe(`y${body.slice(1)}… [cut: this line has 2001 characters]${ending}`);
  }
});
