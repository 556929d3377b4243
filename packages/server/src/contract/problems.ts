import { explain, type Failure, type FailureCode, shortened } from '@countersign/protocol';

/** What can be wrong with a request as such, before anything of the engine sees it. */
export type RequestProblem =
  | { readonly code: 'not_signed_in' }
  | { readonly code: 'wrong_pairing_code' }
  | { readonly code: 'wrong_host' }
  | { readonly code: 'foreign_origin' }
  | { readonly code: 'not_from_the_page' }
  | { readonly code: 'malformed_request'; readonly problem: string }
  | { readonly code: 'unknown_route' }
  | { readonly code: 'wrong_method'; readonly allowed: readonly string[] }
  | { readonly code: 'not_json' }
  | { readonly code: 'body_too_large'; readonly bytesMax: number }
  | { readonly code: 'invalid_input'; readonly problems: readonly string[] }
  | { readonly code: 'too_many_requests'; readonly retryAfterMs: number }
  | { readonly code: 'too_much_unread' }
  | { readonly code: 'too_many_streams'; readonly streamsMax: number }
  | { readonly code: 'workspace_not_served'; readonly workspace: string; readonly served: readonly string[] }
  /** `wider`: in which way. */
  | { readonly code: 'answer_too_wide'; readonly workspace: string; readonly wider: string }
  | { readonly code: 'session_exists'; readonly sessionId: string }
  | { readonly code: 'events_ahead'; readonly after: number; readonly last: number }
  | { readonly code: 'owner_silent'; readonly pid: number | null; readonly afterMs: number }
  | { readonly code: 'stopped_meanwhile' }
  | { readonly code: 'shutting_down' }
  | { readonly code: 'server_fault' };

export type Problem = Failure | RequestProblem;

/** As it goes over the wire. `details` is what the texts were made from. */
export type ProblemBody = {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint: string;
    readonly details: { readonly [name: string]: unknown };
  };
};

/** Stops a request with a problem that the client can act on. */
export class Refusal extends Error {
  constructor(readonly problem: Problem) {
    super(problem.code);
    this.name = 'Refusal';
  }
}

/** Of what was sent it repeats no more than a line. */
export function problemBody(whole: Problem): ProblemBody {
  const problem = shortened(whole);
  const { message, hint } = isOfRequest(problem) ? explainRequest(problem) : explain(problem);
  const { code, ...details } = problem;
  return { error: { code, message, hint, details } };
}

export const statusOf = (problem: Problem): number =>
  isOfRequest(problem) ? REQUEST_STATUS[problem.code] : (FAILURE_STATUS[problem.code] ?? 422);

const isOfRequest = (problem: Problem): problem is RequestProblem =>
  Object.hasOwn(REQUEST_STATUS, problem.code);

const REQUEST_STATUS: { readonly [C in RequestProblem['code']]: number } = {
  not_signed_in: 401,
  wrong_pairing_code: 401,
  wrong_host: 421,
  foreign_origin: 403,
  not_from_the_page: 403,
  malformed_request: 400,
  unknown_route: 404,
  wrong_method: 405,
  not_json: 415,
  body_too_large: 413,
  invalid_input: 400,
  too_many_requests: 429,
  too_much_unread: 429,
  too_many_streams: 429,
  workspace_not_served: 403,
  answer_too_wide: 403,
  session_exists: 409,
  events_ahead: 409,
  stopped_meanwhile: 409,
  owner_silent: 504,
  shutting_down: 503,
  server_fault: 500,
};

/** A failure that is not named here was found in what was asked for: 422. */
const FAILURE_STATUS: { readonly [C in FailureCode]?: number } = {
  invalid_request: 400,
  invalid_answer: 400,
  unknown_session: 404,
  unknown_call: 404,
  unknown_grant: 404,
  unknown_turn: 404,
  already_answered: 409,
  already_settled: 409,
  not_waiting: 409,
  question_changed: 409,
  duplicate_call_id: 409,
  session_owned: 409,
  session_idle: 409,
  session_setup: 409,
  given_up: 409,
  another_writer: 409,
  owner_lost: 409,
  busy: 409,
  disposed: 503,
  model_not_configured: 503,
  journal_full: 507,
  journal_read_only: 503,
  journal_locked: 503,
  journal_corrupt: 500,
  journal_newer: 500,
  journal_foreign: 500,
  journal_unavailable: 503,
  internal: 500,
};

