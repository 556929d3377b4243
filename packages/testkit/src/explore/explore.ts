import type { Effect, Input, Session } from '@countersign/kernel';
import type { Event, EventType, FailureCode, Status } from '@countersign/protocol';
import { Progress } from './progress.js';
import { StateKeys } from './state-keys.js';
import { stimuliAt } from './stimuli.js';
import { storyOf } from './story.js';
import { after, afterOutside, type Taken, take } from './take.js';
import { watch } from './watch/watch.js';
import { watchReply } from './watch/watch-reply.js';
import type { Kernel } from './world/kernel.js';
import { beginning, circumstancesOf, type Moment, type Stimulus } from './world/moment.js';
import { type Finding, Findings, type Property } from './world/properties.js';
import { isOver } from './world/seen.js';
import type { World } from './world/world.js';

export type Violation = Finding & {
  /** The shortest way there: each input with the facts that followed. */
  readonly path: readonly string[];
};

export type Exploration = {
  readonly states: number;
  readonly transitions: number;
  /** The shortest way to break each property that can be broken. */
  readonly violations: readonly Violation[];
  /** How often each property was at stake. */
  readonly checked: ReadonlyMap<Property, number>;
  readonly moves: ReadonlySet<Move>;
  readonly events: ReadonlySet<EventType>;
  /** Codes of refusals, and of failures that the kernel recorded. */
  readonly codes: ReadonlySet<FailureCode>;
};

export type Move = `${Status | 'new'} → ${Status}`;

export type ExploreOptions = {
  /** 'first': stop at the first property broken, as when looking for a planted fault. */
  readonly until?: 'all' | 'first';
  /** A world with more states than this has no bound: something is counted that should not be. */
  readonly statesMax?: number;
  /** Every n-th state is folded again from its facts. */
  readonly refoldEvery?: number;
};

/** Some times what the largest world has. */
const STATES_MAX = 60_000;

/** Go through every state that a world can get into, with everything that can happen in it. */
export function explore(world: World, kernel: Kernel, options: ExploreOptions = {}): Exploration {
  return new Explorer(world, kernel, options).run();
}

/** How a state was reached for the first time, which is by a shortest way. */
type Arrival = { readonly from: number; readonly stimulus: Stimulus; readonly events: readonly Event[] };
type Found = { readonly state: number; readonly moment: Moment };

class Explorer {
  readonly #world: World;
  readonly #kernel: Kernel;
  readonly #options: Required<ExploreOptions>;
  readonly #keys = new StateKeys();
  readonly #states = new Map<string, number>();
  readonly #arrivals: (Arrival | null)[] = [];
  readonly #progress = new Progress();
  readonly #findings = new Findings();
  readonly #violations = new Map<Property, Violation>();
  readonly #moves = new Set<Move>();
  readonly #events = new Set<EventType>();
  readonly #codes = new Set<FailureCode>();
  #transitions = 0;

  constructor(world: World, kernel: Kernel, options: ExploreOptions) {
    this.#world = world;
    this.#kernel = kernel;
    this.#options = { until: 'all', statesMax: STATES_MAX, refoldEvery: 1, ...options };
  }

