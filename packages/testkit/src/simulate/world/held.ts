import type { Random } from './random.js';

/** Something that continues only when the simulator lets it: a plan, a run, a hook, a tool that was told, a write, a reader. */
export type Held = {
  readonly what: 'plan' | 'run' | 'hook' | 'listener' | 'append' | 'read' | 'reader';
  readonly label: string;
  /** The process it is part of. */
  readonly life: number;
  readonly release: () => void;
};

export class HeldThings {
  #things: Held[] = [];

  add(held: Held): () => void {
    this.#things.push(held);
    return () => {
      this.#things = this.#things.filter((other) => other !== held);
    };
  }

  get size(): number {
    return this.#things.length;
  }

  some(test: (held: Held) => boolean): boolean {
    return this.#things.some(test);
  }

  /** Let one of them continue, whichever comes up. */
  releaseAny(random: Random): Held | undefined {
    const held = random.pick(this.#things);
    if (held) this.#release(held);
    return held;
  }

  /** Let everything continue that is held now. */
  releaseAll(): void {
    for (const held of [...this.#things]) this.#release(held);
  }

  /** A process died: what it waited for never comes. */
  dropLife(life: number): void {
    this.#things = this.#things.filter((held) => held.life !== life);
  }

  #release(held: Held): void {
    const before = this.#things.length;
    this.#things = this.#things.filter((other) => other !== held);
    if (this.#things.length < before) held.release();
  }
}
