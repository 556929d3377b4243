import { AgentStream, SessionStore } from '@countersign/react';
import type { ApiError } from '@countersign/server/client';
import { useEffect, useMemo, useState } from 'react';
import { RemoteSession } from '../connection/remote-session.js';
import { useServices } from '../connection/services.js';

export type RemoteSessionParts = {
  readonly store: SessionStore;
  readonly stream: AgentStream;
  /** Why it is no longer followed; null while it is. */
  readonly refused: ApiError | null;
};

/** Follows a session as long as its view is mounted. */
export function useRemoteSession(sessionId: string, knownSeq: number): RemoteSessionParts {
  const { api, me, link, sessions } = useServices();
  const [refused, setRefused] = useState<ApiError | null>(null);
  // `knownSeq` counts for the first rendering only.
  const { store, stream } = useMemo(() => {
    const session = new RemoteSession(api, link, sessionId, setRefused);
    const made = new SessionStore(session, { knownSeq });
    return { store: made, stream: new AgentStream(made, session.agent, me.name) };
  }, [api, link, me.name, sessionId]);

  useEffect(() => {
    const stop = new AbortController();
    void store.follow(stop.signal);
    void stream.takeUp();
    const unsubscribe = store.onEvent(({ type }) => {
      if (type === 'message.added') sessions.lookSoon();
    });
    return () => {
      unsubscribe();
      stop.abort();
      stream.cancel();
    };
  }, [store, stream, sessions]);
  return { store, stream, refused };
}
