import { emptySession, evolve, type Session } from '@countersign/kernel';
import type {
  Answer,
  ApprovalMode,
  CallEvent,
  CallRequest,
  Event,
  EventOf,
  Grant,
  HookAdvice,
  JsonObject,
  Permit,
  Plan,
  Question,
  StartRule,
} from '@countersign/protocol';
import type { Complain } from './invariants.js';
import { SPECS, type Spec } from './tool-specs.js';

export type EndEvent = EventOf<'call.succeeded' | 'call.failed' | 'call.cancelled'>;

/** One call as the facts tell it, kept forever. */
export type CallFacts = {
  readonly spec: Spec | undefined;
  readonly request: CallRequest;
  readonly turn: TurnFacts;
  /** The number of the fact that it was asked for. */
  readonly seq: number;
  args: JsonObject;
  plan: Plan | null;
  /** What hooks say of it, as it was written down. */
  advice: HookAdvice['decision'] | null;
  /** A person changed what it touches, so that it lost its place. */
  rewritten: boolean;
  question: Question | null;
  answer: Answer | null;
  permit: Permit | null;
  /** For each attempt, the life in which its start was written. */
  readonly attempts: number[];
  /** How often it was permitted: once, and once more after each time the sandbox stopped it. */
  permits: number;
  /** In which life of the session it was last granted. */
  permittedIn: number;
  /** How often the sandbox stopped it. */
  blocks: number;
  /** Its start was written, and no end of that run. */
  isStarted: boolean;
  /** Its tool has finished, and hooks check its result. */
  isLookedAt: boolean;
  /** Whether the latest attempt waits before it begins. */
  backsOff: boolean;
  aborting: boolean;
  end: EndEvent | null;
};

export type TurnFacts = {
  readonly turn: number;
  readonly start: StartRule;
  readonly attended: boolean;
  readonly calls: CallFacts[];
  ended: boolean;
};

export type GrantFacts = { readonly grant: Grant; taken: number; revoked: boolean };

/** Looks at each fact just before it is added. */
export type EventCheck = (history: History, event: Event) => void;

/** All that was ever written for the session, in order, whatever the journal has dropped since. */
export class History {
  readonly events: Event[] = [];
  readonly calls: CallFacts[] = [];
  readonly turns: TurnFacts[] = [];
  readonly grants = new Map<string, GrantFacts>();
  /** Calls that were asked about, with what was shown; the same call may be here several times. */
  readonly questions: { readonly facts: CallFacts; readonly question: Question }[] = [];
  /** The calls of open turns by id. */
  readonly open = new Map<string, CallFacts>();
  readonly consumed = new Map<number, number>();
  readonly sessionId: string;
  mode: ApprovalMode = 'manual';
  epoch = 0;
  /** The same facts folded one by one as they were written. */
  readonly folded: Session;
  readonly #permitted = new Map<string, CallFacts>();
  readonly #complain: Complain;
  readonly #checks: readonly EventCheck[];

  constructor(sessionId: string, complain: Complain, checks: readonly EventCheck[]) {
    this.sessionId = sessionId;
    this.folded = emptySession(sessionId);
    this.#complain = complain;
    this.#checks = checks;
  }

  record(events: readonly Event[], inboxIds: readonly number[]): void {
    for (const event of events) {
      for (const check of this.#checks) check(this, event);
      this.#apply(event);
      this.events.push(event);
      this.#fold(event);
    }
    for (const id of inboxIds) this.consumed.set(id, (this.consumed.get(id) ?? 0) + 1);
  }

  get openTurns(): readonly TurnFacts[] {
    return this.turns.filter(({ ended }) => !ended);
  }

  /** The call that holds a permit for exactly this digest. */
  permitted(digest: string): CallFacts | undefined {
    return this.#permitted.get(digest);
  }

  /** The call that had this id when the session had `seq` facts. */
  callAt(callId: string, seq: number): CallFacts | undefined {
    return this.calls.findLast((facts) => facts.request.callId === callId && facts.seq < seq);
  }

  /** Whether a journal that keeps only open turns may have dropped the fact. */
  mayBeDropped(seq: number): boolean {
    const event = this.events[seq];
    if (!event) return false;
    if ('turn' in event) return this.#turn(event.turn)?.ended ?? false;
    if (event.type === 'call.requested') return this.#turn(event.request.turn)?.ended ?? false;
    if (!event.type.startsWith('call.') || !('callId' in event)) return false;
    return this.callAt(event.callId, seq)?.turn.ended ?? false;
  }

