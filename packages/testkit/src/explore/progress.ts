/**
 * Which states must end, whichever fair event happens first.
 *
 * A state is good if it has ended, or if something fair can happen in it and
 * all of that leads to good states. Worked out backwards from the ended ones.
 */
export class Progress {
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #ended: number[] = [];

  addStep(from: number, to: number): void {
    this.#from.push(from);
    this.#to.push(to);
  }

  addEnd(state: number): void {
    this.#ended.push(state);
  }

  /** The first state that need not end; null if all do. */
  firstEndless(states: number): number | null {
    const waitsFor = new Int32Array(states);
    const leadingTo: number[][] = Array.from({ length: states }, () => []);
    for (const [step, from] of this.#from.entries()) {
      waitsFor[from] = (waitsFor[from] ?? 0) + 1;
      leadingTo[this.#to[step] ?? 0]?.push(from);
    }
    const good = new Uint8Array(states);
    const work = [...this.#ended];
    for (const state of work) good[state] = 1;
    for (let state = work.pop(); state !== undefined; state = work.pop()) {
      for (const from of leadingTo[state] ?? []) {
        const left = (waitsFor[from] ?? 0) - 1;
        waitsFor[from] = left;
        if (left > 0 || good[from] === 1) continue;
        good[from] = 1;
        work.push(from);
      }
    }
    const endless = good.indexOf(0);
    return endless === -1 ? null : endless;
  }
}
