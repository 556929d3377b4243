import type { AwaitingCall, Fact } from '@countersign/protocol';
import { EventMapper } from './event-mapper.js';
import type { AgentEvent } from './events.js';
import type { LiveSession } from './live-session.js';

/** Listens to the session while a prompt is worked on: emits its events to followers. */
export class SessionListener {
  readonly #mapper = new EventMapper();
  readonly #emit: (event: AgentEvent) => void;
  readonly #stopListening: () => void;
  #stop: { readonly hook: string; readonly reason: string } | null = null;

  constructor(live: LiveSession, emit: (event: AgentEvent) => void) {
    this.#emit = emit;
    this.#stopListening = live.events.subscribe({
      onFact: (fact) => this.#receive(fact),
      onQuestion: (change) => {
        if (change.type !== 'gone') this.#asked(change.call);
      },
    });
    // A new follower also receives the questions that are already open.
    for (const call of live.events.waiting) this.#asked(call);
  }

  /** The hook of a tool that stops the agent; null if none does. */
  get stop(): { readonly hook: string; readonly reason: string } | null {
    return this.#stop;
  }

  close(): void {
    this.#stopListening();
  }

  #receive(fact: Fact): void {
    const { event } = fact;
    if (event.type === 'call.hooked') {
      const stop = event.notes.find(({ said }) => said === 'stop');
      if (stop) this.#stop = { hook: stop.hook, reason: stop.reason ?? 'No reason was given.' };
    }
    const mapped = this.#mapper.eventOf(fact);
    if (mapped) this.#emit(mapped);
  }

  #asked(call: AwaitingCall): void {
    this.#emit(this.#mapper.confirmation(call));
  }
}
