import { AgentStream, SessionStore } from '@countersign/react';
import { useEffect, useMemo, useState } from 'react';
import { RemoteSession } from '../connection/remote-session.js';
import { useServices } from '../connection/services.js';
import type { Link } from '../connection/stay-connected.js';

export type Followed = {
  readonly store: SessionStore;
  readonly stream: AgentStream;
  readonly link: Link;
};

/**
 * Follows a session while somebody looks: a browser has few connections to one server, and a page in the background
 * that held some would keep others from loading. What came meanwhile is told when it is looked at again.
 */
export function useRemoteSession(sessionId: string, knownSeq: number): Followed {
  const { api, me, sessions } = useServices();
  const [link, setLink] = useState<Link>({ state: 'connecting' });
  // How much was known at first stays what it was.
  const { store, stream } = useMemo(() => {
    const session = new RemoteSession(api, sessionId, setLink);
    const made = new SessionStore(session, { knownSeq });
    return { store: made, stream: new AgentStream(made, session.agent, me.name) };
  }, [api, me.name, sessionId]);

  useEffect(() => {
    let stop: AbortController | null = null;
    const look = () => {
      if (document.hidden) {
        stop?.abort();
        stop = null;
      } else if (stop === null) {
        stop = new AbortController();
        void store.follow(stop.signal);
      }
    };
    look();
    document.addEventListener('visibilitychange', look);
    void stream.takeUp();
    const stopHearing = store.onEvent(({ type }) => {
      if (type === 'message.added') sessions.lookSoon();
    });
    return () => {
      stopHearing();
      document.removeEventListener('visibilitychange', look);
      stop?.abort();
      stream.cancel();
    };
  }, [store, stream, sessions]);
  return { store, stream, link };
}
