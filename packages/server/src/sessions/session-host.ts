import { RemoteClient } from '@countersign/attach';
import type { Deletion, SessionShell } from '@countersign/engine';
import type { Ack, ApprovalMode, Command, CommandIdentity, Failure } from '@countersign/protocol';
import { Refusal } from '../contract/problems.js';
import type { SharedStore } from '../store/shared-store.js';
import { AgentWork } from './agent-work.js';
import type { LeaveReason, OpenRequest, ServerPorts } from './ports.js';
import { requireSession } from './require-session.js';

export type HostPorts = Pick<ServerPorts, 'journal' | 'openSession' | 'endCommands' | 'now' | 'onTrouble'>;
export type HostLimits = { readonly idleSessionMs: number; readonly ownerTimeoutMs: number };

export type NewSession = {
  readonly sessionId: string;
  readonly workspace: string;
  readonly mode?: ApprovalMode;
  readonly identity?: CommandIdentity;
};

/** A session that this process works on. */
export type Held = {
  readonly session: SessionShell;
  readonly work: AgentWork;
  readonly leave: (reason: LeaveReason) => Promise<unknown>;
};
type Use = {
  readonly here: (held: Held) => Promise<Ack>;
  readonly elsewhere: Command;
  readonly gone?: AbortSignal;
};
type Opened = { readonly ok: true; readonly held: Held } | { readonly ok: false; readonly failure: Failure };

type Place = {
  readonly opened: Promise<Opened>;
  held: Held | null;
  /** Set while it is being left; requests for it wait, and resume it. */
  leaving: Promise<void> | null;
  uses: number;
  usedAt: number;
};

/** The owner may change between lookup and command; more often than this is an error. */
const ROUNDS_MAX = 5;

/**
 * The sessions of this process: resumed at the first request for
 * them, kept while they are used or have something open, and left afterwards.
 */
export class SessionHost {
  readonly #ports: HostPorts;
  readonly #store: SharedStore;
  readonly #limits: HostLimits;
  readonly #places = new Map<string, Place>();
  /** Resolve when the deletion has ended, either way. */
  readonly #deleting = new Map<string, Promise<void>>();
  readonly #sweep: NodeJS.Timeout;
  #isClosing = false;

  constructor(ports: HostPorts, store: SharedStore, limits: HostLimits) {
    this.#ports = ports;
    this.#store = store;
    this.#limits = limits;
    this.#sweep = setInterval(() => this.#leaveIdle(), limits.idleSessionMs / 4);
    this.#sweep.unref();
  }

  /** The session if it is open here; it is not resumed. */
  held(sessionId: string): Held | null {
    const held = this.#places.get(sessionId)?.held ?? null;
    return held?.session.ended === null ? held : null;
  }

  get openCount(): number {
    return this.#places.size;
  }

  async create(request: NewSession): Promise<void> {
    const { sessionId } = request;
    const isKnown = (await this.#ports.journal.session(sessionId)) !== null || this.#places.has(sessionId);
    if (isKnown) throw new Refusal({ code: 'session_exists', sessionId });
    const begun = await this.#hold(
      request.sessionId,
      async () => ({ ...request, session: 'new' }),
      async () => undefined,
    );
    if (!begun.ok) throw new Refusal(begun.failure);
  }

