import { analyzeCommand } from '@countersign/commands';
import { describe, expect, test } from 'vitest';
import { leftOpen, missed } from './foresight.js';
import { generateLine } from './generate-line.js';
import { shrink } from './shrink.js';

// A comparison is worth what it would find.

const HOME = '/home/nobody';
const missOf = (text: string, runs: readonly (readonly string[])[], written: readonly string[] = []) =>
  missed(analyzeCommand(text), { runs, written }, HOME);

describe('what counts as a miss', () => {
  test.each([
    ['pa', [['pb']]],
    ['pa x', [['pa']]],
    ['pa x', [['pa', 'x', 'y']]],
    ['pa a$X', [['pb', 'a']]],
    ['pa "a$X"', [['pa', 'b']]],
    ['pa "$X"', [['pa', 'a', 'b']]],
    ['timeout 5 pa', [['pa'], ['pb']]],
  ])('%j is missed if it runs %j', (text, runs) => {
    expect(missOf(text, runs)).toMatch(/^ran /);
  });

  test.each([
    ['pa x; pb', [['pa', 'x']]],
    ['pa $X', [['pa'], ['pa', 'a', 'b']]],
    ['pa "a$X" z', [['pa', 'ab', 'z']]],
    ['pa ~/x', [['pa', `${HOME}/x`]]],
    ['$X', [['pb']]],
    ["pa '", [['pb']]],
  ])('%j is not missed if it runs %j', (text, runs) => {
    expect(missOf(text, runs)).toBeNull();
  });

  test('a file that no redirection names is one, too', () => {
    expect(missOf('pa > f', [['pa']], ['f'])).toBeNull();
    expect(missOf('pa 2>&1', [['pa']], ['f'])).toBe('wrote "f"');
  });

  test('what is asked about whatever it does leaves everything open', () => {
    expect(leftOpen(analyzeCommand('pa'))).toBeNull();
    expect(leftOpen(analyzeCommand('echo pa | bash'))).toBe('code from elsewhere');
    expect(leftOpen(analyzeCommand("X='A[$(pa)]'; (( X ))"))).toBe('evaluated again');
  });
});

test('a line follows from its seed and its number', () => {
  const lines = Array.from({ length: 50 }, (_, number) => generateLine(7, number).text);
  expect(Array.from({ length: 50 }, (_, number) => generateLine(7, number).text)).toEqual(lines);
  expect(new Set(lines).size).toBeGreaterThan(45);
  expect(lines).not.toContain(generateLine(8, 0).text);
});

test('a fault is shown without what has nothing to do with it', async () => {
  const small = await shrink('pa x; echo `pb` | cat && : "$Y"', async (text) => text.includes('`pb`'));
  expect(small).toBe('`pb`');
});
