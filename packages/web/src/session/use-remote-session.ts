import { AgentStream, SessionStore } from '@countersign/react';
import type { ApiError } from '@countersign/server/client';
import { useEffect, useMemo, useState } from 'react';
import { RemoteSession } from '../connection/remote-session.js';
import { useServices } from '../connection/services.js';

export type RemoteSessionParts = {
  readonly store: SessionStore;
  readonly stream: AgentStream;
  /** Why it is followed no further, if it is not. */
  readonly refused: ApiError | null;
};

/** Follows a session for as long as its view is there. */
export function useRemoteSession(sessionId: string, knownSeq: number): RemoteSessionParts {
  const { api, me, link, sessions } = useServices();
  const [refused, setRefused] = useState<ApiError | null>(null);
  // How much was known at first stays what it was.
  const { store, stream } = useMemo(() => {
    const session = new RemoteSession(api, link, sessionId, setRefused);
    const made = new SessionStore(session, { knownSeq });
    return { store: made, stream: new AgentStream(made, session.agent, me.name) };
  }, [api, link, me.name, sessionId]);

  useEffect(() => {
    const stop = new AbortController();
    void store.follow(stop.signal);
    void stream.takeUp();
    const stopHearing = store.onEvent(({ type }) => {
      if (type === 'message.added') sessions.lookSoon();
    });
    return () => {
      stopHearing();
      stop.abort();
      stream.cancel();
    };
  }, [store, stream, sessions]);
  return { store, stream, refused };
}