  run(): Exploration {
    const start = this.#arrive(beginning(this.#world, this.#kernel), null);
    let frontier = start ? [start] : [];
    while (frontier.length > 0) frontier = this.#expand(frontier);
    if (!this.#isDone()) this.#checkProgress();
    return {
      states: this.#states.size,
      transitions: this.#transitions,
      violations: [...this.#violations.values()],
      checked: this.#findings.checked,
      moves: this.#moves,
      events: this.#events,
      codes: this.#codes,
    };
  }

  #expand(frontier: readonly Found[]): Found[] {
    const next: Found[] = [];
    for (const found of frontier) {
      for (const stimulus of stimuliAt(this.#world, found.moment)) {
        this.#transitions++;
        const reached = this.#happen(found, stimulus);
        if (reached) next.push(reached);
        this.#note(found.state, stimulus);
        if (this.#isDone()) return [];
      }
    }
    return next;
  }

  /** Let something happen. Gives the state it leads to, if nobody had been there before. */
  #happen({ state, moment }: Found, stimulus: Stimulus): Found | null {
    const { input } = stimulus;
    if (input === 'commit' || 'rules' in input)
      return this.#arrive(afterOutside(moment, input), { from: state, stimulus, events: [] });
    const taken = this.#take(moment, input);
    if (taken === null) {
      this.#findings.hold('reports', !stimulus.fair, () => 'a required report was ignored');
      return null;
    }
    this.#collect(moment, taken);
    watchReply(moment, input, taken.reply, taken.facts.length, this.#findings);
    const seen = watch({ ...taken, world: this.#world, before: moment.seen, input }, this.#findings);
    this.#checkSettled(moment.session, taken.session);
    this.#checkWork(moment.work, input, taken);
    const events = taken.facts.map(({ event }) => event);
    return this.#arrive(after(this.#world, taken, seen), { from: state, stimulus, events });
  }

  /** Null if nothing follows, as for most hostile inputs: found without a copy of the state. */
  #take(moment: Moment, input: Input): Taken | null {
    const circumstances = circumstancesOf(this.#world, this.#kernel, moment);
    const decision = this.#ask(() => this.#kernel.decide(moment.session, input, circumstances));
    if (!decision) return null;
    const { events, refusal, repeated = false } = decision;
    if (events.length > 0) return this.#ask(() => take(this.#world, this.#kernel, moment, input));
    if (refusal) this.#codes.add(refusal.code);
    watchReply(moment, input, { refusal, repeated }, 0, this.#findings);
    return null;
  }

  /** The kernel throws only if it finds itself where it cannot be. */
  #ask<T>(question: () => T): T | null {
    try {
      const answer = question();
      this.#findings.hold('sound', true, () => '');
      return answer;
    } catch (thrown) {
      this.#findings.hold('sound', false, () => String(thrown));
      return null;
    }
  }

  #collect({ session }: Moment, { facts, reply }: Taken): void {
    const latest = new Map<string, Status>();
    for (const { event, status } of facts) {
      this.#events.add(event.type);
      if ('failure' in event) this.#codes.add(event.failure.code);
      if (!('callId' in event || 'request' in event) || status === null) continue;
      const id = 'request' in event ? event.request.callId : event.callId;
      this.#moves.add(`${latest.get(id) ?? session.calls.get(id)?.status ?? 'new'} → ${status}`);
      latest.set(id, status);
    }
    if (reply.refusal) this.#codes.add(reply.refusal.code);
  }

  #arrive(moment: Moment, arrival: Arrival | null): Found | null {
    const key = this.#keys.keyOf(moment);
    const known = this.#states.get(key);
    const state = known ?? this.#states.size;
    if (arrival?.stimulus.fair) this.#progress.addStep(arrival.from, state);
    if (known !== undefined) return null;
    this.#states.set(key, state);
    this.#arrivals.push(arrival);
    if (moment.session.turns.length === 0) this.#progress.addEnd(state);
    this.#checkNew(state, moment);
    return { state, moment };
  }

  /** A settled call is not replaced by another, not even by an equal one. */
  #checkSettled(before: Session, now: Session): void {
    for (const [id, call] of before.calls) {
      if (!isOver(call) || !now.calls.has(id)) continue;
      this.#findings.hold(
        'settled',
        now.calls.get(id) === call,
        () => `${id} was ${call.status} and changed`,
      );
    }
  }

  /** The shell looks only at calls that were touched. It must not miss anything by that. */
  #checkWork(before: readonly Effect[], input: Input, { session, touched, work, reply }: Taken): void {
    const jobs = new Map<string, Effect>();
    // Who may not resume the session leaves everything as it was.
    const isTakenUp = input.type === 'open' && reply.refusal === null;
    if (!isTakenUp) for (const effect of before) jobs.set(effect.callId, effect);
    for (const id of touched) {
      const call = session.calls.get(id);
      const effect = call ? this.#kernel.effectOf(session, call) : null;
      if (effect) jobs.set(id, effect);
      else jobs.delete(id);
    }
    const ids = new Set(work.map(({ callId }) => callId));
    this.#findings.hold('effects', ids.size === work.length, () => inWords(work));
    const underWay = inWords([...jobs.values()]);
    this.#findings.hold(
      'reconcile',
      underWay === inWords(work),
      () => `at work ${underWay}, wanted ${inWords(work)}`,
    );
  }

  #checkNew(state: number, { session, work, seen }: Moment): void {
    if (session.turns.length > 0) {
      const asked = [...seen.calls.values()].some(({ shown }) => shown !== null);
      this.#findings.hold(
        'stuck',
        work.length > 0 || asked || seen.stream !== null,
        () => 'nothing is under way and nobody is asked',
      );
    }
    const { statesMax, refoldEvery } = this.#options;
    this.#findings.hold('finite', state < statesMax, () => `more than ${statesMax} states`);
    if (state % refoldEvery === 0) this.#checkRefold(state, session);
  }

  /** What the journal holds is all there is after a restart. */
  #checkRefold(state: number, session: Session): void {
    const again = this.#ask(() => this.#refold(session.id, this.#wayTo(state)));
    if (!again) return;
    const same = this.#keys.sessionKey(again) === this.#keys.sessionKey(session);
    this.#findings.hold('refold', same, () => 'the fold of the facts is another state');
  }

  #refold(id: string, way: readonly Arrival[]): Session {
    const session = this.#kernel.emptySession(id);
    for (const event of way.flatMap(({ events }) => events)) {
      this.#kernel.evolve(session, JSON.parse(JSON.stringify(event)) as Event);
    }
    return session;
  }

  #checkProgress(): void {
    const endless = this.#progress.firstEndless(this.#states.size);
    this.#findings.hold('ends', endless === null, () => 'from here on it may go on for ever');
    this.#note(endless ?? 0, null);
  }

  /** Write down what did not hold, with the way there. */
  #note(state: number, last: Stimulus | null): void {
    for (const finding of this.#findings.take()) {
      if (this.#violations.has(finding.property)) continue;
      const stimuli = [...this.#wayTo(state).map(({ stimulus }) => stimulus), ...(last ? [last] : [])];
      this.#violations.set(finding.property, {
        ...finding,
        path: storyOf(this.#world, this.#kernel, stimuli),
      });
    }
  }

  #wayTo(state: number): Arrival[] {
    const way: Arrival[] = [];
    for (let at = this.#arrivals[state]; at; at = this.#arrivals[at.from]) way.push(at);
    return way.reverse();
  }

  #isDone(): boolean {
    const { until } = this.#options;
    return this.#violations.has('finite') || (until === 'first' && this.#violations.size > 0);
  }
}

const inWords = (effects: readonly Effect[]): string =>
  effects
    .map(
      (effect) =>
        `${effect.do} ${effect.turn}:${effect.callId} ${effect.stamp}${'stop' in effect && effect.stop ? ' stop' : ''}${'resume' in effect && effect.resume ? ' again' : ''}`,
    )
    .toSorted()
    .join(', ');
