import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { type Fact, isSettled, type Message, type ToolCall } from '@countersign/protocol';
import { type Known, knownOf, type ShownCalls } from './calls/shown-calls.js';
import { blocksOf, thoughtsIn } from './content/prompt-parts.js';
import { planEntries } from './content/todo-plan.js';

type Entry =
  | { readonly type: 'message'; readonly message: Message }
  | { readonly type: 'turn'; readonly turn: number; readonly calls: Map<string, KnownCall> };

type KnownCall = { readonly call: ToolCall; readonly known: Known };

/** The messages and calls of a session, in the order in which the user saw them. */
export class Past {
  readonly #entries: Entry[] = [];
  readonly #turns = new Map<number, Extract<Entry, { type: 'turn' }>>();

  add({ event, call }: Fact): void {
    if (event.type === 'message.added') this.#addMessage(event.message);
    if (!call) return;
    const { calls } = this.#turn(call.request.turn);
    const before = calls.get(call.request.callId);
    calls.set(call.request.callId, { call, known: knownOf(call, before?.known) });
  }

  updates(calls: ShownCalls): readonly SessionUpdate[] {
    const updates = this.#entries.flatMap((entry) =>
      entry.type === 'message'
        ? messageUpdates(entry.message)
        : Array.from(entry.calls.values(), ({ call, known }) => calls.whole(call, known)),
    );
    const plan = this.#lastPlan();
    return plan ? [...updates, plan] : updates;
  }

  /** A model's calls are recorded before the end of its text; the user reads the text first. */
  #addMessage(message: Message): void {
    const turn =
      message.role === 'model' && message.turn !== null ? this.#turns.get(message.turn) : undefined;
    const place = turn ? this.#entries.lastIndexOf(turn) : this.#entries.length;
    this.#entries.splice(place, 0, { type: 'message', message });
  }

  #turn(turn: number): Extract<Entry, { type: 'turn' }> {
    const known = this.#turns.get(turn);
    if (known) return known;
    const entry = { type: 'turn', turn, calls: new Map() } as const;
    this.#turns.set(turn, entry);
    this.#entries.push(entry);
    return entry;
  }

  #lastPlan(): SessionUpdate | null {
    const calls = [...this.#turns.values()].flatMap((turn) => [...turn.calls.values()]);
    const plans = calls.flatMap(({ call }) => planOf(call) ?? []);
    return plans.at(-1) ?? null;
  }
}

/** The to-do list in the result of a call; null if there is none. */
export function planOf(call: ToolCall | undefined): SessionUpdate | null {
  if (!call || !isSettled(call) || call.status !== 'success') return null;
  const entries = planEntries(call.result.returnDisplay);
  return entries && { sessionUpdate: 'plan', entries };
}

export function messageUpdates({ role, parts }: Message): readonly SessionUpdate[] {
  if (role === 'user')
    return blocksOf(parts).map((content) => ({ sessionUpdate: 'user_message_chunk', content }));
  return [
    ...thoughtsIn(parts).map((content) => ({ sessionUpdate: 'agent_thought_chunk' as const, content })),
    ...blocksOf(parts).map((content) => ({ sessionUpdate: 'agent_message_chunk' as const, content })),
  ];
}
