/**
 * The ids of a request's calls: each as it is in the history where the wire accepts it, else a made one. Made ids follow
 * from a call's place in the history, so that each request says what the last one said and provider caches stay good.
 */
export class CallIds {
  readonly #used = new Set<string>();
  #count = 0;

  constructor(private readonly accepted: RegExp) {}

  settle(id: string | null): string {
    this.#count += 1;
    let settled = id !== null && this.accepted.test(id) ? id : made(this.#count);
    // Some servers number their calls again in every answer; a wire may demand ids unlike all others.
    for (let number = this.#count; this.#used.has(settled); number += 1) settled = made(number);
    this.#used.add(settled);
    return settled;
  }
}

/** Nine letters and digits: Mistral's models take no other ids, and every other server takes these. */
const made = (number: number) => `call${String(number).padStart(5, '0')}`;
