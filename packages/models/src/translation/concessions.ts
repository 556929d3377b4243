import type { JsonObject } from '@countersign/protocol';
import { ModelError, type ModelEvent } from '../provider.js';

export type Complaint = {
  /** What it is recognised by. */
  readonly names: RegExp;
  /** Finds in a request what it complains about. */
  readonly isIn: RegExp;
  /** Of a model, which is then spared it permanently, or of one request: a single broken picture condemns no others. */
  readonly of: 'the model' | 'the request';
};

export type Asked = { readonly body: JsonObject; readonly events: AsyncIterable<ModelEvent> };

/**
 * Servers differ in what they accept, and show it only by rejecting a request. It is then sent again without what the
 * complaint names, each thing once. What helped is remembered.
 */
export class Concessions<C extends string> {
  readonly #complaints: { readonly [K in C]: Complaint };
  /** By model: one server may serve models of different gifts. */
  readonly #conceded = new Map<string, ReadonlySet<C>>();

  constructor(complaints: { readonly [K in C]: Complaint }) {
    this.#complaints = complaints;
  }

  async *stream(model: string, ask: (conceded: ReadonlySet<C>) => Asked): AsyncGenerator<ModelEvent> {
    let conceded = this.#conceded.get(model) ?? new Set<C>();
    for (;;) {
      const { body, events } = ask(conceded);
      let hasBegun = false;
      try {
        for await (const event of events) {
          if (!hasBegun) this.#remember(model, conceded);
          hasBegun = true;
          yield event;
        }
        return;
      } catch (error) {
        const concession = hasBegun ? undefined : this.#concessionTo(error, body, conceded);
        if (concession === undefined) throw error;
        conceded = new Set([...conceded, concession]);
      }
    }
  }

  #remember(model: string, conceded: ReadonlySet<C>): void {
    const lasting = [...conceded].filter((concession) => this.#complaints[concession].of === 'the model');
    this.#conceded.set(model, new Set(lasting));
  }

  #concessionTo(error: unknown, body: JsonObject, conceded: ReadonlySet<C>): C | undefined {
    const complaint = complaintIn(error);
    if (complaint === null) return undefined;
    const sent = JSON.stringify(body);
    for (const concession in this.#complaints) {
      const { names, isIn } = this.#complaints[concession];
      if (!conceded.has(concession) && names.test(complaint) && isIn.test(sent)) return concession;
    }
    return undefined;
  }
}

function complaintIn(error: unknown): string | null {
  if (!(error instanceof ModelError)) return null;
  const { failure } = error;
  if (failure.code === 'model_rejected') return failure.message;
  // llama.cpp has this status for pictures that it cannot take.
  return failure.code === 'model_overloaded' && failure.status === 500 ? failure.message : null;
}
