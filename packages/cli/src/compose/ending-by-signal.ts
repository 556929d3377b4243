import { openWork } from '@countersign/attach';
import { leftText } from '@countersign/client';
import { type FrontEnd, type Journal, JournalError } from '@countersign/engine';
import { explain, type Failure } from '@countersign/protocol';
import type { EndSignal } from '../io/end-signals.js';
import { type Io, say } from '../io/io.js';
import { isKept } from '../options/options.js';
import { continueCommand } from './next-commands.js';

type Place = { readonly journal: Journal; readonly store: string | undefined };
type OwnSession = { readonly sessionId: string; readonly frontEnd: FrontEnd | null };

/** Sessions that the last line names; for more it names the command that lists them. */
const SESSIONS_NAMED_MAX = 3;

/**
 * The last line of a program that a signal ends, the same in every front end: how many calls were cancelled, what is left
 * open, and how to continue it. `begin` counts before the sessions are left, `print` reads what is recorded afterwards.
 */
export class EndingBySignal {
  readonly #place: Place;
  readonly #io: Io;
  #begun: {
    readonly signal: EndSignal;
    readonly sessions: readonly OwnSession[];
    readonly open: number;
  } | null = null;
  /** What kept the store from being read; null if nothing did. */
  #trouble: Failure | null = null;

  constructor(place: Place, io: Io) {
    this.#place = place;
    this.#io = io;
  }

  /** False: the store could not be read at the end, so that nothing is known of what is left in it. */
  get isStoreKnown(): boolean {
    return this.#trouble === null;
  }

  get signal(): EndSignal | null {
    return this.#begun?.signal ?? null;
  }

  async begin(signal: EndSignal): Promise<void> {
    if (this.#begun) return;
    this.#begun = { signal, sessions: [], open: 0 };
    await this.#reading(async ({ journal }) => {
      const sessions = (await journal.list())
        .filter(({ owner }) => owner?.shown.pid === process.pid)
        .map(({ sessionId, owner }) => ({ sessionId, frontEnd: owner?.frontEnd ?? null }));
      let open = 0;
      for (const { sessionId } of sessions) open += callsIn(await openWork(journal, sessionId));
      this.#begun = { signal, sessions, open };
    });
  }

  /** Does nothing if no signal came. */
  async print(): Promise<void> {
    if (!this.#begun) return;
    const { signal, sessions, open } = this.#begun;
    const left: string[] = [];
    let leftCalls = 0;
    await this.#reading(async (place) => {
      for (const { sessionId, frontEnd } of isKept(place.store) ? sessions : []) {
        const recorded = await openWork(place.journal, sessionId);
        const wasModelAtWork =
          frontEnd === 'headless'
            ? signal !== 'SIGINT'
            : (await place.journal.session(sessionId))?.lastOwner?.modelAtWork === true;
        const work = { ...recorded, unanswered: recorded.unanswered && wasModelAtWork };
        if (callsIn(work) === 0 && !work.unanswered) continue;
        leftCalls += callsIn(work);
        const next =
          frontEnd === 'server'
            ? 'The server continues it at its next start.'
            : `To resume: ${await continueCommand({ ...place, sessionId }, frontEnd, this.#io)}`;
        left.push(`Left open in ${sessionId}: ${leftText(work)}. ${next}`);
      }
    });
    if (this.#trouble) {
      say(this.#io, `Ended by ${signal}. ${unknownText(this.#trouble)}`);
      return;
    }
    const more = left.length - SESSIONS_NAMED_MAX;
    say(
      this.#io,
      [
        `Ended by ${signal}. ${cancelledText(open - leftCalls)}`,
        ...(left.length === 0 ? ['Nothing is left open.'] : left.slice(0, SESSIONS_NAMED_MAX)),
        ...(more > 0 ? [`${more} more: countersign sessions list --all`] : []),
      ].join(' '),
    );
  }

  /** A store that fails is no reason not to end. */
  async #reading(read: (place: Place) => Promise<void>): Promise<void> {
    try {
      await read(this.#place);
    } catch (thrown) {
      if (!(thrown instanceof JournalError)) throw thrown;
      this.#trouble = thrown.failure;
    }
  }
}

const callsIn = ({ running, queued, questions }: Awaited<ReturnType<typeof openWork>>): number =>
  running + queued + questions;

/** The hints of a failure are for a program that goes on; this one ends. */
const unknownText = (trouble: Failure): string =>
  `What was cancelled and what is left open is not known: ${explain(trouble).message}`;

function cancelledText(count: number): string {
  if (count <= 0) return 'No call was cancelled.';
  return count === 1 ? '1 call was cancelled.' : `${count} calls were cancelled.`;
}
