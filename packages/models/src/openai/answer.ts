import type { JsonObject } from '@countersign/protocol';
import { listOf, objectOf, textOf } from '../http/read-json.js';
import type { FinishReason, ModelEvent, Part, Usage } from '../provider.js';
import { latestCounts, tokensIn, usageFrom } from '../translation/count-usage.js';
import { cutOffArguments, readArguments } from '../translation/read-arguments.js';
import type { WireNames } from '../translation/wire-names.js';
import { type GrowingCall, GrowingCalls } from './growing-calls.js';
import { ReasoningDetails } from './reasoning-details.js';

/** The names that servers have for the model's thinking. Some send two of them, with the same text. */
const THOUGHT_FIELDS = ['reasoning_content', 'reasoning'] as const;
type ThoughtField = (typeof THOUGHT_FIELDS)[number];

/** OpenAI's words first; the others are those of servers that use its protocol with their own. */
const REASONS: { readonly [said: string]: FinishReason } = {
  stop: 'stop',
  length: 'length',
  content_filter: 'safety',
  eos: 'stop',
  eos_token: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_length: 'length',
};

/** One answer, as its chunks arrive. */
export class OpenAiAnswer {
  readonly #origin: string;
  readonly #names: WireNames;
  readonly #calls = new GrowingCalls();
  readonly #details = new ReasoningDetails();
  readonly #callParts: Part[] = [];
  #thoughtField: ThoughtField | undefined;
  #thoughts = '';
  #text = '';
  #refused = false;
  #goodCalls = 0;
  #counts: JsonObject = {};
  #said: string | undefined;
  #model: string;

  constructor({ origin, names, model }: { origin: string; names: WireNames; model: string }) {
    this.#origin = origin;
    this.#names = names;
    this.#model = model;
  }

  /** Whether the server has said why the model stopped. What follows is bookkeeping. */
  get hasEnded(): boolean {
    return this.#said !== undefined;
  }

  *read(chunk: JsonObject): Generator<ModelEvent, void> {
    this.#model = textOf(chunk.model) || this.#model;
    this.#counts = latestCounts(this.#counts, chunk.usage);
    const choice = objectOf(listOf(chunk.choices)[0]);
    // Servers that do not stream send the whole as a `message`.
    const delta = objectOf(choice?.delta) ?? objectOf(choice?.message) ?? {};
    yield* this.#readThought(delta);
    yield* this.#readText(delta);
    for (const piece of listOf(delta.tool_calls)) this.#calls.add(objectOf(piece) ?? {});
    this.#said = textOf(choice?.finish_reason) || this.#said;
    for (const call of this.#calls.takeComplete(this.hasEnded)) yield this.#callEvent(call, 'whole');
  }

  /** The stream is over. */
  *end(): Generator<ModelEvent, void> {
    const rest = this.#calls.takeRest();
    const wasCut = REASONS[this.#said ?? ''] === 'length';
    for (const call of rest) yield this.#callEvent(call, wasCut && call === rest.at(-1) ? 'cut' : 'whole');
    yield {
      type: 'finished',
      reason: this.#reason(),
      said: this.#said ?? '',
      message: null,
      content: { role: 'model', parts: this.#parts() },
      usage: usageOf(this.#counts),
      model: this.#model,
    };
  }

  *#readThought(delta: JsonObject): Generator<ModelEvent, void> {
    this.#details.add(listOf(delta.reasoning_details));
    this.#thoughtField ??= THOUGHT_FIELDS.find((field) => textOf(delta[field]));
    const text = this.#thoughtField && textOf(delta[this.#thoughtField]);
    if (!text) return;
    this.#thoughts += text;
    yield { type: 'thought', text };
  }

  *#readText({ content, refusal }: JsonObject): Generator<ModelEvent, void> {
    this.#refused ||= Boolean(textOf(refusal));
    for (const text of [textOf(content), textOf(refusal)]) {
      if (!text) continue;
      this.#text += text;
      yield { type: 'text', text };
    }
  }

  #callEvent({ id, name: wireName, written, extra }: GrowingCall, as: 'whole' | 'cut'): ModelEvent {
    const name = wireName === '' ? 'undefined_tool_name' : this.#names.fromWire(wireName);
    const read = as === 'cut' ? cutOffArguments(written) : readArguments(written);
    this.#callParts.push({
      functionCall: { ...(id !== null && { id }), name, args: read.ok ? read.args : {} },
      ...(Object.keys(extra).length > 0 && { wire: { origin: this.#origin, extra } }),
    });
    if (!read.ok) return { type: 'bad_call', id, name, problem: read.problem };
    this.#goodCalls += 1;
    return { type: 'call', id, name, args: read.args };
  }

  #reason(): FinishReason {
    const said = REASONS[this.#said ?? 'stop'] ?? 'other';
    if (said === 'length' || said === 'safety') return said;
    if (this.#refused) return 'safety';
    // Not by the server's word: some say `stop` after calls.
    if (this.#goodCalls > 0) return 'calls';
    if (this.#callParts.length > 0) return 'malformed_call';
    return said;
  }

  #parts(): readonly Part[] {
    const text = this.#text === '' ? [] : [{ text: this.#text }];
    return [...this.#thoughtParts(), ...text, ...this.#callParts];
  }

  #thoughtParts(): readonly Part[] {
    const details = this.#details.all;
    if (this.#thoughts === '' && details.length === 0) return [];
    const wire = {
      origin: this.#origin,
      ...(this.#thoughtField && { field: this.#thoughtField }),
      ...(details.length > 0 && { details }),
    };
    return [{ text: this.#thoughts, thought: true, wire }];
  }
}

function usageOf(counts: JsonObject): Usage | null {
  const count = (holder: JsonObject | undefined, field: string) => tokensIn(holder?.[field]);
  const ofInput = objectOf(counts.prompt_tokens_details);
  const thoughts = count(objectOf(counts.completion_tokens_details), 'reasoning_tokens') ?? 0;
  const input = count(counts, 'prompt_tokens');
  const answered = count(counts, 'completion_tokens');
  const total = count(counts, 'total_tokens');
  // OpenAI counts thoughts as a part of the answer; some others (xAI) count them beside it, as their total shows.
  const isBeside = total === (input ?? 0) + (answered ?? 0) + thoughts;
  return usageFrom({
    input,
    output: answered !== undefined && (isBeside || thoughts > answered) ? answered + thoughts : answered,
    // The second is DeepSeek's word.
    cached: count(ofInput, 'cached_tokens') ?? count(counts, 'prompt_cache_hit_tokens'),
    thoughts,
    total,
  });
}
