import type { HookReport } from '@countersign/hooks';
import type { ModelEvent } from '@countersign/models';
import type { Json, JsonObject } from '@countersign/protocol';
import { isObject, listOf, saidIn } from './hook-answers.js';

/** An answer as hooks see it, which is Gemini CLI's form of it. */
export function responseForHooks(
  text: string,
  { said, usage }: Extract<ModelEvent, { type: 'finished' }>,
): JsonObject {
  const { inputTokens = 0, outputTokens = 0, thoughtTokens = 0 } = usage ?? {};
  return {
    text,
    candidates: [{ content: { role: 'model', parts: [text] }, finishReason: said, index: 0 }],
    usageMetadata: {
      promptTokenCount: inputTokens,
      candidatesTokenCount: outputTokens - thoughtTokens,
      thoughtsTokenCount: thoughtTokens,
      totalTokenCount: inputTokens + outputTokens,
    },
  };
}

/** The words that the last hook with an answer wants in the place of the model's; null if none has one. */
export function textOfResponse(report: HookReport): string | null {
  const response = saidIn(report, 'llm_response').at(-1);
  if (response === undefined) return null;
  const [candidate] = listOf(response['candidates']);
  const content = isObject(candidate) ? candidate['content'] : undefined;
  if (isObject(content)) return listOf(content['parts']).map(textOf).join('');
  return typeof response['text'] === 'string' ? response['text'] : '';
}

/** Gemini's own wire has objects where its hooks have texts. */
function textOf(part: Json): string {
  if (typeof part === 'string') return part;
  const text = isObject(part) ? part['text'] : undefined;
  return typeof text === 'string' ? text : '';
}
