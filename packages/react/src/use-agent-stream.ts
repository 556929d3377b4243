import { useSyncExternalStore } from 'react';
import type { AgentStream, StreamView } from './agent-stream.js';
import type { SessionStore, SessionView } from './session-store.js';

/**
 * The session as it is to be drawn now.
 *
 * @example
 * ```ts
 * function Mode() {
 *   const { mode } = useSession(store);
 *   return mode;
 * }
 * ```
 */
export const useSession = (store: SessionStore): SessionView =>
  useSyncExternalStore(store.subscribe, store.view, store.view);

/**
 * The agent's current work, and functions to prompt and to stop it.
 *
 * @example
 * ```ts
 * const stop = ({ cancelOngoingRequest }: UsedStream) => cancelOngoingRequest();
 * ```
 */
export type UsedStream = StreamView & {
  readonly submitQuery: (text: string, typed?: string) => Promise<void>;
  /** False if there was nothing to stop. */
  readonly cancelOngoingRequest: () => boolean;
};

/**
 * The agent's work on the current prompt. Also exported as `useGeminiStream`.
 *
 * @example
 * ```ts
 * function Prompt() {
 *   const { state, text, submitQuery } = useAgentStream(stream); // or useGeminiStream, the same function
 *   show(state, text, submitQuery);
 *   return null;
 * }
 * ```
 */
export function useAgentStream(stream: AgentStream): UsedStream {
  const view = useSyncExternalStore(stream.subscribe, stream.view, stream.view);
  return {
    ...view,
    submitQuery: (text, typed) => stream.submit(text, typed),
    cancelOngoingRequest: () => stream.cancel(),
  };
}
