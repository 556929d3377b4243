import type { AnswerOf, ApprovalSummary, Client, InboxChange } from '@countersign/server/client';
import type { ServerLink } from './server-link.js';
import { Store } from './store.js';
import { untilAnswered } from './until-answered.js';

/** How a question was closed; null: without an answer. */
export type Answered = Extract<InboxChange, { type: 'approval.gone' }>['answer'];
export type Gone = { readonly approval: ApprovalSummary; readonly answer: Answered };

export type InboxView = {
  /** 'loading' until it was listed for the first time. */
  readonly state: 'loading' | 'listed';
  /** Oldest first; of very many, the oldest. */
  readonly approvals: readonly ApprovalSummary[];
  /** How many wait in all. */
  readonly total: number;
  /** What this page knew as waiting and is answered, the latest last. */
  readonly gone: ReadonlyMap<string, Gone>;
};

/** As many as a user could review; the rest is loaded as these are answered, or on request. */
const PAGE = 200;
/** After a break, the user still sees who answered the questions on the screen. */
const GONE_MAX = 100;

export const keyOf = ({ sessionId, callId }: Pick<ApprovalSummary, 'sessionId' | 'callId'>): string =>
  `${sessionId}/${callId}`;

/** Open questions of all sessions, kept up to date by the server's stream. */
export class InboxStore extends Store<InboxView> {
  readonly #api: Client;
  readonly #askedListeners: ((approval: ApprovalSummary) => void)[] = [];
  readonly #goneListeners: ((gone: Gone) => void)[] = [];
  #approvals = new Map<string, ApprovalSummary>();
  readonly #gone = new Map<string, Gone>();
  #total = 0;
  #next: string | null = null;
  #greetings = 0;
  /** Changes that arrive while the list is fetched apply after it. */
  #meanwhile: InboxChange[] | null = null;

  constructor(api: Client, link: ServerLink) {
    super({ state: 'loading', approvals: [], total: 0, gone: new Map() });
    this.#api = api;
    link.listen({
      onGreeting: () => void this.#list(),
      onChange: (change) => (this.#meanwhile ? this.#meanwhile.push(change) : this.#receive(change)),
    });
  }

  onAsked(listener: (approval: ApprovalSummary) => void): void {
    this.#askedListeners.push(listener);
  }

  onGone(listener: (gone: Gone) => void): void {
    this.#goneListeners.push(listener);
  }

  /** The next page, where there are more than are shown. */
  async more(): Promise<void> {
    if (this.#next === null) return;
    const listed = await this.#api.listApprovals({ limit: PAGE, cursor: this.#next });
    if (!listed.ok) return;
    for (const approval of listed.value.approvals) this.#approvals.set(keyOf(approval), approval);
    this.#next = listed.value.next;
    this.#show();
  }

  async #list(): Promise<void> {
    this.#greetings++;
    if (this.#meanwhile) return;
    this.#meanwhile = [];
    const { approvals, total, next } = await this.#listedLast();
    const before = this.#approvals;
    const wasComplete = this.get().state === 'listed' && this.#next === null;
    this.#approvals = new Map(approvals.map((approval) => [keyOf(approval), approval]));
    this.#total = total;
    this.#next = next;
    // For questions closed without a listener, the answer is fetched when one of them is viewed.
    for (const [key, approval] of before)
      if (!this.#approvals.has(key) && next === null) this.#remember({ approval, answer: null });
    // Questions raised without a listener are reported like all others.
    for (const [key, approval] of this.#approvals)
      if (wasComplete && !before.has(key)) for (const listener of this.#askedListeners) listener(approval);
    const meanwhile = this.#meanwhile ?? [];
    this.#meanwhile = null;
    for (const change of meanwhile) this.#receive(change);
    this.#show();
  }

  /** A list from before the latest greeting may lack changes between the two. */
  async #listedLast(): Promise<AnswerOf<'listApprovals'>> {
    for (;;) {
      const greetings = this.#greetings;
      const listed = await untilAnswered(() => this.#api.listApprovals({ limit: PAGE }));
      if (greetings === this.#greetings) return listed;
    }
  }

  #receive(change: InboxChange): void {
    if (change.type === 'approval.asked') {
      const key = keyOf(change.approval);
      const isNew = !this.#approvals.has(key);
      this.#approvals.set(key, change.approval);
      this.#gone.delete(key);
      if (isNew) {
        this.#total++;
        for (const listener of this.#askedListeners) listener(change.approval);
      }
    }
    if (change.type === 'approval.gone') {
      const approval = this.#approvals.get(keyOf(change));
      // An unknown question was beyond the page, or closed before the list was made.
      if (approval || this.#next !== null) this.#total--;
      if (approval) {
        this.#approvals.delete(keyOf(change));
        const gone = { approval, answer: change.answer };
        this.#remember(gone);
        for (const listener of this.#goneListeners) listener(gone);
      }
      if (this.#approvals.size === 0) void this.more();
    }
    this.#show();
  }

  #remember(gone: Gone): void {
    this.#gone.set(keyOf(gone.approval), gone);
    const [oldest] = this.#gone.keys();
    if (this.#gone.size > GONE_MAX && oldest !== undefined) this.#gone.delete(oldest);
  }

  #show(): void {
    const approvals = [...this.#approvals.values()];
    this.set({
      state: 'listed',
      approvals,
      total: Math.max(this.#total, approvals.length),
      gone: new Map(this.#gone),
    });
  }
}
