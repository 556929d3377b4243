import type { Declaration } from '../provider.js';

/** The strictest wire (OpenAI's) takes no longer name; the others take at least as much. */
const NAME_CHARACTERS_MAX = 64;

/**
 * Function names as both wires accept them: letters, digits, `_` and `-`. Names that Gemini allows and they do not are
 * respelled, and calls of the model are reported under the declared name.
 */
export class WireNames {
  readonly #toWire = new Map<string, string>();
  readonly #fromWire = new Map<string, string>();

  constructor(declarations: readonly Declaration[]) {
    // Names that need no change are kept.
    for (const { name } of declarations) if (spelled(name) === name) this.#pair(name, name);
    for (const { name } of declarations) if (!this.#toWire.has(name)) this.#pair(name, this.#free(name));
  }

  /** A name that is not declared may still be in the history. */
  toWire(name: string): string {
    return this.#toWire.get(name) ?? spelled(name);
  }

  fromWire(name: string): string {
    return this.#fromWire.get(name) ?? name;
  }

  #pair(name: string, wireName: string): void {
    this.#toWire.set(name, wireName);
    this.#fromWire.set(wireName, name);
  }

  #free(name: string): string {
    const base = spelled(name);
    for (let number = 2, wireName = base; ; number += 1) {
      if (!this.#fromWire.has(wireName)) return wireName;
      wireName = `${base.slice(0, NAME_CHARACTERS_MAX - 1 - String(number).length)}_${number}`;
    }
  }
}

const spelled = (name: string) =>
  name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, NAME_CHARACTERS_MAX) || 'undefined_tool_name';
