import {
  type AwaitingCall,
  type Fact,
  isSettled,
  type ToolCall as KernelCall,
  type Live,
  type SettledCall,
} from '@countersign/protocol';
import type { AnyTool } from '../types/any-tool.js';
import type { CompletedToolCall, ToolCall } from '../types/call-types.js';
import { levels } from './batch-updates.js';
import { completedView, type Viewing, viewOf } from './call-view.js';

export type BoardListener = {
  /** A frozen list of the calls of the active batch. */
  readonly shows: (calls: readonly ToolCall[]) => void;
  /** Every call of the batch was validated and asked about, scheduled or ended. */
  readonly accepted: (turn: number) => void;
  readonly over: (turn: number, completed: readonly CompletedToolCall[]) => void;
};

type Batch = { readonly shown: ToolCall[]; readonly ended: SettledCall[]; validating: number };

/**
 * The calls of each open batch, as last shown.
 * It follows the session's facts and decides nothing.
 */
export class Board {
  readonly #viewing: Viewing;
  readonly #listener: BoardListener;
  readonly #batches = new Map<number, Batch>();
  readonly #calls = new Map<string, KernelCall>();
  readonly #live = new Map<string, Live>();
  readonly #waiting = new Map<string, AwaitingCall>();
  readonly #askedAt = new Map<string, number>();
  readonly #tools = new Map<string, AnyTool>();
  #liveUpdate: NodeJS.Immediate | null = null;

  constructor(viewing: Viewing, listener: BoardListener) {
    this.#viewing = viewing;
    this.#listener = listener;
  }

  /** Questions that wait for an answer, oldest first. */
  get waiting(): readonly AwaitingCall[] {
    return [...this.#waiting.values()];
  }

  /** When the first question about a call of an open batch was asked. */
  askedAt(callId: string): number | undefined {
    return this.#askedAt.get(callId);
  }

  /** The tool of a call of an open batch as it was when the call was first seen: it may be unregistered meanwhile. */
  toolOf(callId: string): AnyTool | undefined {
    return this.#tools.get(callId);
  }

  find(callId: string): KernelCall | undefined {
    const exact = this.#calls.get(callId);
    return exact ?? [...this.#calls.values()].find(({ request }) => request.wireId === callId);
  }

  /** Begins with calls that an earlier process of the session left open. */
  adopt(calls: readonly KernelCall[]): void {
    for (const call of calls) {
      this.#batchOf(call.request.turn).validating++;
      this.#note(call);
    }
    this.#show(calls);
  }

  onFacts(facts: readonly Fact[]): void {
    const changed: KernelCall[] = [];
    const accepted: number[] = [];
    const over: number[] = [];
    for (const { event, call } of facts) {
      if (event.type === 'turn.started') this.#batchOf(event.turn);
      if (event.type === 'turn.ended') over.push(event.turn);
      if (!call) continue;
      const batch = this.#batchOf(call.request.turn);
      if (event.type === 'call.requested') batch.validating++;
      const validating = batch.validating;
      const before = this.#calls.get(call.request.callId)?.status;
      this.#note(call);
      if (validating > 0 && batch.validating === 0) accepted.push(call.request.turn);
      // Of facts within a status only those about a question change what is shown.
      if (before !== call.status || call.status === 'awaiting_approval') changed.push(call);
    }
    this.#show(changed);
    for (const turn of accepted) this.#listener.accepted(turn);
    for (const turn of over) this.#end(turn);
  }

  onLive(live: Live): void {
    const { callId } = live;
    this.#live.set(callId, { ...this.#live.get(callId), ...live });
    // Live output is the one thing that is coalesced: no display draws more than one snapshot per turn of the event loop.
    this.#liveUpdate ??= setImmediate(() => {
      this.#liveUpdate = null;
      this.#show([...this.#live.keys()].flatMap((id) => this.#calls.get(id) ?? []));
    });
  }

  /** Something beside the facts changed how a call looks. */
  refresh(callId: string): void {
    const call = this.#calls.get(callId);
    if (call) this.#show([call]);
  }

  close(): void {
    if (this.#liveUpdate) clearImmediate(this.#liveUpdate);
    this.#liveUpdate = null;
  }

  #note(call: KernelCall): void {
    const { callId, turn, index } = call.request;
    const before = this.#calls.get(callId);
    this.#calls.set(callId, call);
    const tool = before ? undefined : this.#viewing.toolOf(call.request);
    if (tool) this.#tools.set(callId, tool);
    const batch = this.#batchOf(turn);
    if ((!before || before.status === 'validating') && call.status !== 'validating') batch.validating--;
    if (call.status === 'awaiting_approval') {
      this.#waiting.set(callId, call);
      if (!this.#askedAt.has(callId)) this.#askedAt.set(callId, call.question.askedAt);
    } else this.#waiting.delete(callId);
    if (!isSettled(call)) return;
    // Not before: a tool may send output before the fact of its start arrives here.
    this.#live.delete(callId);
    batch.ended[index] = call;
  }

  #show(changed: readonly KernelCall[]): void {
    for (const level of levels(changed)) {
      let active: Batch | undefined;
      for (const call of level) {
        // A call of a tool that does not exist is shown once it has ended, which is at once.
        if (!isSettled(call) && !this.#viewing.toolOf(call.request)) continue;
        const batch = this.#batchOf(call.request.turn);
        const { index, callId } = call.request;
        batch.shown[index] = viewOf(call, this.#live.get(callId), this.#viewing, batch.shown[index]);
        active ??= batch;
      }
      if (active && active === this.#batches.values().next().value) {
        this.#listener.shows(Object.freeze(active.shown.filter(Boolean)));
      }
    }
  }

  #end(turn: number): void {
    const batch = this.#batches.get(turn);
    if (!batch) return;
    this.#batches.delete(turn);
    // What a running call requested is part of that call's result.
    const requested = batch.ended.filter(({ request }) => !request.within);
    const completed = requested.map((call) => {
      const shown = batch.shown[call.request.index];
      return shown && isCompleted(shown) ? shown : completedView(call, this.#viewing, shown);
    });
    for (const { request } of batch.ended) {
      for (const known of [this.#calls, this.#askedAt, this.#tools]) known.delete(request.callId);
    }
    this.#listener.over(turn, completed);
  }

  #batchOf(turn: number): Batch {
    let batch = this.#batches.get(turn);
    if (!batch) {
      batch = { shown: [], ended: [], validating: 0 };
      this.#batches.set(turn, batch);
    }
    return batch;
  }
}

const isCompleted = (call: ToolCall): call is CompletedToolCall =>
  call.status === 'success' || call.status === 'error' || call.status === 'cancelled';
