import { stopwatch } from '@countersign/testkit';
import { expect, test } from 'vitest';
import { argumentsText, readArguments } from './prompt-arguments.js';
import type { McpPrompt } from './read-prompts.js';

const prompt = (...args: readonly string[]): McpPrompt => ({
  server: 's',
  name: 'p',
  description: '',
  args: args.map((name) => ({
    name: name.replace('?', ''),
    description: '',
    isRequired: !name.endsWith('?'),
  })),
});
const given = (of: McpPrompt, typed: string) => {
  const read = readArguments(of, typed);
  return read.ok ? read.args : read.problem;
};

test('what a prompt takes is shown in order, what may be omitted in brackets [M2]', () => {
  expect(argumentsText(prompt('city', 'state?'))).toBe('city [state]');
  expect(argumentsText(prompt())).toBe('');
});

test('words go to the arguments in order, and by name wherever they stand [M2]', () => {
  const weather = prompt('city', 'state?');
  expect(given(weather, 'Paris')).toEqual({ city: 'Paris' });
  expect(given(weather, '  Paris \n Texas ')).toEqual({ city: 'Paris', state: 'Texas' });
  expect(given(weather, '--state=Texas Paris')).toEqual({ city: 'Paris', state: 'Texas' });
  expect(given(weather, 'Paris --state="New York"')).toEqual({ city: 'Paris', state: 'New York' });
  expect(given(weather, '--city= --state=x Paris')).toBe('takes no more');
});

test('quotes keep words together, and one that is never closed is a letter [M2]', () => {
  const two = prompt('a', 'b');
  expect(given(two, `"New \\"York\\"" 'it is'`)).toEqual({ a: 'New "York"', b: 'it is' });
  expect(given(two, `New\\ York don't`)).toEqual({ a: 'New York', b: "don't" });
  expect(given(two, `x"y z"w "--b=1"`)).toEqual({ a: 'xy zw', b: '--b=1' });
});

test('the last argument takes all that is left, as it was typed [M2]', () => {
  expect(given(prompt('code'), 'const a = "x";\n  return a;')).toEqual({
    code: 'const a = "x";\n  return a;',
  });
  expect(given(prompt('lang', 'code'), 'js a b --lang=ts c')).toEqual({ lang: 'ts', code: 'js a b c' });
});

test('what is missing, unknown, given twice or too much is said [M2]', () => {
  const described = { ...prompt(), args: [{ name: 'city', description: 'where', isRequired: true }] };
  expect(given(described, '')).toBe('needs "city" (where)');
  expect(given(prompt('a', 'b'), '')).toBe('needs "a" and "b"');
  expect(given(prompt('a'), '--a=')).toBe('needs "a"');
  expect(given(prompt('a'), '--b=1 x')).toBe('takes no argument "b"');
  expect(given(prompt('a'), '--a=1 --a=2')).toBe('is given "a" twice');
  expect(given(prompt(), 'x')).toBe('takes no arguments');
});

test('an argument may be called what every object has [M2]', () => {
  const read = readArguments(prompt('__proto__', 'constructor'), 'x y');
  expect(JSON.stringify(read)).toBe('{"ok":true,"args":{"__proto__":"x","constructor":"y"}}');
});

test('long and crooked input is read in no time [M2]', () => {
  const elapsedMs = stopwatch();
  for (const crooked of [
    '"'.repeat(50_000),
    '\\"'.repeat(50_000),
    `"${'\\'.repeat(50_001)}`,
    "x'".repeat(50_001),
  ])
    readArguments(prompt('a'), crooked);
  expect(elapsedMs()).toBeLessThan(1_000);
});
