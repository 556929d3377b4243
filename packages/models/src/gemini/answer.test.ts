import type { Json, JsonObject } from '@countersign/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ModelError, type ModelEvent } from '../provider.js';
import { GeminiAnswer } from './answer.js';

const SOURCE = { provider: 'Gemini', credential: null };
const chunk = (...parts: readonly JsonObject[]): JsonObject => ({ candidates: [{ content: { parts } }] });
const END: JsonObject = { candidates: [{ finishReason: 'STOP' }] };

/** Anything where Gemini puts something: mostly of the right kind, so that the reading goes deep. */
const anyJson: fc.Arbitrary<Json> = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
const oddPart = fc.oneof(
  anyJson,
  fc.record(
    {
      text: anyJson,
      thought: anyJson,
      thoughtSignature: anyJson,
      functionCall: anyJson,
      inlineData: anyJson,
    },
    { requiredKeys: [] },
  ),
  fc.record({ functionCall: fc.record({ id: anyJson, name: anyJson, args: anyJson }, { requiredKeys: [] }) }),
);
const oddChunk = fc.oneof(
  anyJson,
  fc.record({ error: anyJson }),
  fc.record(
    {
      candidates: fc.oneof(
        anyJson,
        fc.tuple(
          fc.record(
            {
              content: fc.oneof(anyJson, fc.record({ parts: fc.oneof(anyJson, fc.array(oddPart)) })),
              finishReason: anyJson,
            },
            { requiredKeys: [] },
          ),
        ),
      ),
      usageMetadata: anyJson,
      promptFeedback: anyJson,
      modelVersion: anyJson,
    },
    { requiredKeys: [] },
  ),
);

test('whatever a chunk holds is read, or reported as a failure of the model [G1]', () => {
  fc.assert(
    fc.property(fc.array(oddChunk, { maxLength: 4 }), (chunks) => {
      expect(readAll(chunks)).toMatch(/^(?:read|failed)$/);
    }),
  );
});

/** Other errors than those of the model are thrown. */
function readAll(chunks: readonly Parameters<GeminiAnswer['read']>[0][]): 'read' | 'failed' {
  const answer = new GeminiAnswer(SOURCE, 'm');
  try {
    for (const each of chunks) answer.read(each);
    answer.finished();
    return 'read';
  } catch (error) {
    if (error instanceof ModelError) return 'failed';
    throw error;
  }
}

test('text is the same, however it is cut into chunks, and becomes one part [G1]', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (pieces) => {
      const answer = new GeminiAnswer(SOURCE, 'm');
      const events: ModelEvent[] = pieces.flatMap((text) => answer.read(chunk({ text })));
      answer.read(END);
      const whole = pieces.join('');
      expect(events.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe(whole);
      expect(answer.finished().content.parts).toEqual(whole === '' ? [] : [{ text: whole }]);
    }),
  );
});

test('thoughts, words and signed parts are not run together [G1]', () => {
  const parts = [
    { text: 'a', thought: true },
    { text: 'b' },
    { text: 'c', thoughtSignature: 's' },
    { text: 'd' },
    { text: 'e', thought: true },
  ];
  const answer = new GeminiAnswer(SOURCE, 'm');
  for (const part of parts) answer.read(chunk(part));
  answer.read(END);
  expect(answer.finished().content.parts).toEqual(parts);
});
