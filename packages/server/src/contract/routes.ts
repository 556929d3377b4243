/** What an operation needs of the folders that this server was started for (`--workspace`). */
export type Need =
  /** It concerns no session, folder or grant. */
  | 'nothing'
  /** It works in the folder that `workspace` names, or in the first one served. */
  | 'served workspace'
  /** It concerns the session that `sessionId` names, which must work in a served folder. */
  | 'served session'
  /** It concerns many sessions, of which those in other folders are omitted. */
  | 'served sessions'
  /** It shows or stops what any session of the store does: one inbox for the whole machine. */
  | 'any session'
  /** It answers any question of the store; elsewhere only as it was asked, and only once. */
  | 'any question';

/** A session that the address names must be looked up. */
type NeedOf<Address extends string> = Address extends `${string}{sessionId}${string}`
  ? 'served session' | 'any session'
  : Need;

const route = <const A extends string, const N extends NeedOf<A>>(address: A, needs: N) => ({
  address,
  needs,
});

/**
 * Every operation: its address, and what it needs. Plain data, so that the client in a browser has it without the
 * schemas of input and output; those are in `operations.ts`, which does not compile if one is missing there.
 */
export const ROUTES = {
  health: route('GET /health', 'nothing'),
  readiness: route('GET /ready', 'nothing'),
  metrics: route('GET /metrics', 'nothing'),
  describe: route('GET /api/openapi.json', 'nothing'),

  signIn: route('POST /api/sign-in', 'nothing'),
  signOut: route('POST /api/sign-out', 'nothing'),
  whoAmI: route('GET /api/me', 'nothing'),
  makePairing: route('POST /api/pairings', 'nothing'),

  listSessions: route('GET /api/sessions', 'any session'),
  createSession: route('POST /api/sessions', 'served workspace'),
  // Its folder is made for it.
  startDemonstration: route('POST /api/demonstrations', 'nothing'),
  showSession: route('GET /api/sessions/{sessionId}', 'any session'),
  deleteSession: route('DELETE /api/sessions/{sessionId}', 'served session'),
  resumeSession: route('POST /api/sessions/{sessionId}/resume', 'served session'),
  forkSession: route('POST /api/sessions/{sessionId}/fork', 'served session'),
  exportSession: route('GET /api/sessions/{sessionId}/export', 'served session'),
  followSession: route('GET /api/sessions/{sessionId}/events', 'any session'),
  sendMessage: route('POST /api/sessions/{sessionId}/messages', 'served session'),
  issueCalls: route('POST /api/sessions/{sessionId}/calls', 'served session'),
  cancel: route('POST /api/sessions/{sessionId}/cancel', 'any session'),
  setMode: route('POST /api/sessions/{sessionId}/mode', 'served session'),

  follow: route('GET /api/events', 'any session'),
  listApprovals: route('GET /api/approvals', 'any session'),
  showApproval: route('GET /api/approvals/one', 'any session'),
  answerApproval: route('POST /api/approvals/answer', 'any question'),

  listGrants: route('GET /api/grants', 'served sessions'),
  revokeGrant: route('POST /api/grants/revoke', 'served sessions'),
  checkPolicy: route('POST /api/policy/check', 'served workspace'),
  explainPolicy: route('POST /api/policy/explain', 'served workspace'),
  explainCall: route('GET /api/policy/call', 'served session'),
  listFacts: route('GET /api/audit', 'served sessions'),
  statistics: route('GET /api/statistics', 'served sessions'),
  listTools: route('GET /api/tools', 'served workspace'),
  listFiles: route('GET /api/files', 'served workspace'),
};

export type Routes = typeof ROUTES;
export type OperationName = keyof Routes;
export const OPERATION_NAMES = Object.keys(ROUTES) as readonly OperationName[];

/**
 * Carries the secret of a browser beside its cookie. The cookie goes to every port of this host; the secret is known to
 * our own page alone, and no other page can send the header without our permission.
 */
export const PAGE_HEADER = 'x-countersign';

/** Where the pairing code stands in the link: behind the #, which no browser sends or logs. */
export const PAIRING_FRAGMENT = 'pair=';