  #turn(turn: number): TurnFacts | undefined {
    return this.turns.find((other) => other.turn === turn);
  }

  #apply(event: Event): void {
    switch (event.type) {
      case 'session.opened':
        this.epoch = event.epoch;
        this.mode = event.mode;
        return;
      case 'mode.changed':
        this.mode = event.mode;
        return;
      case 'turn.started': {
        const { turn, start, attended } = event;
        this.turns.push({ turn, start, attended: attended === 'somebody', calls: [], ended: false });
        return;
      }
      case 'turn.ended': {
        const turn = this.#turn(event.turn);
        if (!turn) return;
        turn.ended = true;
        for (const { request } of turn.calls) this.open.delete(request.callId);
        return;
      }
      case 'grant.added':
        this.grants.set(event.grant.id, { grant: event.grant, taken: 0, revoked: false });
        return;
      case 'grant.revoked': {
        const grant = this.grants.get(event.grantId);
        if (grant) grant.revoked = true;
        return;
      }
      case 'call.requested':
        this.#add(event.request);
        return;
      case 'policy.loaded':
      case 'turn.sealed':
      case 'message.added':
      case 'history.compressed':
      case 'history.masked':
      case 'command.accepted':
      case 'session.deleted':
        return;
      default: {
        const facts = this.open.get(event.callId);
        if (facts) this.#applyToCall(facts, event);
      }
    }
  }

  #add(request: CallRequest): void {
    const turn = this.#turn(request.turn);
    if (!turn) return;
    const facts: CallFacts = {
      spec: SPECS.find(({ name }) => name === request.name),
      request,
      turn,
      seq: this.events.length,
      args: request.args,
      plan: null,
      advice: null,
      rewritten: false,
      question: null,
      answer: null,
      permit: null,
      attempts: [],
      permits: 0,
      permittedIn: 0,
      blocks: 0,
      isStarted: false,
      isLookedAt: false,
      backsOff: false,
      aborting: false,
      end: null,
    };
    turn.calls.push(facts);
    this.calls.push(facts);
    this.open.set(request.callId, facts);
  }

  #applyToCall(facts: CallFacts, event: CallEvent): void {
    switch (event.type) {
      case 'call.planned':
        facts.plan = event.plan;
        // The resuming process asks about what was granted before.
        facts.permit = null;
        facts.advice = event.advice?.decision ?? null;
        return;
      case 'call.hooked':
        return;
      case 'call.finished':
        facts.isLookedAt = true;
        return;
      case 'call.blocked': {
        const { plan, question } = event;
        const anew = { permit: null, answer: null, advice: null, isStarted: false };
        Object.assign(facts, { plan, question, ...anew, blocks: facts.blocks + 1 });
        this.questions.push({ facts, question });
        return;
      }
      case 'call.asked':
        facts.question = event.question;
        this.questions.push({ facts, question: event.question });
        return;
      case 'call.answered':
        facts.answer = event.answer;
        return;
      case 'call.rewritten':
        facts.args = event.args;
        facts.rewritten ||= !event.by.startsWith('hook ');
        facts.question = null;
        return;
      case 'call.granted': {
        facts.permit = event.permit;
        facts.permittedIn = this.epoch;
        facts.permits++;
        this.#permitted.set(event.permit.digest, facts);
        const { by } = event.permit;
        const grant = by.type === 'grant' ? this.grants.get(by.grantId) : undefined;
        if (grant) grant.taken++;
        return;
      }
      case 'call.started':
      case 'call.retried':
        facts.attempts.push(event.epoch);
        facts.isStarted = true;
        facts.backsOff = event.type === 'call.retried' && event.delayMs > 0;
        return;
      case 'call.aborting':
        facts.aborting = true;
        return;
      case 'call.succeeded':
      case 'call.failed':
      case 'call.cancelled':
        facts.end = event;
    }
  }

  #fold(event: Event): void {
    try {
      evolve(this.folded, event);
    } catch (thrown) {
      this.#complain('fold', `${event.type} cannot be folded in: ${String(thrown)}`);
    }
    this.folded.touched = [];
    this.folded.added.length = 0;
    this.folded.claims.length = 0;
  }
}
