import { setImmediate as nextRound } from 'node:timers/promises';
import { type Append, type Journal, type MemoryStore, memoryStore } from '@countersign/engine';
import type { Ack, Command, Event } from '@countersign/protocol';
import { awaitOpenTurns, type Batch } from './batches.js';
import { checkAck } from './checks/check-ack.js';
import { checkConsent } from './checks/check-consent.js';
import { checkLifecycle } from './checks/check-lifecycle.js';
import { Outside } from './checks/outside.js';
import { isWaiting, People } from './checks/people.js';
import { type Pace, Watcher } from './checks/watcher.js';
import { Consents } from './world/consents.js';
import { describeEvent } from './world/describe.js';
import { type Disk, soundDisk } from './world/failing-journal.js';
import { HeldThings } from './world/held.js';
import { History } from './world/history.js';
import type { Complain } from './world/invariants.js';
import { Life } from './world/life.js';
import { type Profile, profileOf } from './world/profile.js';
import { Promises } from './world/promises.js';
import { Random } from './world/random.js';
import type { Sabotage } from './world/sabotage.js';
import { VirtualTime } from './world/virtual-time.js';
import { World } from './world/world.js';

export const SESSION = 'simulated';

/** Often enough to be met in many ways, and seldom enough for most calls to succeed. */
const CONFINEMENT = 0.2;
const MEDDLING = 0.5;

/** Nothing was seen to happen for so many rounds of the event loop: it is settled. A chain of events skips at most one. */
const QUIET_ROUNDS = 3;
/** More rounds than any step needs: beyond this something is in a loop. */
const ROUNDS_MAX = 2_000;

/** Everything one run consists of. All of it follows from the seed. */
export class Scene {
  readonly random: Random;
  readonly profile: Profile;
  readonly time = new VirtualTime();
  readonly held = new HeldThings();
  readonly disk: Disk = soundDisk();
  readonly store: MemoryStore;
  /** A handle that never fails, for looking at what is really there. */
  readonly audit: Journal;
  readonly history: History;
  readonly world: World;
  readonly people: People;
  readonly outside: Outside;
  readonly promises: Promises;
  readonly complain: Complain;
  readonly note: (text: string) => void;
  readonly lives: Life[] = [];
  readonly watchers: Watcher[] = [];
  readonly counts = new Map<string, number>();
  readonly batches: Batch[] = [];
  /** From the end on, everything goes well. */
  isWindingUp = false;
  readonly #sabotage: Sabotage;
  readonly #consents: Consents;
  #activity = 0;

  constructor(
    seed: number,
    options: { complain: Complain; note: (text: string) => void; sabotage: Sabotage },
  ) {
    const { complain, note, sabotage } = options;
    this.random = new Random(seed);
    this.profile = profileOf(this.random);
    this.complain = complain;
    this.note = note;
    this.#sabotage = sabotage;
    const { keep, limits } = this.profile;
    this.store = memoryStore({ keep });
    this.audit = this.store.open();
    const consents = new Consents(sabotage.consent);
    this.#consents = consents;
    this.history = new History(SESSION, complain, [
      checkLifecycle(complain, { ...limits, listensTo: this.profile.listensTo }),
      (history, event) => checkConsent(complain, consents, this.world.hooks)(history, event),
      (history, event) => {
        const facts = 'callId' in event ? history.open.get(event.callId) : undefined;
        if (!facts) return;
        if (
          event.type === 'call.succeeded' ||
          event.type === 'call.failed' ||
          event.type === 'call.cancelled'
        ) {
          this.world.checkEnd(facts, event);
        }
      },
    ]);
    this.world = new World(() => this.history, limits.runningMax, complain);
    this.people = new People(this.random, consents);
    this.outside = new Outside(this.store.open(), this.history, complain);
    this.promises = new Promises(() => this.active());
  }

  readonly active = (): void => {
    this.#activity++;
  };

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  /** The process that should be working on the session. */
  get life(): Life | undefined {
    const last = this.lives.at(-1);
    return last && last.state !== 'dead' && last.state !== 'over' && last.state !== 'lost' ? last : undefined;
  }

  /** Wait until nothing happens any more without the simulator's doing. */
  async rest(): Promise<void> {
    let quiet = 0;
    for (let round = 0; quiet < QUIET_ROUNDS; round++) {
      if (round > ROUNDS_MAX)
        return this.complain('rest', `after ${ROUNDS_MAX} rounds it still does not settle`);
      const before = this.#activity;
      await nextRound();
      quiet = this.#activity === before ? quiet + 1 : 0;
    }
    for (const life of this.lives) life.notice();
  }

  /** A process resumes the session; after a failed try the same one tries again. */
  openLife(): void {
    const last = this.life;
    const life = last?.state === 'unopened' ? last : this.#newLife();
    this.note(`life ${life.id} opens the session`);
    const opening = life.open().then((failure) => {
      this.note(`life ${life.id}: ${failure ? `could not open: ${failure.code}` : 'open'}`);
      if (!failure) return awaitOpenTurns(this, life);
      if (failure.code === 'session_owned')
        this.complain('ownership', 'nobody works on it, yet it cannot be opened');
      if (failure.code === 'internal') this.complain('faults', failure.message);
    });
    this.promises.track(life.id, 'openSession', opening);
  }

