/**
 * Every operation and where it is found. Plain data, so that the client in a
 * browser has it without the schemas; what goes in and comes out is in
 * `operations.ts`, which does not compile if one is missing there.
 */
export const ROUTES = {
  health: 'GET /health',
  readiness: 'GET /ready',
  metrics: 'GET /metrics',
  describe: 'GET /api/openapi.json',

  signIn: 'POST /api/sign-in',
  signOut: 'POST /api/sign-out',
  whoAmI: 'GET /api/me',
  makePairing: 'POST /api/pairings',

  listSessions: 'GET /api/sessions',
  createSession: 'POST /api/sessions',
  startDemonstration: 'POST /api/demonstrations',
  showSession: 'GET /api/sessions/{sessionId}',
  deleteSession: 'DELETE /api/sessions/{sessionId}',
  resumeSession: 'POST /api/sessions/{sessionId}/resume',
  forkSession: 'POST /api/sessions/{sessionId}/fork',
  exportSession: 'GET /api/sessions/{sessionId}/export',
  followSession: 'GET /api/sessions/{sessionId}/events',
  sendMessage: 'POST /api/sessions/{sessionId}/messages',
  issueCalls: 'POST /api/sessions/{sessionId}/calls',
  cancel: 'POST /api/sessions/{sessionId}/cancel',
  setMode: 'POST /api/sessions/{sessionId}/mode',

  follow: 'GET /api/events',
  listApprovals: 'GET /api/approvals',
  showApproval: 'GET /api/approvals/one',
  answerApproval: 'POST /api/approvals/answer',

  listGrants: 'GET /api/grants',
  revokeGrant: 'POST /api/grants/revoke',
  checkPolicy: 'POST /api/policy/check',
  explainPolicy: 'POST /api/policy/explain',
  explainCall: 'GET /api/policy/call',
  listFacts: 'GET /api/audit',
  statistics: 'GET /api/statistics',
  listTools: 'GET /api/tools',
  listFiles: 'GET /api/files',
} as const;

export type Routes = typeof ROUTES;
export type OperationName = keyof Routes;

/**
 * Carries the secret of a browser beside its cookie. The cookie goes to every port of this host; the secret is known to
 * our own page alone, and no other page can send the header without our permission.
 */
export const PAGE_HEADER = 'x-countersign';

/** Where the pairing code stands in the link: behind the #, which no browser sends or logs. */
export const PAIRING_FRAGMENT = 'pair=';
