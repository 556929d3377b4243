import {
  type CallItem,
  FollowedSession,
  type SessionClient,
  Transcript,
  type TranscriptItem,
} from '@countersign/client';
import {
  type ApprovalMode,
  type AwaitingCall,
  type Event,
  type Fact,
  isSettled,
  type Live,
} from '@countersign/protocol';
import { Frames } from './frames.js';
import { type Agenda, agendaAfter, NO_AGENDA } from './todo-progress.js';
import { TrackedCalls } from './tracked-calls.js';

/**
 * A session to be drawn. Replaced as a whole at every change.
 *
 * @example
 * ```ts
 * const summary = ({ mode, waiting }: SessionView) => `${mode}, ${waiting.length} questions`;
 * ```
 */
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

/**
 * What is known of a session before its events are read.
 *
 * @example
 * ```ts
 * const options: SessionStoreOptions = { knownSeq: 0 };
 * ```
 */
export type SessionStoreOptions = {
  /** How many facts there are already: with the last of them the past has been read. */
  readonly knownSeq?: number;
};

/**
 * Follows a session, in this process or another, for any number of components. It outlives them.
 *
 * @example
 * ```ts
 * const store = new SessionStore(await scheduler.session());
 * void store.follow(signal);
 * ```
 */
export class SessionStore {
  readonly client: SessionClient;
  readonly tracked = new TrackedCalls();
  readonly #frames = new Frames(() => {
    this.#view = this.#draw();
  });
  readonly #transcript = new Transcript();
  readonly #followed: FollowedSession;
  readonly #eventListeners = new Set<(event: Event) => void>();
  readonly #live = new Map<string, Live>();
  readonly #knownSeq: number;
  #settled: readonly TranscriptItem[] = [];
  #agenda = NO_AGENDA;
  #view: SessionView;

  constructor(client: SessionClient, { knownSeq = 0 }: SessionStoreOptions = {}) {
    this.client = client;
    this.#knownSeq = knownSeq;
    this.#followed = new FollowedSession(client);
    this.#followed.events.subscribe({
      onFact: (fact) => this.#receiveFact(fact),
      onFacts: () => this.#frames.now(),
      onLive: (live) => this.#receiveLive(live),
    });
    this.#view = this.#draw();
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#frames.subscribe(listener);
  readonly view = (): SessionView => this.#view;

  /** Calls the listener with each event, past ones included, once it is folded. */
  onEvent(listener: (event: Event) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /** Follows until the signal is aborted; throws if the session's journal fails. */
  async follow(signal: AbortSignal): Promise<void> {
    try {
      await this.#followed.follow(signal);
    } finally {
      this.#frames.stop();
    }
  }

  /** The results of these were given to the model. */
  markSubmitted(callIds: readonly string[]): void {
    this.tracked.submitted(callIds);
    this.#frames.now();
  }

  #receiveLive(live: Live): void {
    if (this.#transcript.observeLive(live) === null) return;
    this.#live.set(live.callId, { ...this.#live.get(live.callId), ...live });
    this.#frames.soon();
  }

  #receiveFact({ event, call }: Fact): void {
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
    const { session, seq } = this.#followed;
    if (finalCount > this.#settled.length)
      this.#settled = [...this.#settled, ...items.slice(this.#settled.length, finalCount)];
    return {
      settled: this.#settled,
      open: items.slice(finalCount),
      live: new Map(this.#live),
      waiting: [...session.waiting].flatMap((callId) => {
        const call = session.calls.get(callId);
        return call?.status === 'awaiting_approval' && call.answer === null ? [call] : [];
      }),
      mode: session.mode,
      agenda: this.#agenda,
      isCaughtUp: seq >= this.#knownSeq,
    };
  }
}
