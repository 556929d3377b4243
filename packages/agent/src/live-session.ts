import {
  type Fact,
  type Journal,
  type OpenOptions,
  openSession,
  readPages,
  type SessionShell,
  type Watcher,
} from '@countersign/engine';
import { Conversation, emptySession, evolve } from '@countersign/kernel';
import type { Event, Failure, ToolCall } from '@countersign/protocol';
import { NOTHING_SPENT, type Spending, spent } from './spending.js';

/** A session together with what a model is shown of it, kept in step with its facts. */
export type LiveSession = {
  readonly session: SessionShell;
  readonly conversation: Conversation;
  /** What was spent on it before it was opened here. */
  readonly spentBefore: Spending;
  /** Hear of every fact from now on, after the conversation has. */
  readonly listen: (listener: (fact: Fact) => void) => () => void;
};

export type LiveOpened =
  | { readonly ok: true; readonly live: LiveSession }
  | { readonly ok: false; readonly failure: Failure };

export async function openLiveSession(options: OpenOptions): Promise<LiveOpened> {
  const listeners = new Set<(fact: Fact) => void>();
  const early: Fact[] = [];
  let conversation: Conversation | null = null;
  const hear = (fact: Fact) => {
    if (!conversation) return void early.push(fact);
    conversation.observe(fact.event, fact.call);
    for (const listener of listeners) listener(fact);
  };
  const watcher: Watcher = {
    ...options.watcher,
    onFacts: (facts) => {
      for (const fact of facts) hear(fact);
      options.watcher?.onFacts?.(facts);
    },
  };
  const opened = await openSession({ ...options, watcher });
  if (!opened.ok) return opened;
  const { session } = opened;
  const before = early[0]?.seq ?? session.seq;
  const { conversation: known, spentBefore } = await readConversation(options.journal, session, before);
  for (const { event, call } of early) known.observe(event, call);
  conversation = known;
  return {
    ok: true,
    live: {
      session,
      conversation: known,
      spentBefore,
      listen: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
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
  const state = emptySession(session.sessionId);
  for await (const page of readPages(journal, session.sessionId))
    for (const { seq, event } of page) {
      if (seq >= beforeSeq) return { conversation, spentBefore };
      evolve(state, event);
      conversation.observe(event, callOf(event, state.calls));
      spentBefore = afterFact(spentBefore, event, conversation);
    }
  return { conversation, spentBefore };
}

function afterFact(before: Spending, event: Event, { messages }: Conversation): Spending {
  if (event.type === 'message.added' && event.message.role === 'model')
    return spent(before, event.message.usage, event.message.model);
  if (event.type !== 'history.compressed') return before;
  // The author of a summary is not recorded; it is usually the last speaker.
  const last = messages.findLast(({ role }) => role === 'model');
  return spent(before, event.usage, last?.role === 'model' ? last.model : '');
}

const callOf = (event: Event, calls: ReadonlyMap<string, ToolCall>): ToolCall | undefined =>
  'callId' in event ? calls.get(event.callId) : undefined;
