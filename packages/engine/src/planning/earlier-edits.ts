import type { Session } from '@countersign/kernel';
import { type CallRequest, type Event, isSettled } from '@countersign/protocol';
import type { PlanDraft } from '../tool/tool.js';
import type { Toolbox } from '../tool/toolbox.js';

type Edit = { readonly request: CallRequest; readonly draft: PlanDraft };

/**
 * What the edits of a turn will leave, for those that come after them.
 *
 * All calls of a turn are planned at once, on files that none of them has
 * changed yet. A later edit of the same file plans on what the earlier one will
 * write, so that both are shown, and both land, as if made one after the other.
 * Should the earlier one not happen, the later one does not fit what is on the
 * disk: it is asked about again, or ends as stale.
 */
export class EarlierEdits {
  readonly #tools: Toolbox;
  #session: Session | null = null;
  readonly #pending = new Map<string, { readonly request: CallRequest; readonly done: Promise<void> }>();
  /** Planned by another process, or before the facts were read again. */
  readonly #unplanned = new Map<string, CallRequest>();
  readonly #byPath = new Map<string, Edit[]>();
  readonly #pathsOf = new Map<string, readonly string[]>();

  constructor(tools: Toolbox) {
    this.#tools = tools;
  }

  restore(session: Session): void {
    this.#session = session;
    for (const known of [this.#pending, this.#unplanned, this.#byPath, this.#pathsOf]) known.clear();
    for (const { status, request } of session.calls.values()) {
      const wasPlanned = status === 'awaiting_approval' || status === 'scheduled' || status === 'executing';
      if (wasPlanned && this.changesFiles(request)) this.#unplanned.set(request.callId, request);
    }
  }

  changesFiles({ name }: CallRequest): boolean {
    return this.#tools.get(name)?.kind === 'edit';
  }

  planning(request: CallRequest, draft: PlanDraft | Promise<PlanDraft>): void {
    const { callId } = request;
    this.#unplanned.delete(callId);
    const made = Promise.resolve(draft).catch(() => null);
    const edit = {
      request,
      done: made.then((settled) => {
        if (this.#pending.get(callId) !== edit) return;
        this.#pending.delete(callId);
        this.#forget(callId);
        if (settled) this.#remember({ request, draft: settled });
      }),
    };
    this.#pending.set(callId, edit);
  }

  /**
   * What the calls before this one in its turn leave of a file; null if none of them changes it. `plan` plans a call that
   * was not planned in this process, and calls `planning` for it.
   */
  async before(
    { turn, index }: CallRequest,
    path: string,
    plan: (request: CallRequest) => void,
  ): Promise<Uint8Array | null> {
    const isBefore = (other: CallRequest) => other.turn === turn && other.index < index;
    for (const request of [...this.#unplanned.values()].filter(isBefore)) plan(request);
    for (const { request, done } of [...this.#pending.values()]) if (isBefore(request)) await done;
    const last = (this.#byPath.get(path) ?? [])
      .filter(({ request }) => isBefore(request) && this.#isCurrent(request))
      .reduce<Edit | null>((a, b) => (a === null || b.request.index > a.request.index ? b : a), null);
    return last?.draft.leaves?.(path) ?? null;
  }

  observe(event: Event): void {
    if (event.type !== 'call.succeeded' && event.type !== 'call.failed' && event.type !== 'call.cancelled')
      return;
    this.#unplanned.delete(event.callId);
    this.#forget(event.callId);
  }

  #remember(edit: Edit): void {
    const { basis = [], leaves } = edit.draft;
    if (!leaves || !this.#isCurrent(edit.request)) return;
    const paths = basis.flatMap(({ path, after }) => (after === null ? [] : [path]));
    this.#pathsOf.set(edit.request.callId, paths);
    for (const path of paths) this.#byPath.set(path, [...(this.#byPath.get(path) ?? []), edit]);
  }

  #forget(callId: string): void {
    for (const path of this.#pathsOf.get(callId) ?? []) {
      const others = (this.#byPath.get(path) ?? []).filter(({ request }) => request.callId !== callId);
      if (others.length > 0) this.#byPath.set(path, others);
      else this.#byPath.delete(path);
    }
    this.#pathsOf.delete(callId);
  }

  /** Not settled, and its arguments are still those that were planned. */
  #isCurrent({ callId, turn, argsHash }: CallRequest): boolean {
    const call = this.#session?.calls.get(callId);
    if (!call || isSettled(call)) return false;
    // Independent calls do not wait for a question about another one.
    const isShared = this.#session?.turns.find((open) => open.turn === turn)?.shared === true;
    if (isShared && call.status === 'awaiting_approval') return false;
    return call.request.turn === turn && call.request.argsHash === argsHash;
  }
}
