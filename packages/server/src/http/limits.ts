/** Everything has a limit; these are the ones that the operator of a server may change. */
export type ServerLimits = {
  /** Of a request whose content is not a file or a message. */
  readonly bodyBytesMax: number;
  /** Of messages, and of answers that carry other content. */
  readonly contentBytesMax: number;
  readonly headerBytesMax: number;
  /** How long a client may take to send its headers … */
  readonly headersTimeoutMs: number;
  /** … and the whole request. */
  readonly requestTimeoutMs: number;
  readonly connectionsMax: number;
  /** Requests a second of one client in the long run, and how many at once before that counts. */
  readonly requestsPerSecond: number;
  readonly requestsAtOnce: number;
  readonly streamsPerClient: number;
  /** Held in all for clients that have not read it yet, and for those of one person. What is more waits. */
  readonly bufferedBytesMax: number;
  readonly bufferedBytesPerPerson: number;
  /** Interval of heartbeats, by which a dead connection is noticed. */
  readonly heartbeatMs: number;
  /** A client that reads nothing for this long is disconnected; it can continue where it stopped. */
  readonly slowClientMs: number;
  /** An idle session without open calls is closed after this. */
  readonly idleSessionMs: number;
  /** Sessions that a start resumes because an earlier run left them open: each may run commands and ask a model at once. */
  readonly resumedAtStart: number;
  /** How long the owner of a session, another process, may take to answer. */
  readonly ownerTimeoutMs: number;
  readonly pairingMs: number;
  /** How much longer each answer to a wrong token takes than the one before, and at most. */
  readonly wrongTokenDelayMs: number;
  readonly wrongTokenDelayMaxMs: number;
};

export const DEFAULT_SERVER_LIMITS: ServerLimits = {
  bodyBytesMax: 64 * 1024,
  contentBytesMax: 10 * 1024 * 1024,
  headerBytesMax: 16 * 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  connectionsMax: 2_048,
  requestsPerSecond: 200,
  requestsAtOnce: 400,
  streamsPerClient: 64,
  bufferedBytesMax: 32 * 1024 * 1024,
  bufferedBytesPerPerson: 8 * 1024 * 1024,
  heartbeatMs: 15_000,
  slowClientMs: 10_000,
  // Long, since what a session runs in the background ends with it.
  idleSessionMs: 30 * 60_000,
  resumedAtStart: 50,
  ownerTimeoutMs: 10_000,
  pairingMs: 10 * 60_000,
  wrongTokenDelayMs: 100,
  wrongTokenDelayMaxMs: 2_000,
};
