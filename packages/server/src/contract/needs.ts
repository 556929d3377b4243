import type { OperationName, Routes } from './routes.js';

/**
 * What an operation needs of the folders that this server was started for (`--workspace`). An operation that is not
 * named here does not compile, and is refused for sessions elsewhere unless it says otherwise.
 */
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

/** A session that is named in the address is looked at. */
type NeedOf<Route extends string> = Route extends `${string}{sessionId}${string}`
  ? 'served session' | 'any session'
  : Need;

export const NEEDS = {
  health: 'nothing',
  readiness: 'nothing',
  metrics: 'nothing',
  describe: 'nothing',

  signIn: 'nothing',
  signOut: 'nothing',
  whoAmI: 'nothing',
  makePairing: 'nothing',

  listSessions: 'any session',
  createSession: 'served workspace',
  // Its folder is made for it.
  startDemonstration: 'nothing',
  showSession: 'any session',
  deleteSession: 'served session',
  resumeSession: 'served session',
  forkSession: 'served session',
  exportSession: 'served session',
  followSession: 'any session',
  sendMessage: 'served session',
  issueCalls: 'served session',
  cancel: 'any session',
  setMode: 'served session',

  follow: 'any session',
  listApprovals: 'any session',
  showApproval: 'any session',
  answerApproval: 'any question',

  listGrants: 'served sessions',
  revokeGrant: 'served sessions',
  checkPolicy: 'served workspace',
  explainPolicy: 'served workspace',
  explainCall: 'served session',
  listFacts: 'served sessions',
  statistics: 'served sessions',
  listTools: 'served workspace',
  listFiles: 'served workspace',
} as const satisfies { readonly [N in OperationName]: NeedOf<Routes[N]> };

export type Needs = typeof NEEDS;
