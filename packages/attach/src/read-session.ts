import { SessionFold } from '@countersign/client';
import { type Journal, readPages } from '@countersign/engine';
import type { Fact } from '@countersign/protocol';

/** The events of a session, each with the state of its call after it. */
export async function* readFacts(journal: Journal, sessionId: string): AsyncGenerator<Fact> {
  const folded = new SessionFold(sessionId);
  for await (const page of readPages(journal, sessionId))
    for (const recorded of page) yield folded.fold(recorded);
}

/** The recorded state of a session, without attaching to it. */
export async function readSession(journal: Journal, sessionId: string): Promise<SessionFold['session']> {
  const folded = new SessionFold(sessionId);
  for await (const page of readPages(journal, sessionId)) for (const recorded of page) folded.fold(recorded);
  return folded.session;
}
