/**
 * Sessions, approvals and the page over HTTP.
 *
 * What enters: requests with a token or of a signed-in browser. What leaves: JSON, event streams that resume without gap or repeat, and the page.
 *
 * What holds: each operation declares what it needs and is refused otherwise; `Host` and `Origin` are the server's own; everything that a
 * client sends or does not read is bounded; taking a permission back ends what is open within a second.
 */
export { listenGuarded } from './guarded-listener.js';
export { isLoopback } from './http/addresses.js';
export { answerByFetch, type FetchHandler } from './http/fetch-handler.js';
export { DEFAULT_SERVER_LIMITS, type ServerLimits } from './http/limits.js';
export { ExposedError } from './http/server.js';
export type {
  AgentFound,
  Judge,
  OpenedSession,
  OpenRequest,
  ServerPorts,
  SupposedCall,
} from './sessions/ports.js';
export type { ResumedSessions } from './sessions/resume-left.js';
export { type BrowserRecord, BrowserRecords } from './sign-in/browser-records.js';
export { TokenFile, TokenFileError } from './sign-in/token-file.js';
export { type NamedToken, newToken } from './sign-in/tokens.js';
export { type RunningServer, startServer } from './start-server.js';
