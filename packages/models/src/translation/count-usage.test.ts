import type { Json, JsonObject } from '@countersign/protocol';
import { describe, expect, test } from 'vitest';
import { AnthropicAnswer } from '../anthropic/answer.js';
import { GeminiAnswer } from '../gemini/answer.js';
import { OpenAiAnswer } from '../openai/answer.js';
import type { ModelEvent, Usage } from '../provider.js';
import { WireNames } from './wire-names.js';

/** As JSON.parse reads 1e400. */
const MANY = Number.POSITIVE_INFINITY;
const parts = { origin: 'x', names: new WireNames([]), model: 'm' };
const usage = (inputTokens: number, outputTokens: number, cachedTokens = 0, thoughtTokens = 0): Usage => ({
  inputTokens,
  outputTokens,
  cachedTokens,
  thoughtTokens,
});
const usageIn = (events: Iterable<ModelEvent>): Usage | null | undefined =>
  [...events].flatMap((event) => (event.type === 'finished' ? [event.usage] : []))[0];

/** Each of them is reported with a chunk of its own. */
const readers = {
  gemini: (...reported: readonly Json[]) => {
    const answer = new GeminiAnswer({ provider: 'Gemini', credential: null }, 'm');
    for (const usageMetadata of reported) answer.read({ usageMetadata });
    answer.read({ candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: 'STOP' }] });
    return answer.finished().usage;
  },
  openai: (...reported: readonly Json[]) => {
    const answer = new OpenAiAnswer(parts);
    const read = reported.flatMap((each) => [...answer.read({ usage: each })]);
    return usageIn([...read, ...answer.end()]);
  },
  anthropic: (...reported: readonly Json[]) => {
    const answer = new AnthropicAnswer(parts);
    const [first = {}, ...others] = reported;
    const events = [
      { type: 'message_start', message: { usage: first } },
      ...others.map((each) => ({ type: 'message_delta', delta: {}, usage: each })),
    ];
    const read = events.flatMap((event) => [...answer.read(event)]);
    return usageIn([...read, ...answer.end()]);
  },
};

const NAMES = {
  gemini: ['promptTokenCount', 'candidatesTokenCount', 'totalTokenCount'],
  openai: ['prompt_tokens', 'completion_tokens', 'total_tokens'],
  anthropic: ['input_tokens', 'output_tokens', 'total_tokens'],
} as const;

describe.each(['gemini', 'openai', 'anthropic'] as const)('usage that %s reports', (wire) => {
  const read = readers[wire];
  const [input, output, total] = NAMES[wire];

  test.each<[string, readonly Json[]]>([
    ['is empty', [{}]],
    ['is a list', [[1, 2]]],
    ['is all zero', [{ [input]: 0, [output]: 0, [total]: 0 }]],
    ['has a total of zero only', [{ [total]: 0 }]],
    ['has a text for a count', [{ [input]: '5', [output]: 7 }]],
    ['has an endless count', [{ [input]: 5, [output]: MANY }]],
    ['has an endless total only', [{ [total]: MANY }]],
    ['has negative counts', [{ [input]: -2_000, [output]: 500 }]],
    ['has a negative total only', [{ [total]: -5 }]],
    ['has a fraction', [{ [input]: 5.5, [output]: 1 }]],
    ['lacks the input', [{ [output]: 7 }]],
    ['ends with a count that is none', [{ [input]: 5, [output]: 1 }, { [output]: 'many' }]],
  ])('is unknown if it %s [G2]', (_, reported) => {
    expect(read(...reported)).toBeNull();
  });

  test('is never less than its total, and a total without parts is input [G2]', () => {
    expect(read({ [total]: 200_000 })).toEqual(usage(200_000, 0));
    expect(read({ [input]: 10, [output]: 20, [total]: 5_000 })).toEqual(usage(4_980, 20));
    expect(read({ [input]: 10, [output]: 20, [total]: 3 })).toEqual(usage(10, 20));
  });

  test('keeps its last counts where a later chunk reports nothing [G2]', () => {
    expect(read({ [input]: 10, [output]: 2 }, { [output]: 20 }, {}, { [output]: null })).toEqual(
      usage(10, 20),
    );
  });
});

test('more cached tokens than input do not make a request cheaper than free [G2]', () => {
  const reported: JsonObject = {
    prompt_tokens: 10,
    completion_tokens: 1,
    prompt_tokens_details: { cached_tokens: 1_000 },
  };
  expect(readers.openai(reported)).toEqual(usage(1_000, 1, 1_000));
});
