import {
  type Event,
  isSettled,
  type Json,
  type JsonObject,
  type Message,
  type MessagePart,
  type ModelMessage,
  type SettledCall,
  type ToolCall,
  type UserMessage,
} from '@countersign/protocol';
import { resultOf } from './function-response.js';
import type { Part } from './gemini-part.js';
import { shownUserParts } from './user-part.js';

export type Content = { readonly role: 'user' | 'model'; readonly parts: readonly MessagePart[] };

/** Where the whole of what a call gave can be read, once the model is shown a reference in its place. */
export type WhereKept = (call: SettledCall) => string;

/** Shorter outputs cost the model less than the reference that would take their place. */
export const MASKED_CHARS_MIN = 2_000;

/**
 * What a model is shown of a session, folded from its facts: what was said, and
 * for every call that it made exactly one result, in the order of the calls.
 * What is over is never changed here, only shown shorter.
 */
export class Conversation {
  readonly #whereKept: WhereKept;
  readonly #messages: Message[] = [];
  readonly #results = new Map<number, SettledCall[]>();
  readonly #said = new WeakMap<UserMessage, readonly MessagePart[]>();
  readonly #whole = new WeakMap<SettledCall, readonly MessagePart[]>();
  readonly #masked = new WeakMap<SettledCall, readonly MessagePart[]>();
  #summary: { readonly text: string; readonly keptFrom: number } | null = null;
  #maskedThrough = 0;

  constructor(whereKept: WhereKept) {
    this.#whereKept = whereKept;
  }

  /** `call`: the call that the fact is about, as it was right after it. */
  observe(event: Event, call: ToolCall | undefined): void {
    switch (event.type) {
      case 'message.added':
        this.#messages.push(event.message);
        return;
      case 'history.compressed':
        this.#summary = { text: event.summary, keptFrom: event.keptFrom };
        return;
      case 'history.masked':
        this.#maskedThrough = event.throughTurn;
        return;
      case 'call.succeeded':
      case 'call.failed':
      case 'call.cancelled':
        if (call && isSettled(call)) this.#keep(call);
        return;
      default:
        return;
    }
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  get maskedThrough(): number {
    return this.#maskedThrough;
  }

  /** The messages that the model is shown as they were said. */
  get shown(): readonly Message[] {
    const from = this.#summary?.keptFrom ?? 0;
    return this.#messages.filter(({ id }) => id >= from);
  }

  /** The results of the calls of a turn, in their order. */
  resultsOf(turn: number): readonly SettledCall[] {
    return this.#results.get(turn) ?? [];
  }

  /** `before`: only what was said before this message. */
  contents(before = Number.POSITIVE_INFINITY): readonly Content[] {
    const contents: { role: Content['role']; parts: MessagePart[] }[] = [];
    const add = (role: Content['role'], parts: readonly MessagePart[]) => {
      const last = contents.at(-1);
      if (last?.role === role) last.parts.push(...parts);
      else if (parts.length > 0) contents.push({ role, parts: [...parts] });
    };
    if (this.#summary?.text) add('user', [{ text: summaryText(this.#summary.text) }]);
    for (const message of this.shown) {
      if (message.id >= before) break;
      add(message.role, message.role === 'user' ? this.#shownParts(message) : message.parts);
      if (message.role === 'model' && message.turn !== null) add('user', this.#answersTo(message));
    }
    return contents;
  }

  /** A follow-up takes the place of the call that it follows. */
  #keep(call: SettledCall): void {
    const { turn, index, followUp, within, origin } = call.request;
    // What people and programs called is over when it is over: no model waits for it.
    if (within || origin !== 'model') return;
    const calls = this.#results.get(turn) ?? [];
    this.#results.set(turn, calls);
    const place = followUp ? calls.findIndex((other) => other?.request.callId === followUp.callId) : index;
    calls[place] = call;
  }

  /** One for each call, in order: a model that misses one, or finds one too many, refuses the whole history. */
  #answersTo({ parts, turn }: ModelMessage): readonly MessagePart[] {
    const calls = parts.flatMap((part) => functionCallIn(part) ?? []);
    const results = turn === null ? [] : this.resultsOf(turn);
    return calls.flatMap(({ id, name }, index) => {
      const call = results[index];
      return call ? this.#shownResult(call, id) : asMessageParts([withId(lost(name), id)]);
    });
  }

  #shownParts(message: UserMessage): readonly MessagePart[] {
    const made = this.#said.get(message) ?? shownUserParts(message.parts);
    this.#said.set(message, made);
    return made;
  }

  /** Created once: a history is sent again with every request. */
  #shownResult(call: SettledCall, id: string | null): readonly MessagePart[] {
    const isMasked = call.request.turn <= this.#maskedThrough;
    const made = isMasked ? this.#masked : this.#whole;
    let shown = made.get(call);
    if (!shown) {
      const { parts } = resultOf(call);
      const kept = isMasked ? parts.flatMap((part) => masked(part, this.#whereKept(call))) : parts;
      shown = asMessageParts(kept.map((part) => withId(part, id)));
      made.set(call, shown);
    }
    return shown;
  }
}

/** The text of a result as a model would be shown it, which is what is kept before it is masked. */
export function resultText(call: SettledCall): string {
  const texts = resultOf(call).parts.flatMap(({ functionResponse, text }) => {
    const output = functionResponse?.response?.['output'];
    return typeof output === 'string' ? [output] : (text ?? []);
  });
  return texts.join('\n');
}

const summaryText = (text: string): string => `Summary of the earlier conversation:\n\n${text}`;

function functionCallIn(part: MessagePart): { readonly id: string | null; readonly name: string } | null {
  const call = part['functionCall'];
  if (!isObject(call)) return null;
  const { id, name } = call;
  return { id: typeof id === 'string' ? id : null, name: typeof name === 'string' ? name : '' };
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const lost = (name: string): Part => ({
  functionResponse: {
    name,
    response: { error: 'No result: the session ended before this call finished.' },
  },
});

/** A provider that gives its calls no ids does not expect any back. */
function withId(part: Part, id: string | null): Part {
  if (!part.functionResponse) return part;
  const { id: _, ...rest } = part.functionResponse;
  return { ...part, functionResponse: id === null ? rest : { id, ...rest } };
}

function masked(part: Part, where: string): Part | [] {
  const { functionResponse } = part;
  if (!functionResponse) return part.text !== undefined && part.text.length < MASKED_CHARS_MIN ? part : [];
  const output = functionResponse.response?.['output'];
  if (typeof output !== 'string' || output.length < MASKED_CHARS_MIN) return part;
  const instead = `[${output.length.toLocaleString('en')} characters of this older result are omitted. They are in ${where}, readable with read_file.]`;
  return {
    functionResponse: { ...functionResponse, response: { ...functionResponse.response, output: instead } },
  };
}

/** Parts are plain JSON, which their type does not say of what is inside them. */
const asMessageParts = (parts: readonly Part[]): readonly MessagePart[] =>
  JSON.parse(JSON.stringify(parts)) as MessagePart[];
