import type { Session } from '@countersign/kernel';
import type { ToolCall } from '@countersign/protocol';
import type { Moment } from './world/moment.js';
import type { SeenCall } from './world/seen.js';

/**
 * Names for states: two moments have the same key exactly when nothing that
 * matters tells them apart. Texts are numbered, so that a key is a short list
 * of numbers however much it stands for.
 */
export class StateKeys {
  readonly #numbers = new Map<string, number>();
  /** Calls are replaced and never changed, so each is put into words once. */
  readonly #known = new WeakMap<object, number>();

  keyOf({ session, store, seen }: Moment): string {
    const kernel = this.sessionKey(session);
    const shell = this.#number(JSON.stringify([session.added, session.claims, [...store.values()]]));
    const observer = this.#number(
      JSON.stringify([
        seen.epoch,
        seen.mode,
        seen.policy,
        seen.batches,
        seen.stream,
        seen.turns,
        [...seen.grants],
      ]),
    );
    let key = `${kernel};${shell};${observer}`;
    for (const call of seen.calls.values()) key += `,${this.#numberOf(call, inWords)}`;
    return key;
  }

  /** The kernel's part alone, without what the shell takes out of it. */
  sessionKey(session: Session): string {
    const { epoch, workspace, mode, lastTurn, running, waiting, revoked, turns } = session;
    const plain: unknown[] = [epoch, workspace, mode, lastTurn, running, [...waiting], [...revoked]];
    for (const { conflicts, ready: _, readyFrom: __, ...turn } of turns) {
      plain.push(turn, conflicts.groups, [...conflicts.lanes], [...conflicts.entries], conflicts.everything);
    }
    let key = String(this.#number(JSON.stringify(plain)));
    for (const turn of turns) key += `:${startable(session, turn).join()}`;
    for (const call of session.calls.values()) key += `,${this.#numberOf(call, JSON.stringify)}`;
    return key;
  }

  #numberOf<T extends ToolCall | SeenCall>(call: T, words: (call: T) => string): number {
    let number = this.#known.get(call);
    if (number === undefined) {
      number = this.#number(words(call));
      this.#known.set(call, number);
    }
    return number;
  }

  #number(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(text, number);
    }
    return number;
  }
}

/** What is left of the list of calls that could start: others in it are passed over. */
function startable({ calls }: Session, { ready, readyFrom }: Session['turns'][number]): string[] {
  return [...new Set(ready.slice(readyFrom))].filter((id) => calls.get(id)?.status === 'scheduled');
}

const inWords = ({ plan, shown, answer, ...rest }: SeenCall): string =>
  JSON.stringify([
    rest,
    plan?.digest,
    shown?.digest,
    shown && [...shown.offers.keys()],
    shown?.touches,
    answer,
  ]);