function explainRequest(problem: RequestProblem): { readonly message: string; readonly hint: string } {
  switch (problem.code) {
    case 'not_signed_in':
      return {
        message: 'This request has no valid token and does not come from a signed-in browser.',
        hint: 'Send "Authorization: Bearer TOKEN"; in a browser, open the link that `countersign serve link` prints.',
      };
    case 'wrong_pairing_code':
      return {
        message: 'The code is unknown, already used, or expired.',
        hint: 'Run `countersign serve link` for a new one.',
      };
    case 'wrong_host':
      return {
        message: 'The Host header does not name this server.',
        hint: 'Use the address that `countersign serve` printed, or start it with --host-name NAME.',
      };
    case 'foreign_origin':
      return {
        message: 'The request comes from another origin.',
        hint: 'In a browser, only the page of this server may send requests.',
      };
    case 'not_from_the_page':
      return {
        message: 'A request from a browser that makes a change must have the Origin of this server.',
        hint: 'Send the header Origin, or use a token instead of the cookie.',
      };
    case 'malformed_request':
      return { message: `The request is malformed: ${problem.problem}.`, hint: 'Fix the request.' };
    case 'unknown_route':
      return {
        message: 'This route does not exist.',
        hint: 'GET /api/openapi.json lists all routes.',
      };
    case 'wrong_method':
      return {
        message: 'This route does not support that method.',
        hint: `Use ${problem.allowed.join(' or ')}.`,
      };
    case 'not_json':
      return {
        message: 'The body must be JSON.',
        hint: 'Send "Content-Type: application/json", in UTF-8 and without Content-Encoding.',
      };
    case 'body_too_large':
      return { message: `The body is larger than ${problem.bytesMax} bytes.`, hint: 'Send a smaller body.' };
    case 'invalid_input':
      return {
        message: `The request does not match its schema: ${problem.problems.join('; ')}.`,
        hint: 'See GET /api/openapi.json for the schema.',
      };
    case 'too_many_requests':
      return {
        message: 'Too many requests.',
        hint: `Try again in ${Math.ceil(problem.retryAfterMs / 1_000)} s.`,
      };
    case 'too_much_unread':
      return {
        message: 'Too many unread responses are buffered, so this response was discarded.',
        hint: 'Read or close the open responses and streams, then send the request again.',
      };
    case 'too_many_streams':
      return {
        message: `This client has ${problem.streamsMax} open event streams already.`,
        hint: 'Close one first; one stream can follow all approvals.',
      };
    case 'workspace_not_served':
      return {
        message: `The directory ${problem.workspace} is not served here.`,
        hint: `Served: ${problem.served.join(', ')}. Start with --workspace DIR to serve another.`,
      };
    case 'answer_too_wide':
      return {
        message: `The session works in ${problem.workspace}, which is not served here, and this answer is not allowed from here: ${problem.wider}.`,
        hint: 'Allow it once and unchanged, or decline it; or answer where the session was started. The question is still open.',
      };
    case 'session_exists':
      return {
        message: `The session ${problem.sessionId} already exists.`,
        hint: 'Choose another id, or omit it.',
      };
    case 'events_ahead':
      return {
        message: `Events after ${problem.after} were requested, but the last event is ${problem.last}.`,
        hint: 'This is a different session with the same id. Read it from the start.',
      };
    case 'owner_silent':
      return {
        message: `Another process has this session open and did not respond within ${problem.afterMs} ms.`,
        hint: `The command was withdrawn and has no effect. Try again${problem.pid === null ? '' : `, or check process ${problem.pid}`}.`,
      };
    case 'stopped_meanwhile':
      return {
        message: 'Everything was stopped before the message reached the model, so it was not stored.',
        hint: 'Send it again if it is still needed.',
      };
    case 'shutting_down':
      return { message: 'The server is shutting down.', hint: 'Try again after it has restarted.' };
    case 'server_fault':
      return {
        message: 'The server had an internal error.',
        hint: 'See the output of the server. Everything that was done is in the journal.',
      };
  }
}
