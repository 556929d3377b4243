import type { HookReport } from '@countersign/hooks';
import { type Content, ModelError, type ModelRequest } from '@countersign/models';
import type { Json, JsonObject } from '@countersign/protocol';
import { isObject, listOf, saidIn } from './hook-answers.js';
import { withWords, wordsIn } from './words.js';

/** A request as hooks see it, which is Gemini CLI's form of it: words only, one message for each side's turn. */
export function requestForHooks(request: ModelRequest): JsonObject {
  const { model, contents, temperature, maxOutputTokens } = request;
  return {
    model,
    messages: contents.map((content) => ({ role: content.role, content: wordsIn(content.parts) })),
    config: {
      ...(temperature !== undefined && { temperature }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    },
  };
}

/** The request with what hooks want otherwise; of two that mention the same field the last counts. */
export const changedRequest = (request: ModelRequest, report: HookReport): ModelRequest =>
  saidIn(report, 'llm_request').reduce(changedBy, request);

function changedBy(request: ModelRequest, wanted: JsonObject): ModelRequest {
  const { model, config, messages } = wanted;
  const { temperature, maxOutputTokens } = isObject(config) ? config : {};
  return {
    ...request,
    ...(typeof model === 'string' && model !== '' && { model }),
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof maxOutputTokens === 'number' && { maxOutputTokens }),
    ...(messages !== undefined && { contents: reworded(request.contents, messages) }),
  };
}

/**
 * Words can be changed, message by message. Calls and results are no words, and a history from which some are missing is
 * one that providers refuse: a hook that wants to remove messages has to refuse the request.
 */
function reworded(contents: readonly Content[], messages: Json): readonly Content[] {
  const wanted = listOf(messages);
  if (wanted.length !== contents.length) throw misfit(contents.length, wanted.length);
  return contents.map((content, index) => {
    const message = wanted[index];
    const words = isObject(message) ? message['content'] : undefined;
    if (typeof words !== 'string') throw misfit(contents.length, wanted.length);
    const { role, parts } = content;
    return words === wordsIn(parts) ? content : { role, parts: withWords(parts, words) };
  });
}

/** Not passed over: it may be a secret that the hook took out. */
const misfit = (expected: number, found: number): ModelError =>
  new ModelError({
    code: 'hook_denied',
    hook: 'BeforeModel',
    reason: `A hook changed the messages of a request to ${found}, but there must be ${expected}: keep every message, as {"role", "content": text}. Nothing was sent.`,
  });
