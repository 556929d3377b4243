import { type Effect, effectOf, type Session } from '@countersign/kernel';
import type { ToolCall } from '@countersign/protocol';
import { startHooks } from './after-hooks.js';
import { type Job, startPlanning, startRunning, type WorkOptions } from './work.js';

/**
 * Keeps the work that is under way equal to the work that the state wants.
 *
 * A job stays on the books until the state no longer wants it, not until it
 * reports: between its report and the fact being written, the state still says
 * "running", and a reader that finds no job would start it again.
 */
export class Workers {
  readonly #options: WorkOptions;
  readonly #work: WorkOptions;
  readonly #jobs = new Map<string, Job>();
  #planning = 0;
  #toPlan: string[] = [];
  #nextToPlan = 0;
  #choosing = false;
  #session: Session | null = null;

  constructor(options: WorkOptions) {
    this.#options = options;
    this.#work = {
      ...options,
      planned: (request, planned) => {
        this.#planning--;
        options.planned(request, planned);
        this.#planMore();
      },
    };
  }

  /** Look at the calls that changed. `session.touched` is emptied. */
  reconcile(session: Session): void {
    this.#session = session;
    // Each call once, by its latest change, so that work begins in the order it was decided.
    const latest = [...new Set(session.touched.reverse())].reverse();
    session.touched = [];
    for (const id of latest) this.#reconcileCall(session, id);
    this.#planMore();
  }

  /** Look at everything: the state was read again and may have lost what was never written. */
  reconcileAll(session: Session): void {
    session.touched = [...new Set([...this.#jobs.keys(), ...session.calls.keys()])];
    this.reconcile(session);
  }

  /** What is under way, for tests that compare it with `wanted`. */
  underWay(): readonly UnderWay[] {
    return Array.from(this.#jobs, ([callId, { kind, turn, stamp }]) => ({ callId, do: kind, turn, stamp }));
  }

  /** How many pieces of work are under way. */
  get size(): number {
    return this.#jobs.size;
  }

  stopAll(leftTo: 'nobody' | 'another process'): void {
    this.#session = null;
    this.#toPlan = [];
    this.#nextToPlan = 0;
    for (const job of this.#jobs.values()) job.abandon(leftTo);
    this.#jobs.clear();
  }

  #reconcileCall(session: Session, id: string): void {
    const call = session.calls.get(id);
    const effect = call ? effectOf(session, call) : null;
    const job = this.#jobs.get(id);
    if (job && (effect?.do !== job.kind || effect.turn !== job.turn || effect.stamp !== job.stamp)) {
      this.#jobs.delete(id);
      job.stop();
    } else if (job) {
      if (effect && effect.do !== 'plan-call' && effect.stop) job.stop();
      return;
    }
    if (effect?.do === 'plan-call') this.#toPlan.push(id);
    if (call?.status !== 'executing') return;
    if (effect?.do === 'run-tool') this.#jobs.set(id, startRunning(call, this.#work, effect.resume));
    if (effect?.do === 'run-hooks') this.#jobs.set(id, startHooks(call, this.#work));
  }

  /** Plans wait their turn here: unlike runs they leave no trace, so the state need not know of the queue. */
  #planMore(): void {
    const session = this.#session;
    // A plan that ends at once comes back here while the loop below is running.
    if (!session || this.#choosing) return;
    this.#choosing = true;
    while (this.#nextToPlan < this.#toPlan.length && this.#planning < this.#options.limits.plansMax) {
      const id = this.#toPlan[this.#nextToPlan++];
      const call = id === undefined ? undefined : session.calls.get(id);
      if (!call || this.#jobs.has(call.request.callId) || !wantsPlan(session, call)) continue;
      this.#planning++;
      this.#jobs.set(call.request.callId, startPlanning(call.request, this.#work));
    }
    if (this.#nextToPlan === this.#toPlan.length) {
      this.#toPlan = [];
      this.#nextToPlan = 0;
    }
    this.#choosing = false;
  }
}

type UnderWay = Pick<Effect, 'callId' | 'do' | 'turn' | 'stamp'>;

const wantsPlan = (session: Session, call: ToolCall): boolean => effectOf(session, call)?.do === 'plan-call';
