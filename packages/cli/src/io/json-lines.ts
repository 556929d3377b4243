import { type JsonObject, textShapeProblem } from '@countersign/protocol';
import { messageOf } from './failure-text.js';
import { JsonPrefix } from './json-prefix.js';

/** One value may not be larger: no tool call needs more. */
const VALUE_CHARACTERS_MAX = 64 * 1024 * 1024;
/** A list is a batch of any number of calls; the size and depth of each call are checked later. */
const VALUE_SHAPE = { partsMax: 1_000_000, depthMax: Number.POSITIVE_INFINITY };

/** A value or its problem; `line` is its first line, counted from 1. */
export type Framed = { readonly line: number } & Parsed;

/**
 * JSON values from a stream, one per line, or spread over several (a pretty
 * list). A broken line does not affect the next one.
 */
export async function* jsonValues(source: AsyncIterable<Buffer | string>): AsyncGenerator<Framed> {
  const values = new OpenValue();
  for await (const { number, text } of linesOf(source)) yield* values.add(number, text);
  yield* values.end();
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Line = { readonly number: number; readonly text: string };

/** Lines end at line feeds only; other separators are part of the text. */
async function* linesOf(source: AsyncIterable<Buffer | string>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let number = 1;
  let pieces: string[] = [];
  let length = 0;
  const add = (piece: string) => {
    length += piece.length;
    // Keeps one piece beyond the limit, so that the line is recognised as too long.
    if (length - piece.length <= VALUE_CHARACTERS_MAX) pieces.push(piece);
  };
  for await (const chunk of source) {
    const parts = (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })).split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) {
      add(part);
      yield { number: number++, text: pieces.join('').replace(/\r$/, '') };
      pieces = [];
      length = 0;
    }
    add(last);
  }
  yield { number, text: pieces.join('') };
}

/** The value that is being read, if it is not complete after the last line. */
class OpenValue {
  #lines: string[] = [];
  #characters = 0;
  #firstLine = 0;
  #prefix = new JsonPrefix();

  *add(number: number, text: string): Generator<Framed> {
    if (this.#lines.length === 0) {
      if (text.trim() === '') return;
      this.#firstLine = number;
    }
    this.#lines.push(text);
    this.#characters += text.length;
    if (this.#characters > VALUE_CHARACTERS_MAX) {
      yield* this.#give({ ok: false, problem: `it is longer than ${VALUE_CHARACTERS_MAX} characters` });
      return;
    }
    // The common case: a complete value on one line.
    if (this.#lines.length === 1) {
      const whole = parse(text);
      if (whole.ok) {
        yield* this.#give(whole);
        return;
      }
    }
    const before = this.#prefix.state;
    this.#prefix.add(text);
    const { state } = this.#prefix;
    if (state === 'closed' || (state === 'broken' && this.#lines.length === 1)) yield* this.end();
    // The second line is a complete value and does not continue the first one, so the first one is truncated.
    else if (state === 'broken' && before === 'open' && this.#lines.length === 2 && parse(text).ok) {
      this.#lines.pop();
      yield* this.end();
      yield* this.add(number, text);
    }
  }

  *end(): Generator<Framed> {
    if (this.#lines.length > 0) yield* this.#give(parse(this.#lines.join('\n')));
  }

  *#give(parsed: Parsed): Generator<Framed> {
    const line = this.#firstLine;
    this.#lines = [];
    this.#characters = 0;
    this.#prefix = new JsonPrefix();
    yield { line, ...parsed };
  }
}

type Parsed =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

function parse(text: string): Parsed {
  const problem = textShapeProblem(text, VALUE_SHAPE);
  if (problem !== null) return { ok: false, problem };
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (thrown) {
    return { ok: false, problem: messageOf(thrown) };
  }
}
