import {
  type ApprovalMode,
  type Event,
  isSettled,
  type Live,
  type Message,
  type MessagePart,
  type ModelMessage,
  type Permit,
  type Question,
  type ToolCall,
  type Verdict,
} from '@countersign/protocol';

/** Something a person said, or a hook in their place. */
export type UserItem = {
  readonly kind: 'user';
  readonly id: string;
  readonly at: number;
  readonly text: string;
  readonly by: string;
};

/** What a model said, or thought. */
export type WordsItem = {
  readonly kind: 'text' | 'thought';
  readonly id: string;
  readonly at: number;
  readonly text: string;
  readonly model: string;
};

/** A call with what is worth knowing of it at any time, also when it is over. */
export type CallItem = {
  readonly kind: 'call';
  readonly id: string;
  readonly at: number;
  /** As it is now. */
  readonly call: ToolCall;
  /** Of its latest plan; null as long as it has none. */
  readonly title: string | null;
  /** What policy said last. */
  readonly verdict: Verdict | null;
  /** The last one put to a person. */
  readonly question: Question | null;
  readonly permit: Permit | null;
  /** How long the question waited for its answer; null if it got none. */
  readonly waitedMs: number | null;
  /** From its start to its end; null before that, and for one that never started. */
  readonly ranMs: number | null;
};

export type Notice =
  | { readonly type: 'taken_up'; readonly mode: ApprovalMode }
  | { readonly type: 'mode_changed'; readonly mode: ApprovalMode; readonly by: string }
  | { readonly type: 'compressed'; readonly summary: string };
export type NoticeItem = {
  readonly kind: 'notice';
  readonly id: string;
  readonly at: number;
  readonly notice: Notice;
};

/** Never changed, only replaced by one of the same id: who draws it sees by its identity whether it is the same. */
export type TranscriptItem = UserItem | WordsItem | CallItem | NoticeItem;

/**
 * What people are shown of a session, folded from its facts by every front end
 * alike. Items stand in the order of the conversation; the work per fact does
 * not grow with their number.
 */
export class Transcript {
  readonly #items: TranscriptItem[] = [];
  /** Where the calls of turns that are not over stand, and which those are. */
  readonly #places = new Map<string, number>();
  readonly #callsOf = new Map<number, string[]>();
  /** Where turns begin that are not sealed: the text of their response is known only when it is complete. */
  readonly #begins = new Map<number, number>();
  readonly #live = new Map<string, Live>();
  #final = 0;
  #notices = 0;

  get items(): readonly TranscriptItem[] {
    return this.#items;
  }

  /** The number of leading items that no longer change or move: they can be printed. */
  get finalCount(): number {
    return this.#final;
  }

  /** What a call shows while it runs, which is no fact. */
  liveOf({ call }: CallItem): Live | null {
    return this.#live.get(call.request.callId) ?? null;
  }

  /** `call`: the call that the fact is about, as it was right after it. Gives the ids of items that are new or changed. */
  observe(event: Event, call: ToolCall | undefined): readonly string[] {
    const touched = this.#fold(event, call);
    this.#moveFinal();
    return touched;
  }

  /** The item that shows it; null if no such call is open. */
  observeLive(live: Live): string | null {
    const item = this.#openItem(live.callId);
    if (item === null || isSettled(item.call)) return null;
    this.#live.set(live.callId, { ...this.#live.get(live.callId), ...live });
    return item.id;
  }

