import type { JsonObject } from '@countersign/protocol';
import { numberOf, objectOf, textOf } from '../http/read-json.js';
import { readArguments } from '../translation/read-arguments.js';

export type GrowingCall = {
  readonly index: number | undefined;
  id: string | null;
  name: string;
  /** The arguments so far. */
  written: string;
  /** What the server said of the call beyond the wire's own words, and wants back. */
  extra: JsonObject;
  /** Whether that is all, as of so many characters. */
  closed: { readonly at: number; readonly is: boolean };
};

/**
 * Calls put together from the pieces they are streamed in. OpenAI numbers calls and names each once, in its first piece.
 * Others give every call the same number, or none; no ids, or another id with every piece; or send calls whole.
 */
export class GrowingCalls {
  readonly all: GrowingCall[] = [];
  #taken = 0;

  add(piece: JsonObject): void {
    const { index: _, id: __, type: ___, function: called, ...extra } = piece;
    const index = numberOf(piece.index);
    const id = textOf(piece.id) || null;
    const { name: said, arguments: args } = objectOf(called) ?? {};
    const name = textOf(said) ?? '';
    // A server that has parsed them already sends the object itself.
    const written = typeof args === 'string' ? args : objectOf(args) ? JSON.stringify(args) : '';

    const call = this.#growing({ index, id, name });
    if (!call) {
      this.all.push({ index, id, name, written, extra, closed: { at: 0, is: false } });
      return;
    }
    call.id ??= id;
    if (name !== call.name && call.written === '') call.name += name;
    call.written += written;
    call.extra = { ...call.extra, ...extra };
  }

  /** Calls not taken before that are surely complete, in order: nothing can be added to an object that is closed. */
  takeComplete(isLastComplete: boolean): readonly GrowingCall[] {
    const from = this.#taken;
    const end = isLastComplete ? this.all.length : this.all.length - 1;
    for (
      let call = this.all[from];
      call && this.#taken < end && isClosed(call);
      call = this.all[this.#taken]
    ) {
      this.#taken += 1;
    }
    return this.all.slice(from, this.#taken);
  }

  takeRest(): readonly GrowingCall[] {
    const rest = this.all.slice(this.#taken);
    this.#taken = this.all.length;
    return rest;
  }

  /** The call that a piece adds to; undefined if it begins one. */
  #growing({ index, id, name }: Pick<GrowingCall, 'index' | 'id' | 'name'>): GrowingCall | undefined {
    const call =
      index !== undefined
        ? this.all.findLast((one) => one.index === index)
        : (this.all.findLast((one) => id !== null && one.id === id) ?? this.all.at(-1));
    // Without a name it cannot be a beginning, whatever its id.
    if (!call || name === '') return call;
    if (id !== null && call.id !== null) return id === call.id ? call : undefined;
    const isAnother = isClosed(call) || (index === undefined && name !== call.name);
    return isAnother ? undefined : call;
  }
}

/** Looked at once per length: arguments may be long, and come in thousands of pieces. */
function isClosed(call: GrowingCall): boolean {
  const { written } = call;
  if (call.closed.at !== written.length) {
    call.closed = { at: written.length, is: written.trimEnd().endsWith('}') && readArguments(written).ok };
  }
  return call.closed.is;
}
