import type { Json, JsonObject } from '@countersign/protocol';
import { failureInStream } from '../http/answer-failure.js';
import type { Source } from '../http/call.js';
import { nonsense } from '../http/events.js';
import { listOf, objectOf, textOf } from '../http/read-json.js';
import { type FinishedEvent, ModelError, type ModelEvent, type Part, type Usage } from '../provider.js';
import { latestCounts, tokensIn, usageFrom } from '../translation/count-usage.js';
import { finishReason } from './finish-reason.js';

/** A result has to say which function it is of, also of one that the model did not name. */
const UNNAMED = 'unnamed';

/**
 * One answer of Gemini, put together from its chunks. The same reader serves streams, whole answers and recordings.
 */
export class GeminiAnswer {
  /** What a search of Google's brought, where the request asked for one. */
  grounding: JsonObject | null = null;
  readonly #source: Source;
  readonly #parts: Part[] = [];
  #model: string;
  #counts: JsonObject = {};
  #said: string | null = null;
  #message: string | null = null;
  #hasCalls = false;
  #isBlocked = false;

  constructor(source: Source, model: string) {
    this.#source = source;
    this.#model = model;
  }

  read(chunk: Json | undefined): readonly ModelEvent[] {
    const answer = objectOf(chunk);
    if (answer === undefined)
      throw nonsense(this.#source, 'a chunk is not a JSON object', JSON.stringify(chunk) ?? '');
    const failure = failureInStream(this.#source, answer);
    if (failure) throw new ModelError(failure);

    this.#model = textOf(answer.modelVersion) ?? this.#model;
    this.#counts = latestCounts(this.#counts, answer.usageMetadata);
    this.#readBlock(objectOf(answer.promptFeedback));
    // Only one candidate is ever asked for.
    const candidate = objectOf(listOf(answer.candidates)[0]);
    if (candidate === undefined) return [];
    this.grounding = objectOf(candidate.groundingMetadata) ?? this.grounding;
    this.#said = textOf(candidate.finishReason) ?? this.#said;
    this.#message = textOf(candidate.finishMessage) ?? this.#message;
    return listOf(objectOf(candidate.content)?.parts).flatMap((part) => this.#readPart(part));
  }

  /** To be asked for when all chunks were read. */
  finished(): FinishedEvent {
    if (this.#said === null) {
      const problem = this.#parts.length === 0 ? 'it holds no candidate' : 'it ended without a stop reason';
      throw new ModelError({ code: 'model_cut_off', provider: this.#source.provider, problem });
    }
    return {
      type: 'finished',
      reason: this.#isBlocked ? 'safety' : finishReason(this.#said, this.#hasCalls),
      said: this.#said,
      message: this.#message,
      content: { role: 'model', parts: this.#parts },
      usage: usageOf(this.#counts),
      model: this.#model,
    };
  }

  /** The prompt itself was turned down: there is no candidate to say so. */
  #readBlock(feedback: JsonObject | undefined): void {
    const blockReason = textOf(feedback?.blockReason);
    if (blockReason === undefined || this.#said !== null) return;
    this.#isBlocked = true;
    this.#said = blockReason;
    this.#message = textOf(feedback?.blockReasonMessage) ?? null;
  }

  #readPart(value: Json): readonly ModelEvent[] {
    const part = objectOf(value);
    if (part === undefined)
      throw nonsense(this.#source, 'a part is not a JSON object', JSON.stringify(value));
    if (part.functionCall !== undefined) return [this.#readCall(part)];
    const text = textOf(part.text);
    this.#keep(part);
    if (text === undefined || text === '') return [];
    return [{ type: part.thought === true ? 'thought' : 'text', text }];
  }

  #readCall(part: Part): ModelEvent {
    const call = objectOf(part.functionCall) ?? {};
    const id = textOf(call.id) || null;
    const name = textOf(call.name) || UNNAMED;
    const args = objectOf(call.args ?? {});
    this.#hasCalls = true;
    if (args !== undefined && name !== UNNAMED) {
      this.#parts.push(part);
      return { type: 'call', id, name, args };
    }
    // Gemini would reject the history with what it sent.
    this.#parts.push({ ...part, functionCall: { ...call, name, args: args ?? {} } });
    const problem = name === UNNAMED ? 'the call names no function' : 'the arguments are not a JSON object';
    return { type: 'bad_call', id, name, problem };
  }

  /** Text comes in small pieces, which become one part again; a signature stays on the very part it came with. */
  #keep(part: Part): void {
    const last = this.#parts.at(-1);
    if (!isPlainText(part)) this.#parts.push(part);
    else if (part.text === '') return;
    else if (last && isPlainText(last) && last.thought === part.thought) {
      this.#parts.splice(-1, 1, { ...last, text: last.text + part.text });
    } else this.#parts.push(part);
  }
}

type PlainText = Part & { readonly text: string };

const isPlainText = (part: Part): part is PlainText =>
  typeof part.text === 'string' && Object.keys(part).every((key) => key === 'text' || key === 'thought');

/** Google counts thoughts beside the answer, and what its own tools brought in beside the prompt. It omits counts of 0. */
function usageOf(counts: JsonObject): Usage | null {
  const count = (name: string) => tokensIn(counts[name]);
  const prompt = count('promptTokenCount');
  const thoughts = count('thoughtsTokenCount');
  return usageFrom({
    input: prompt === undefined ? undefined : prompt + (count('toolUsePromptTokenCount') ?? 0),
    output: (count('candidatesTokenCount') ?? 0) + (thoughts ?? 0),
    cached: count('cachedContentTokenCount'),
    thoughts,
    total: count('totalTokenCount'),
  });
}
