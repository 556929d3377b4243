import { SessionFold } from '@countersign/client';
import { type Journal, readPages } from '@countersign/engine';
import type { Fact } from '@countersign/protocol';

/** What is recorded of a session, each event with its call as it was right after it. */
export async function* readFacts(journal: Journal, sessionId: string): AsyncGenerator<Fact> {
  const folded = new SessionFold(sessionId);
  for await (const page of readPages(journal, sessionId))
    for (const recorded of page) yield folded.fold(recorded);
}

/** The state of a session as it is recorded, without attaching to it. */
export async function readSession(journal: Journal, sessionId: string): Promise<SessionFold['session']> {
  const folded = new SessionFold(sessionId);
  for await (const page of readPages(journal, sessionId)) for (const recorded of page) folded.fold(recorded);
  return folded.session;
}