  #newLife(): Life {
    const { profile, world, held, random, disk, note, complain } = this;
    const life = new Life(this.lives.length + 1, this.store.open(), {
      sessionId: SESSION,
      profile,
      world,
      held,
      random,
      disk,
      note,
      complain,
      time: this.time.share(),
      sabotage: this.#sabotage,
      mischief: () => (this.isWindingUp ? 0 : profile.mischief),
      confinement: () => (this.isWindingUp || !profile.trouble.sandbox ? 0 : CONFINEMENT),
      meddling: () => (this.isWindingUp ? 0 : MEDDLING),
      argsFor: (spec) => this.people.argsFor(spec),
      active: this.active,
      heard: (callId, outcome) => {
        this.count('a tool hears the answer');
        if (!this.#consents.wasSaid(callId, outcome))
          complain('consent', `nobody said ${outcome} to ${callId}`);
      },
      wrote: (writer, append) => this.#wrote(writer, append),
      lastMoment: (append) => this.#interfere(append),
      refused: (code) => {
        note(`append refused: ${code}`);
        this.count(`append refused: ${code}`);
      },
    });
    this.lives.push(life);
    this.count('lives');
    return life;
  }

  #wrote(life: Life, { events, consumed, sync }: Append): void {
    for (const event of events) {
      if (sync !== 'full' && this.#mustOutliveAPowerCut(event)) {
        this.complain('durable', `${describeEvent(event)} was written without being synced`);
      }
      this.note(`fact ${this.history.events.length}: ${describeEvent(event)}`);
      this.count(event.type === 'call.failed' ? `call.failed ${event.failure.code}` : event.type);
      if (event.type === 'call.granted') this.count(`granted by ${event.permit.by.type}`);
      if (event.type === 'call.requested' && event.request.followUp) this.count('a call follows');
      if (event.type === 'session.opened') life.tookUp(event.epoch, this.history.events.length);
      this.history.record([event], []);
    }
    this.history.record(
      [],
      consumed.map(({ inboxId }) => inboxId),
    );
  }

  /** The last use of a grant is taken, or the grant revoked, between deciding and writing. */
  async #interfere({ claims }: Append): Promise<void> {
    const { random, profile, outside } = this;
    const grantId = random.pick(claims);
    if (grantId === undefined || !profile.trouble.rivals || this.isWindingUp || !random.chance(0.4)) return;
    if (random.chance(0.3)) await outside.revoke(grantId);
    else while (random.chance(0.8) && (await outside.takeUse(grantId)));
  }

  #mustOutliveAPowerCut(event: Event): boolean {
    if (event.type === 'call.started') return this.history.open.get(event.callId)?.spec?.repeat !== 'safe';
    return event.type === 'call.answered' || event.type === 'grant.added' || event.type === 'grant.revoked';
  }

  async crash(life: Life): Promise<void> {
    this.note(`life ${life.id} is killed`);
    this.held.dropLife(life.id);
    this.promises.dropLife(life.id);
    await life.die();
  }

  /** Send a command through a session in this process, and hold its acknowledgement to account. */
  send(life: Life, command: Command): void {
    const { session } = life;
    if (!session) return;
    const asked = command.type === 'answer' ? this.history.open.get(command.callId) : undefined;
    const first = asked?.answer;
    const blocks = asked?.blocks;
    const acked = session.send(command).then((ack) => {
      this.acknowledged(command, ack);
      // Where the sandbox has asked since, that answer is one to an older question.
      const shouldKnow = life.status() === 'alive' && !asked?.turn.ended && asked?.blocks === blocks;
      if (first && shouldKnow && !ack.ok && ack.failure.code === 'not_waiting') {
        this.complain('acks', `${first.by} was first, and a later answer got only "not waiting"`);
      }
    });
    this.promises.track(life.id, `send ${command.type}`, acked);
  }

  acknowledged(command: Command, ack: Ack): void {
    const outcome = ack.ok ? (ack.repeated ? 'said before' : 'ok') : ack.failure.code;
    this.note(`ack of ${command.type}${'callId' in command ? ` ${command.callId}` : ''}: ${outcome}`);
    this.count(`ack ${command.type} ${outcome}`);
    checkAck(command, ack, this.history, this.complain);
  }

  addWatcher(pace: Pace, from: number, answersAtOnce: boolean): void {
    const { history, held, complain, active } = this;
    const onEvent = (event: Event) => {
      if (answersAtOnce && (event.type === 'call.asked' || event.type === 'call.blocked'))
        this.#answerAtOnce(event.callId);
    };
    const keepsAll = this.profile.keep === 'all';
    this.watchers.push(new Watcher(pace, from, { history, held, keepsAll, complain, active, onEvent }));
    this.attachWatchers();
  }

  /** Clients reconnect automatically, to the current owner of the session. */
  attachWatchers(): void {
    const { life } = this;
    const client = life?.state === 'alive' ? life.session : null;
    if (!life || !client) return;
    for (const watcher of this.watchers) {
      const isAttached = watcher.state === 'following' && watcher.followed?.id === life.id;
      if (isAttached) continue;
      watcher.follow({ id: life.id, client: this.#sabotage.client(client), feedFrom: () => life.feedFrom });
    }
  }

  #answerAtOnce(callId: string): void {
    const { life } = this;
    const seen = this.history.questions.findLast(({ facts }) => facts.request.callId === callId);
    if (!life || !seen || !isWaiting(seen)) return;
    this.count('answers in the tick of the question');
    this.send(life, this.people.answer(seen));
  }
}
