import { isSettled, type SettledCall, type ToolCall } from '@countersign/protocol';

/**
 * A call, and whether its result was given to the model.
 *
 * @example
 * ```ts
 * const isOpen = ({ responseSubmittedToGemini }: TrackedToolCall) => !responseSubmittedToGemini;
 * ```
 */
export type TrackedToolCall = ToolCall & { readonly responseSubmittedToGemini: boolean };

/**
 * Which results the model has. It is kept here and not in a component, so that a component that comes back finds what
 * it knew: a result is handed over once, whichever component is mounted.
 */
export class TrackedCalls {
  /** By the place of the call, since the id of a call may come again in a later turn. */
  readonly #calls = new Map<string, TrackedToolCall>();
  readonly #ended = new Set<number>();
  readonly #handedOver = new Set<number>();
  #latestTurn = 0;
  #shown: readonly TrackedToolCall[] | null = null;

  /** Those of open turns, those that the model does not have yet, and those of the latest turn. */
  get all(): readonly TrackedToolCall[] {
    return (this.#shown ??= [...this.#calls.values()]);
  }

  changed(id: string, call: ToolCall): void {
    const { turn } = call.request;
    if (turn > this.#latestTurn) {
      this.#latestTurn = turn;
      this.#forget();
    }
    const responseSubmittedToGemini = this.#calls.get(id)?.responseSubmittedToGemini ?? false;
    this.#calls.set(id, { ...call, responseSubmittedToGemini });
    this.#shown = null;
  }

  turnEnded(turn: number): void {
    this.#ended.add(turn);
    this.#shown = null;
  }

  /** A model that has responded received the results of all turns that had ended before. */
  modelSpoke(): void {
    this.#submit(({ request }) => this.#ended.has(request.turn));
    for (const turn of this.#ended) this.#handedOver.add(turn);
  }

  submitted(callIds: readonly string[]): void {
    this.#submit(({ request }) => callIds.includes(request.callId));
  }

  /** The calls of ended turns that were not taken yet; the caller passes their results to the model. */
  take(): readonly (SettledCall & TrackedToolCall)[] {
    const turns = [...this.#ended].filter((turn) => !this.#handedOver.has(turn));
    for (const turn of turns) this.#handedOver.add(turn);
    return this.all.filter(
      (call): call is SettledCall & TrackedToolCall =>
        turns.includes(call.request.turn) && isSettled(call) && !call.responseSubmittedToGemini,
    );
  }

  #submit(isMeant: (call: TrackedToolCall) => boolean): void {
    for (const [id, call] of this.#calls)
      if (isSettled(call) && !call.responseSubmittedToGemini && isMeant(call))
        this.#calls.set(id, { ...call, responseSubmittedToGemini: true });
    this.#forget();
    this.#shown = null;
  }

  #forget(): void {
    for (const [id, { request, responseSubmittedToGemini }] of this.#calls)
      if (responseSubmittedToGemini && request.turn < this.#latestTurn) this.#calls.delete(id);
  }
}
