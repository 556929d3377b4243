/** Everything has a limit; these are the ones an embedder may change. */
export type McpLimits = {
  /** How long a server may take for the handshake, and for each page of what it has to offer. */
  readonly handshakeMs: number;
  /** How long a call may go without an answer or progress, unless the server's settings say otherwise (`timeout`). */
  readonly callIdleMs: number;
  /** How long a call may take in all: progress is no proof of getting anywhere. */
  readonly callTotalMs: number;
  /** The longest message of a server that is taken in; it is held in memory. */
  readonly messageBytesMax: number;
  /** How often a server that is not connected is tried again soon; a connection that lasted `reconnectWindowMs` resets the count. */
  readonly reconnectsMax: number;
  /** The pause after them, which doubles with each further attempt up to `reconnectLastMs`. */
  readonly reconnectWindowMs: number;
  readonly reconnectLastMs: number;
  /** The pause before the first of them; it doubles with each. */
  readonly reconnectFirstMs: number;
  /** How long changes of a list are collected before it is read again. */
  readonly listChangesMs: number;
};

export const DEFAULT_MCP_LIMITS: McpLimits = {
  // `npx` may have to fetch a server first.
  handshakeMs: 60_000,
  callIdleMs: 10 * 60_000,
  callTotalMs: 60 * 60_000,
  messageBytesMax: 10_000_000,
  reconnectsMax: 3,
  reconnectWindowMs: 60_000,
  reconnectLastMs: 10 * 60_000,
  reconnectFirstMs: 1_000,
  listChangesMs: 100,
};
