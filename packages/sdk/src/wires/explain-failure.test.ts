import { FAILURE_SAMPLES } from '@countersign/protocol';
import { expect, test } from 'vitest';
import { explainFailure } from './explain-failure.js';
import { ToolCallError } from './function-response.js';

const OF_OUR_PROGRAM = /(^|\s)--[a-z]|\bcountersign (exec|sessions|approvals|policy|trust|serve|mcp)\b/;

test('no failure advises a flag or a command of our program to a program that embeds the library [E1]', () => {
  const advising = Object.values(FAILURE_SAMPLES)
    .flat()
    // A mistake on a command line, which the library has none of.
    .filter(({ code }) => code !== 'usage')
    .filter((failure) => OF_OUR_PROGRAM.test(explainFailure(failure).hint))
    .map(({ code }) => code);
  expect(advising).toEqual([]);
});

test('a call that needs approval and gets none names the options of the library [E1]', () => {
  const { hint } = new ToolCallError(FAILURE_SAMPLES.nobody_to_ask);
  expect(hint).toContain('confirmHandler');
});
