import type { JsonObject } from '@countersign/protocol';
import { numberOf, objectOf, textOf } from '../http/read-json.js';
import type { FinishReason, ModelEvent, Part, Usage } from '../provider.js';
import { latestCounts, tokensIn, usageFrom } from '../translation/count-usage.js';
import { cutOffArguments, readArguments } from '../translation/read-arguments.js';
import type { WireNames } from '../translation/wire-names.js';

const REASONS: { readonly [said: string]: FinishReason } = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'safety',
};

/** A block of the answer, growing. */
type Block = {
  readonly begun: JsonObject;
  text: string;
  signature: string;
  /** The arguments so far. */
  written: string;
};

/** One answer, as its events arrive. */
export class AnthropicAnswer {
  readonly #origin: string;
  readonly #names: WireNames;
  readonly #open = new Map<number, Block>();
  readonly #parts: Part[] = [];
  /** A call without arguments: it has none, or the answer was cut right before them. */
  #doubtful: Block | null = null;
  #goodCalls = 0;
  #badCalls = 0;
  #counts: JsonObject = {};
  #said: string | undefined;
  #model: string;

  constructor({ origin, names, model }: { origin: string; names: WireNames; model: string }) {
    this.#origin = origin;
    this.#names = names;
    this.#model = model;
  }

  /** Whether the model has said why it stopped. */
  get hasEnded(): boolean {
    return this.#said !== undefined;
  }

  /** Kinds of events that are not known are passed over: the wire promises that more may come. */
  *read(event: JsonObject): Generator<ModelEvent, void> {
    const index = numberOf(event.index) ?? 0;
    switch (textOf(event.type) ?? '') {
      case 'message_start': {
        const message = objectOf(event.message);
        this.#model = textOf(message?.model) || this.#model;
        this.#counts = latestCounts(this.#counts, message?.usage);
        return;
      }
      case 'content_block_start':
        yield* this.#settleDoubt('whole');
        return yield* this.#begin(index, objectOf(event.content_block) ?? {});
      case 'content_block_delta':
        return yield* this.#grow(this.#open.get(index), objectOf(event.delta) ?? {});
      case 'content_block_stop':
        return yield* this.#close(index);
      case 'message_delta':
        this.#said = textOf(objectOf(event.delta)?.stop_reason) ?? this.#said;
        this.#counts = latestCounts(this.#counts, event.usage);
    }
  }

  /** The stream is over. */
  *end(): Generator<ModelEvent, void> {
    for (const index of [...this.#open.keys()]) yield* this.#close(index);
    yield* this.#settleDoubt(this.#reason() === 'length' ? 'cut' : 'whole');
    yield {
      type: 'finished',
      reason: this.#reason(),
      said: this.#said ?? '',
      message: null,
      content: { role: 'model', parts: this.#parts },
      usage: this.#usage(),
      model: this.#model,
    };
  }

  /** Servers that imitate the wire may begin a block with some of its content, or all. */
  *#begin(index: number, begun: JsonObject): Generator<ModelEvent, void> {
    const block: Block = { begun, text: '', signature: textOf(begun.signature) ?? '', written: '' };
    this.#open.set(index, block);
    const text = textOf(begun.text) ?? textOf(begun.thinking) ?? '';
    yield* this.#say(block, text);
  }

  *#grow(block: Block | undefined, delta: JsonObject): Generator<ModelEvent, void> {
    if (!block) return;
    yield* this.#say(block, textOf(delta.text) ?? textOf(delta.thinking) ?? '');
    block.signature += textOf(delta.signature) ?? '';
    block.written += textOf(delta.partial_json) ?? '';
  }

  *#say(block: Block, text: string): Generator<ModelEvent, void> {
    if (text === '') return;
    block.text += text;
    if (block.begun.type === 'text') yield { type: 'text', text };
    if (block.begun.type === 'thinking') yield { type: 'thought', text };
  }

  *#close(index: number): Generator<ModelEvent, void> {
    const block = this.#open.get(index);
    this.#open.delete(index);
    if (!block) return;
    const { begun, text, signature, written } = block;
    const wire = { origin: this.#origin };
    switch (begun.type) {
      case 'text':
        if (text !== '') this.#parts.push({ text });
        return;
      case 'thinking':
        this.#parts.push({ text, thought: true, ...(signature && { thoughtSignature: signature }), wire });
        return;
      case 'tool_use':
        this.#doubtful = block;
        if (argumentsOf(block) !== '') yield* this.#settleDoubt('whole');
        return;
      default: {
        // Gemini has no word for it. Its input, if any, came in pieces like a call's.
        const read = readArguments(written);
        const input = written !== '' && read.ok ? { input: read.args } : {};
        this.#parts.push({ wire: { ...wire, block: { ...begun, ...input } } });
      }
    }
  }

  *#settleDoubt(as: 'whole' | 'cut'): Generator<ModelEvent, void> {
    const block = this.#doubtful;
    this.#doubtful = null;
    if (!block) return;
    const id = textOf(block.begun.id) || null;
    const name = this.#names.fromWire(textOf(block.begun.name) || 'undefined_tool_name');
    const written = argumentsOf(block);
    const read = as === 'cut' ? cutOffArguments(written) : readArguments(written);
    this.#parts.push({ functionCall: { ...(id !== null && { id }), name, args: read.ok ? read.args : {} } });
    this.#goodCalls += read.ok ? 1 : 0;
    this.#badCalls += read.ok ? 0 : 1;
    yield read.ok
      ? { type: 'call', id, name, args: read.args }
      : { type: 'bad_call', id, name, problem: read.problem };
  }

  #reason(): FinishReason {
    const said = REASONS[this.#said ?? ''] ?? 'other';
    if (said === 'length' || said === 'safety') return said;
    if (this.#goodCalls > 0) return 'calls';
    if (this.#badCalls > 0) return 'malformed_call';
    return said === 'calls' ? 'other' : said;
  }

  /** On this wire the input is what was neither found in the cache nor put there. */
  #usage(): Usage | null {
    const count = (field: string) => tokensIn(this.#counts[field]);
    const fresh = count('input_tokens');
    const cached = count('cache_read_input_tokens');
    const details = objectOf(this.#counts.output_tokens_details);
    return usageFrom({
      input:
        fresh === undefined ? undefined : fresh + (count('cache_creation_input_tokens') ?? 0) + (cached ?? 0),
      output: count('output_tokens'),
      cached,
      thoughts: tokensIn(details?.thinking_tokens),
      // Servers that imitate the wire may report one.
      total: count('total_tokens'),
    });
  }
}

/** In pieces, or whole with the block's beginning. */
function argumentsOf({ begun, written }: Block): string {
  const input = objectOf(begun.input) ?? {};
  return written === '' && Object.keys(input).length > 0 ? JSON.stringify(input) : written;
}
