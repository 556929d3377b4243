import { familyOf } from '@countersign/protocol';
import { expect, test } from 'vitest';
import { costOf, factsOf } from './models-known.js';

const USAGE = { inputTokens: 100_000, outputTokens: 10_000, cachedTokens: 0, thoughtTokens: 0 };

test.each([
  ['gemini-3-pro-preview', 'gemini-3'],
  ['gemini-3.8-flash', 'gemini-3'],
  ['models/gemini-4-pro', 'gemini-3'],
  ['gemini-flash-latest', 'gemini-3'],
  ['gemini-2.5-pro', 'default-legacy'],
  ['gemma-3-27b-it', 'default-legacy'],
  ['claude-sonnet-5-5', 'anthropic'],
  ['anthropic/claude-sonnet-5.5', 'anthropic'],
  ['gpt-5.1', 'openai'],
  ['o3', 'openai'],
  ['qwen3:8b', 'default-legacy'],
])('%s is of the family %s [T2]', (model, family) => {
  expect(familyOf(model)).toBe(family);
});

test('cost counts cached input at its own price, and thoughts as output [G2]', () => {
  expect(costOf('gemini-2.5-pro', USAGE)).toBeCloseTo(0.125 + 0.1);
  expect(costOf('gemini-2.5-pro', { ...USAGE, cachedTokens: 100_000 })).toBeCloseTo(0.0125 + 0.1);
});

test('a long prompt costs more, all of it [G2]', () => {
  expect(costOf('gemini-2.5-pro', { ...USAGE, inputTokens: 200_000 })).toBeCloseTo(0.25 + 0.1);
  expect(costOf('gemini-2.5-pro', { ...USAGE, inputTokens: 200_001 })).toBeCloseTo(0.5 + 0.15);
});

test('cached input without a known price counts as other input, so that the estimate is not too low [G2]', () => {
  expect(costOf('claude-opus-5-5', { ...USAGE, cachedTokens: 50_000 })).toBe(
    costOf('claude-opus-5-5', USAGE),
  );
});

test('what we do not know is no price, and careful limits [G2]', () => {
  expect(costOf('qwen3:8b', USAGE)).toBeNull();
  expect(factsOf('qwen3:8b')).toMatchObject({ contextTokens: 128_000, price: null });
});

test('the first pattern that fits is the closest [G2]', () => {
  expect(factsOf('gemini-2.5-flash-lite').price?.input).toBe(0.1);
  expect(factsOf('gemini-2.5-flash').price?.input).toBe(0.3);
  expect(factsOf('claude-opus-5-5').price?.input).toBe(4);
  expect(factsOf('claude-opus-5').price?.input).toBe(5);
  expect(factsOf('gpt-5-nano').price).toBeNull();
  expect(factsOf('gpt-5.1-2025-11-13').price?.input).toBe(1.25);
});
