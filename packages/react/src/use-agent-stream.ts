import { useSyncExternalStore } from 'react';
import type { AgentStream, StreamView } from './agent-stream.js';
import type { SessionStore, SessionView } from './session-store.js';

/** A session, as it is drawn now. */
export const useSession = (store: SessionStore): SessionView =>
  useSyncExternalStore(store.subscribe, store.view, store.view);

/** What an agent is at, and how to tell it what to do. */
export type UsedStream = StreamView & {
  readonly submitQuery: (text: string, typed?: string) => Promise<void>;
  /** False if there was nothing to stop. */
  readonly cancelOngoingRequest: () => boolean;
};

/** What an agent says and does about the prompt it works on. */
export function useAgentStream(stream: AgentStream): UsedStream {
  const view = useSyncExternalStore(stream.subscribe, stream.view, stream.view);
  return {
    ...view,
    submitQuery: (text, typed) => stream.submit(text, typed),
    cancelOngoingRequest: () => stream.cancel(),
  };
}
