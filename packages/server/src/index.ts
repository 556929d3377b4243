export { listenGuarded } from './guarded-listener.js';
export { answerByFetch, type FetchHandler } from './http/fetch-handler.js';
export { DEFAULT_SERVER_LIMITS, type ServerLimits } from './http/limits.js';
export { ExposedError } from './http/server.js';
export type {
  AgentFound,
  Judge,
  OpenedSession,
  OpenWish,
  ServerPorts,
  SupposedCall,
} from './sessions/ports.js';
export { type BrowserRecord, BrowserRecords } from './sign-in/browser-records.js';
export { TokenFile, TokenFileError } from './sign-in/token-file.js';
export { type NamedToken, newToken } from './sign-in/tokens.js';
export { type RunningServer, startServer } from './start-server.js';