  /** Resumes a session, so that its open calls continue; does nothing if another process owns it. */
  async resume(sessionId: string, model: 'continues' | 'rests' = 'continues'): Promise<void> {
    const taken = await this.#hold(
      sessionId,
      () => this.#known(sessionId),
      async ({ work }) => {
        if (model === 'continues') work.continueUnanswered();
      },
    );
    if (!taken.ok && taken.failure.code !== 'session_owned') throw new Refusal(taken.failure);
  }

  /**
   * A command to the owner of the session: this process, if it has none. Throws a `Refusal`. `gone`: the client has
   * disconnected; a command that was not carried out by then is withdrawn.
   */
  send(sessionId: string, command: Command, gone?: AbortSignal): Promise<Extract<Ack, { ok: true }>> {
    const here = ({ session }: Held) => session.send(command, gone);
    return this.use(sessionId, { here, elsewhere: command, ...(gone && { gone }) });
  }

  /** The same, for work that is more than a command when the session is ours. */
  async use(sessionId: string, { here, elsewhere, gone }: Use): Promise<Extract<Ack, { ok: true }>> {
    for (let round = 1; ; round++) {
      const taken = await this.#hold(sessionId, () => this.#known(sessionId), here);
      const isElsewhere = !taken.ok && taken.failure.code === 'session_owned';
      const ack = isElsewhere
        ? await this.#askOwner(sessionId, elsewhere, gone)
        : taken.ok
          ? taken.value
          : taken;
      if (ack.ok) return ack;
      if (!OWNER_CHANGED.includes(ack.failure.code) || round >= ROUNDS_MAX) throw new Refusal(ack.failure);
    }
  }

  /**
   * Stops running calls, also commands that a dead process left running. Refused while another process owns the session.
   * Requests for it wait, and then find none.
   */
  async delete(sessionId: string, deletion: Deletion): Promise<void> {
    while (this.#deleting.has(sessionId)) await this.#deleting.get(sessionId);
    const deleting = this.#delete(sessionId, deletion);
    const over = deleting.then(
      () => undefined,
      () => undefined,
    );
    this.#deleting.set(sessionId, over);
    try {
      await deleting;
    } finally {
      this.#deleting.delete(sessionId);
    }
  }

  async #delete(sessionId: string, deletion: Deletion): Promise<void> {
    const place = this.#places.get(sessionId);
    if (place) await this.#leave(sessionId, place, 'exit');
    const refused = await this.#ports.endCommands(sessionId);
    if (refused) throw new Refusal(refused);
    const deleted = await this.#ports.journal.delete(sessionId, deletion);
    if (!deleted.ok) throw new Refusal(deleted.failure);
  }

  /** The server is to stop: no session is opened and no model is asked from now on. */
  prepareToClose(): void {
    this.#isClosing = true;
    for (const { held } of this.#places.values()) held?.work.prepareToLeave();
  }

  async close(): Promise<void> {
    this.prepareToClose();
    clearInterval(this.#sweep);
    await Promise.all(
      Array.from(this.#places, ([sessionId, place]) => this.#leave(sessionId, place, 'exit')),
    );
  }

  /** A command that the owner does not accept in time, or before its sender disconnects, is withdrawn. */
  async #askOwner(sessionId: string, command: Command, gone: AbortSignal | undefined): Promise<Ack> {
    const { ownerTimeoutMs } = this.#limits;
    const silent = AbortSignal.timeout(ownerTimeoutMs);
    const signal = gone ? AbortSignal.any([gone, silent]) : silent;
    const ack = await new RemoteClient(this.#ports.journal, sessionId).send(command, signal);
    if (ack.ok || ack.failure.code !== 'given_up' || gone?.aborted) return ack;
    throw new Refusal({ code: 'owner_silent', pid: ack.failure.pid, afterMs: ownerTimeoutMs });
  }

  async #known(sessionId: string): Promise<SessionRequest> {
    const { workspace } = await requireSession(this.#ports.journal, sessionId);
    return { sessionId, workspace, session: 'known' };
  }

  /** Works with a session of ours, which is not left meanwhile. */
  async #hold<T>(
    sessionId: string,
    request: () => Promise<SessionRequest>,
    work: (held: Held) => Promise<T>,
  ): Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }> {
    const place = await this.#place(sessionId, request);
    place.uses++;
    try {
      const opened = await place.opened;
      return opened.ok ? { ok: true, value: await work(opened.held) } : opened;
    } finally {
      place.uses--;
      place.usedAt = this.#ports.now();
    }
  }

  async #place(sessionId: string, request: () => Promise<SessionRequest>): Promise<Place> {
    for (;;) {
      if (this.#isClosing) throw new Refusal({ code: 'shutting_down' });
      const deleting = this.#deleting.get(sessionId);
      if (deleting) {
        await deleting;
        continue;
      }
      const place = this.#places.get(sessionId);
      if (!place) return this.#open(sessionId, request);
      // Another process took it over, or it failed: its remains are closed first.
      if (place.held && place.held.session.ended !== null) await this.#leave(sessionId, place, 'other');
      else if (place.leaving) await place.leaving;
      else return place;
    }
  }

  #open(sessionId: string, request: () => Promise<SessionRequest>): Place {
    const opened = this.#openAs(request);
    const place: Place = { opened, held: null, leaving: null, uses: 0, usedAt: this.#ports.now() };
    this.#places.set(sessionId, place);
    const forget = () => {
      if (this.#places.get(sessionId) === place) this.#places.delete(sessionId);
    };
    opened.then((result) => {
      if (!result.ok) return forget();
      place.held = result.held;
      if (this.#isClosing) result.held.work.prepareToLeave();
    }, forget);
    return place;
  }

  async #openAs(request: () => Promise<SessionRequest>): Promise<Opened> {
    const requested = await request();
    const journal = this.#store.handle();
    const opening = await this.#ports
      .openSession({ ...requested, journal })
      .catch(async (thrown: unknown) => {
        await journal.close();
        throw thrown;
      });
    if (!opening.ok) {
      await journal.close();
      return opening;
    }
    const { opened } = opening;
    const work = new AgentWork(opened, this.#ports.onTrouble);
    const leave = async (reason: LeaveReason) => {
      await work.leave(reason);
      await journal.close();
    };
    return { ok: true, held: { session: opened.live.session, work, leave } };
  }

  #leaveIdle(): void {
    const before = this.#ports.now() - this.#limits.idleSessionMs;
    for (const [sessionId, place] of this.#places) {
      const { held, uses, usedAt } = place;
      if (!held || uses > 0 || usedAt > before || held.work.isWorking) continue;
      if (held.session.openTurns.length === 0) void this.#leave(sessionId, place, 'other');
    }
  }

  #leave(sessionId: string, place: Place, reason: LeaveReason): Promise<void> {
    place.leaving ??= place.opened
      .then((opened) => (opened.ok ? opened.held.leave(reason) : undefined))
      .catch((thrown: unknown) => this.#ports.onTrouble(`Leaving ${sessionId}: ${String(thrown)}`))
      .then(() => {
        if (this.#places.get(sessionId) === place) this.#places.delete(sessionId);
      });
    return place.leaving;
  }
}

type SessionRequest = Omit<OpenRequest, 'journal'>;

/** Failures of a session whose owner changed during the command. */
const OWNER_CHANGED: readonly string[] = ['session_idle', 'session_owned', 'disposed', 'owner_lost'];