  #fold(event: Event, call: ToolCall | undefined): readonly string[] {
    switch (event.type) {
      case 'message.added':
        return event.message.role === 'user'
          ? this.#add(userItem(event.message))
          : this.#addWords(event.message);
      case 'session.opened':
        return event.epoch > 1 ? this.#notice(event.at, { type: 'taken_up', mode: event.mode }) : NOTHING;
      case 'mode.changed':
        return this.#notice(event.at, { type: 'mode_changed', mode: event.mode, by: event.by });
      case 'history.compressed':
        return this.#notice(event.at, { type: 'compressed', summary: event.summary });
      case 'turn.started':
        this.#begins.set(event.turn, this.#items.length);
        this.#callsOf.set(event.turn, []);
        return NOTHING;
      case 'turn.sealed':
        this.#begins.delete(event.turn);
        return NOTHING;
      case 'turn.ended':
        for (const callId of this.#callsOf.get(event.turn) ?? []) this.#places.delete(callId);
        this.#callsOf.delete(event.turn);
        return NOTHING;
      case 'call.requested': {
        const { request } = event;
        this.#places.set(request.callId, this.#items.length);
        this.#callsOf.get(request.turn)?.push(request.callId);
        return this.#add({
          kind: 'call',
          id: `c${request.turn}.${request.index}`,
          at: request.at,
          call: call ?? { status: 'validating', request, step: 'planning' },
          title: null,
          verdict: null,
          question: null,
          permit: null,
          waitedMs: null,
          ranMs: null,
        });
      }
      case 'call.planned':
        return this.#change(event.callId, call, { title: event.plan.title, verdict: event.verdict });
      case 'call.asked':
        return this.#change(event.callId, call, { question: event.question });
      case 'call.blocked': {
        const { plan, verdict, question } = event;
        return this.#change(event.callId, call, { title: plan.title, verdict, question, permit: null });
      }
      case 'call.answered': {
        const question = this.#openItem(event.callId)?.question;
        const waitedMs = question ? event.answer.at - question.askedAt : null;
        return this.#change(event.callId, call, { waitedMs });
      }
      case 'call.granted':
        return this.#change(event.callId, call, { permit: event.permit });
      case 'call.started':
      case 'call.retried':
        this.#live.delete(event.callId);
        return this.#change(event.callId, call, {});
      case 'call.rewritten':
      case 'call.aborting':
      case 'call.finished':
        return this.#change(event.callId, call, {});
      case 'call.succeeded':
      case 'call.failed':
      case 'call.cancelled': {
        this.#live.delete(event.callId);
        const startedAt = call && 'startedAt' in call ? call.startedAt : null;
        return this.#change(event.callId, call, { ranMs: startedAt === null ? null : event.at - startedAt });
      }
      case 'call.hooked':
      case 'policy.loaded':
      case 'command.accepted':
      case 'session.deleted':
      case 'history.masked':
      case 'grant.added':
      case 'grant.revoked':
        return NOTHING;
    }
  }

  #add(item: TranscriptItem): readonly string[] {
    this.#items.push(item);
    return [item.id];
  }

  #notice(at: number, notice: Notice): readonly string[] {
    return this.#add({ kind: 'notice', id: `n${++this.#notices}`, at, notice });
  }

  #change(callId: string, call: ToolCall | undefined, changes: Partial<CallItem>): readonly string[] {
    const place = this.#places.get(callId);
    const item = this.#openItem(callId);
    if (place === undefined || item === null) return NOTHING;
    this.#items[place] = { ...item, ...changes, call: call ?? item.call };
    return [item.id];
  }

  #openItem(callId: string): CallItem | null {
    const item = this.#items[this.#places.get(callId) ?? -1];
    return item?.kind === 'call' ? item : null;
  }

  /** Its calls stand here already: words go before, between and after them, as they were said. */
  #addWords(message: Message & ModelMessage): readonly string[] {
    let place = (message.turn === null ? undefined : this.#begins.get(message.turn)) ?? this.#items.length;
    const touched: string[] = [];
    let calls = 0;
    for (const piece of piecesOf(message.parts)) {
      if (piece.as === 'call') {
        const after = this.#placeOfCall(message.turn, calls++, place);
        if (after !== null) place = after + 1;
        continue;
      }
      const id = `m${message.id}.${touched.length}`;
      const { at, model } = message;
      this.#insert(place++, { kind: piece.as, id, at, text: piece.text, model });
      touched.push(id);
    }
    return touched;
  }

  #placeOfCall(turn: number | null, index: number, from: number): number | null {
    const id = `c${turn}.${index}`;
    for (let place = from; place < this.#items.length; place++)
      if (this.#items[place]?.id === id) return place;
    return null;
  }

  /** Only what belongs to open turns stands behind it. */
  #insert(place: number, item: TranscriptItem): void {
    if (place >= this.#items.length) return void this.#items.push(item);
    this.#items.splice(place, 0, item);
    for (const [callId, at] of this.#places) if (at >= place) this.#places.set(callId, at + 1);
    for (const [turn, at] of this.#begins) if (at > place) this.#begins.set(turn, at + 1);
  }

  #moveFinal(): void {
    const end = Math.min(this.#items.length, ...this.#begins.values());
    for (; this.#final < end; this.#final++) {
      const item = this.#items[this.#final];
      if (item?.kind === 'call' && !isSettled(item.call)) return;
    }
  }
}

const NOTHING: readonly string[] = [];

const userItem = (message: Extract<Message, { role: 'user' }>): UserItem => ({
  kind: 'user',
  id: `m${message.id}`,
  at: message.at,
  text: piecesOf(message.parts)
    .flatMap((piece) => (piece.as === 'call' ? [] : [piece.text]))
    .join('\n'),
  by: message.by,
});

type Piece = { readonly as: 'call' } | { readonly as: 'text' | 'thought'; readonly text: string };

/** What came in pieces and belongs together is one. */
function piecesOf(parts: readonly MessagePart[]): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const part of parts) {
    const piece = pieceOf(part);
    const last = pieces.at(-1);
    if (piece === null) continue;
    if (piece.as !== 'call' && last?.as === piece.as)
      pieces[pieces.length - 1] = { as: piece.as, text: last.text + piece.text };
    else pieces.push(piece);
  }
  return pieces.filter((piece) => piece.as === 'call' || piece.text.trim() !== '');
}

function pieceOf(part: MessagePart): Piece | null {
  const { text, thought, functionCall } = part;
  if (functionCall !== undefined) return { as: 'call' };
  if (typeof text === 'string') return { as: thought === true ? 'thought' : 'text', text };
  const data = part['inlineData'] ?? part['fileData'];
  if (typeof data !== 'object' || data === null || !('mimeType' in data)) return null;
  return typeof data.mimeType === 'string' ? { as: 'text', text: `[${data.mimeType}]` } : null;
}
