/** The client for browsers and programs: no server code, no schemas. */
export type { Followed, SessionMessage } from '../contract/followed.js';
export type { InboxChange } from '../contract/inbox-change.js';
export type { AnswerOf, ApprovalSummary, BodyOf, QueryOf, SessionSummary } from '../contract/operations.js';
export { PAIRING_FRAGMENT } from '../contract/routes.js';
export {
  type ApiError,
  type CallOperation,
  type Client,
  type ClientOptions,
  createClient,
  type InputOf,
  type Result,
} from './client.js';
export type { ServerEvent } from './read-events.js';
