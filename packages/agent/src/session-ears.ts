import type { AwaitingCall, Fact } from '@countersign/protocol';
import type { AgentEvent } from './events.js';
import type { SessionHooks } from './hooks/session-hooks.js';
import type { LiveSession } from './live-session.js';
import { FactTeller } from './tell-facts.js';

/** Hears what becomes of calls while a prompt is worked on, and passes it on: to who follows, and to hooks. */
export class SessionEars {
  readonly #teller = new FactTeller();
  readonly #hooks: SessionHooks;
  readonly #tell: (event: AgentEvent) => void;
  readonly #stopListening: () => void;
  #stop: { readonly hook: string; readonly reason: string } | null = null;

  constructor(live: LiveSession, hooks: SessionHooks, tell: (event: AgentEvent) => void) {
    this.#hooks = hooks;
    this.#tell = tell;
    this.#stopListening = live.events.subscribe({
      onFact: (fact) => this.#hear(fact),
      onQuestion: (change) => {
        if (change.type !== 'gone') this.#asked(change.call);
      },
    });
    // What has been waiting since before is news to who begins to follow.
    for (const call of live.events.waiting) this.#asked(call);
  }

  /** A hook of a tool that wants the whole agent to stop; null as long as none does. */
  get stop(): { readonly hook: string; readonly reason: string } | null {
    return this.#stop;
  }

  close(): void {
    this.#stopListening();
  }

  #hear(fact: Fact): void {
    const { event } = fact;
    if (event.type === 'call.hooked') {
      const stop = event.notes.find(({ said }) => said === 'stop');
      if (stop) this.#stop = { hook: stop.hook, reason: stop.reason ?? 'No reason was given.' };
    }
    const told = this.#teller.eventOf(fact);
    if (told) this.#tell(told);
  }

  #asked(call: AwaitingCall): void {
    this.#tell(this.#teller.confirmation(call));
    this.#hooks.asked(call);
  }
}
