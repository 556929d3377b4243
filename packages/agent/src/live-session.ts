import { SessionEvents, SessionFold } from '@countersign/client';
import {
  type Journal,
  type OpenOptions,
  openSession,
  readPages,
  type SessionShell,
} from '@countersign/engine';
import { Conversation } from '@countersign/kernel';
import { countedUsage } from '@countersign/models';
import type { Event, Fact, Failure } from '@countersign/protocol';
import { STOPPED_HALFWAY } from './ask-model.js';
import { NOTHING_SPENT, type Spending, spent, usageOfAnswer } from './spending.js';

/** A session together with what a model is shown of it, kept in step with its facts. */
export type LiveSession = {
  readonly session: SessionShell;
  readonly conversation: Conversation;
  /** What was spent on it before it was opened here. */
  readonly spentBefore: Spending;
  /** What happens in it from now on; the conversation is up to date with each fact. */
  readonly events: SessionEvents;
  /** Fires when this process is about to leave the session: no model is asked any more. Its calls are not cancelled by this. */
  readonly leaving: AbortSignal;
  /** Called as soon as the program is to end, before anything else is awaited. Leaving the session does it, too. */
  readonly prepareToLeave: () => void;
};

export type LiveOpened =
  | { readonly ok: true; readonly live: LiveSession }
  | { readonly ok: false; readonly failure: Failure };

export async function openLiveSession(options: OpenOptions): Promise<LiveOpened> {
  const events = new SessionEvents();
  const early: Fact[] = [];
  let observe = (fact: Fact): void => void early.push(fact);
  events.subscribe({ onFact: (fact) => observe(fact) });
  if (options.watcher) events.subscribe(options.watcher);
  const opened = await openSession({ ...options, watcher: events });
  if (!opened.ok) return opened;
  const { session } = opened;
  const before = early[0]?.seq ?? session.seq;
  const { conversation, spentBefore } = await readConversation(options.journal, session, before);
  observe = ({ event, call }) => conversation.observe(event, call);
  for (const fact of early) observe(fact);
  events.adopt(session.snapshot());
  const leaving = new AbortController();
  const prepareToLeave = () => leaving.abort();
  if (session.leaving.aborted) prepareToLeave();
  session.leaving.addEventListener('abort', prepareToLeave, { once: true });
  return {
    ok: true,
    live: { session, conversation, spentBefore, events, leaving: leaving.signal, prepareToLeave },
  };
}

async function readConversation(
  journal: Journal,
  session: SessionShell,
  beforeSeq: number,
): Promise<Pick<LiveSession, 'conversation' | 'spentBefore'>> {
  const conversation = new Conversation((call) => session.whereKept(call.request));
  let spentBefore = NOTHING_SPENT;
  if (beforeSeq === 0) return { conversation, spentBefore };
  const folded = new SessionFold(session.sessionId);
  for await (const page of readPages(journal, session.sessionId))
    for (const recorded of page) {
      if (recorded.seq >= beforeSeq) return { conversation, spentBefore };
      const { event, call } = folded.fold(recorded);
      conversation.observe(event, call);
      spentBefore = afterFact(spentBefore, event, conversation);
    }
  return { conversation, spentBefore };
}

function afterFact(before: Spending, event: Event, { messages }: Conversation): Spending {
  // What a fork began with was paid for in the session that it was copied from.
  if ('forkedFrom' in event && event.forkedFrom !== undefined) return before;
  if (event.type === 'message.added' && event.message.role === 'model') {
    const { finish, model } = event.message;
    const usage = usageOfAnswer(event.message.usage, finish);
    // Providers do not count an answer that was stopped halfway.
    return usage === null && finish === STOPPED_HALFWAY ? before : spent(before, usage, model);
  }
  // A history that was only cleared cost no request.
  if (event.type !== 'history.compressed' || event.summary === '') return before;
  // The author of a summary is not recorded; it is usually the last speaker.
  const last = messages.findLast(({ role }) => role === 'model');
  return spent(before, countedUsage(event.usage), last?.role === 'model' ? last.model : '');
}
