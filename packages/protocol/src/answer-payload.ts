import type { Json, JsonObject } from './json/json.js';
import type { GrantScope } from './policy/grant.js';

/** What an answer may carry besides its outcome. */
export type AnswerPayload = {
  /** Why not, for the model (with `cancel`). */
  readonly feedback?: string;
  /** With `cancel`: the agent is to stop and wait for what the person says next. */
  readonly stop?: boolean;
  /** Other arguments to run instead: consent to exactly these. */
  readonly args?: JsonObject;
  /** Other file content to write instead (edits): consent to exactly this. */
  readonly newContent?: string;
  /** Answers to the questions of `ask_user`. */
  readonly answers?: Json;
  /** One of the scopes that the offer of an "always" lists, or the session. */
  readonly scope?: GrantScope;
  readonly expiresAt?: number;
  readonly uses?: number;
};
