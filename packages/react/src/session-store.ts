import { type CallItem, Transcript, type TranscriptItem } from '@countersign/client';
import type { SessionClient } from '@countersign/engine';
import { emptySession, evolve, type Session } from '@countersign/kernel';
import {
  type ApprovalMode,
  type AwaitingCall,
  type Event,
  isSettled,
  type Live,
  type ToolCall,
} from '@countersign/protocol';
import { Frames } from './frames.js';
import { type Agenda, agendaAfter, NO_AGENDA } from './todo-progress.js';
import { TrackedCalls } from './tracked-calls.js';

/** A session as a front end draws it. Replaced as a whole whenever something in it is not as it was. */
export type SessionView = {
  /** What will stay as it is: it can be printed permanently. */
  readonly settled: readonly TranscriptItem[];
  /** What may still change, in order, after it. */
  readonly open: readonly TranscriptItem[];
  /** What calls show while they run, by call id. */
  readonly live: ReadonlyMap<string, Live>;
  /** Open questions, oldest first. */
  readonly waiting: readonly AwaitingCall[];
  readonly mode: ApprovalMode;
  readonly agenda: Agenda;
  /** False as long as the past is being read. */
  readonly isCaughtUp: boolean;
};

/** What is known of a session before its facts are read. */
export type SessionStoreOptions = {
  /** How many facts there are already: with the last of them the past has been read. */
  readonly knownSeq?: number;
};

/** Follows a session, in this process or another, for as many components as like. It lives longer than they do. */
export class SessionStore {
  readonly client: SessionClient;
  readonly tracked = new TrackedCalls();
  readonly #frames = new Frames(() => {
    this.#view = this.#draw();
  });
  readonly #transcript = new Transcript();
  readonly #session: Session;
  readonly #eventListeners = new Set<(event: Event) => void>();
  readonly #live = new Map<string, Live>();
  readonly #knownSeq: number;
  #settled: readonly TranscriptItem[] = [];
  #agenda = NO_AGENDA;
  #heard = 0;
  #view: SessionView;

  constructor(client: SessionClient, { knownSeq = 0 }: SessionStoreOptions = {}) {
    this.client = client;
    this.#knownSeq = knownSeq;
    this.#session = emptySession(client.sessionId);
    this.#view = this.#draw();
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#frames.subscribe(listener);
  readonly view = (): SessionView => this.#view;

  /** Told of each fact, past ones included, once it is folded. */
  onEvent(listener: (event: Event) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /** Follows until the signal; what goes wrong with the session's journal is thrown. */
  async follow(signal: AbortSignal): Promise<void> {
    try {
      for await (const batch of this.client.events(this.#heard, signal)) {
        let isNews = false;
        for (const delivery of batch) {
          if ('live' in delivery) this.#hear(delivery.live);
          else {
            this.#fold(delivery.event);
            this.#heard = delivery.seq + 1;
            isNews = true;
          }
        }
        if (isNews) this.#frames.now();
        else this.#frames.soon();
      }
    } finally {
      this.#frames.stop();
    }
  }

  /** The results of these were given to the model. */
  markSubmitted(callIds: readonly string[]): void {
    this.tracked.submitted(callIds);
    this.#frames.now();
  }

  #hear(live: Live): void {
    if (this.#transcript.hear(live) === null) return;
    this.#live.set(live.callId, { ...this.#live.get(live.callId), ...live });
  }

  #fold(event: Event): void {
    evolve(this.#session, event);
    this.#session.touched = [];
    const call = callIn(event, this.#session);
    const touched = this.#transcript.observe(event, call);
    if (call && isSettled(call)) this.#live.delete(call.request.callId);
    for (const id of touched) this.#note(id);
    if (event.type === 'turn.ended') this.tracked.turnEnded(event.turn);
    if (event.type === 'message.added' && event.message.role === 'model') this.tracked.modelSpoke();
    for (const listener of [...this.#eventListeners]) listener(event);
  }

  #note(id: string): void {
    if (!id.startsWith('c')) return;
    const item = this.#transcript.items.findLast((each): each is CallItem => each.id === id);
    if (!item) return;
    this.tracked.changed(id, item.call);
    if (isSettled(item.call)) this.#agenda = agendaAfter(this.#agenda, item);
  }

  #draw(): SessionView {
    const { items, finalCount } = this.#transcript;
    if (finalCount > this.#settled.length)
      this.#settled = [...this.#settled, ...items.slice(this.#settled.length, finalCount)];
    return {
      settled: this.#settled,
      open: items.slice(finalCount),
      live: new Map(this.#live),
      waiting: [...this.#session.waiting].flatMap((callId) => {
        const call = this.#session.calls.get(callId);
        return call?.status === 'awaiting_approval' && call.answer === null ? [call] : [];
      }),
      mode: this.#session.mode,
      agenda: this.#agenda,
      isCaughtUp: this.#heard >= this.#knownSeq,
    };
  }
}

function callIn(event: Event, { calls }: Session): ToolCall | undefined {
  const callId =
    event.type === 'call.requested' ? event.request.callId : 'callId' in event ? event.callId : null;
  return callId === null ? undefined : calls.get(callId);
}
