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
  | {
      readonly code: 'session_deleted';
      readonly sessionId: string;
      readonly by: string;
      readonly at: number;
    }
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

export const invalidInput = (problem: string): Refusal =>
  new Refusal({ code: 'invalid_input', problems: [problem] });
export const invalidCursor = (): Refusal => invalidInput('cursor is not the `next` of a previous page');

/** Repeats at most one line of what was sent. */
export function problemBody(whole: Problem): ProblemBody {
  const problem = shortened(whole);
  const { message, hint } = isOfRequest(problem) ? explainRequest(problem) : explain(problem);
  const { code, ...details } = problem;
  return { error: { code, message, hint, details } };
}

export const statusOf = (problem: Problem): number =>
  isOfRequest(problem) ? explainRequest(problem).status : (FAILURE_STATUS[problem.code] ?? 422);

const isOfRequest = (problem: Problem): problem is RequestProblem =>
  Object.hasOwn(REQUEST_PROBLEMS, problem.code);

type RequestProblemOf<C> = Extract<RequestProblem, { code: C }>;
type Explain<P> = (problem: P) => readonly [status: number, message: string, hint: string];

function explainRequest<C extends RequestProblem['code']>(
  problem: RequestProblemOf<C> & { readonly code: C },
) {
  const explainIt: Explain<RequestProblemOf<C>> = REQUEST_PROBLEMS[problem.code];
  const [status, message, hint] = explainIt(problem);
  return { status, message, hint };
}

const REQUEST_PROBLEMS: { readonly [C in RequestProblem['code']]: Explain<RequestProblemOf<C>> } = {
  not_signed_in: () => [
    401,
    'This request has no valid token and does not come from a signed-in browser.',
    'Send "Authorization: Bearer TOKEN"; in a browser, open the link that `countersign serve link` prints.',
  ],
  wrong_pairing_code: () => [
    401,
    'The code is unknown, already used, or expired.',
    'Run `countersign serve link` for a new one.',
  ],
  wrong_host: () => [
    421,
    'The Host header does not name this server.',
    'Use the address that `countersign serve` printed, or start it with --host-name NAME.',
  ],
  foreign_origin: () => [
    403,
    'The request comes from another origin.',
    'In a browser, only the page of this server may send requests.',
  ],
  not_from_the_page: () => [
    403,
    'A request from a browser that makes a change must have the Origin of this server.',
    'Send the header Origin, or use a token instead of the cookie.',
  ],
  malformed_request: ({ problem }) => [400, `The request is malformed: ${problem}.`, 'Fix the request.'],
  unknown_route: () => [404, 'This route does not exist.', 'GET /api/openapi.json lists all routes.'],
  wrong_method: ({ allowed }) => [
    405,
    'This route does not support that method.',
    `Use ${allowed.join(' or ')}.`,
  ],
  not_json: () => [
    415,
    'The body must be JSON.',
    'Send "Content-Type: application/json", in UTF-8 and without Content-Encoding.',
  ],
  body_too_large: ({ bytesMax }) => [
    413,
    `The body is larger than ${bytesMax} bytes.`,
    'Send a smaller body.',
  ],
  invalid_input: ({ problems }) => [
    400,
    `The request does not match its schema: ${problems.join('; ')}.`,
    'See GET /api/openapi.json for the schema.',
  ],
  too_many_requests: ({ retryAfterMs }) => [
    429,
    'Too many requests.',
    `Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`,
  ],
  too_much_unread: () => [
    429,
    'Too many unread responses are buffered, so this response was discarded.',
    'Read or close the open responses and streams, then send the request again.',
  ],
  too_many_streams: ({ streamsMax }) => [
    429,
    `This client has ${streamsMax} open event streams already.`,
    'Close one first; one stream can follow all approvals.',
  ],
  workspace_not_served: ({ served, workspace }) => [
    403,
    `The directory ${workspace} is not served here.`,
    `Served: ${served.join(', ')}. Start with --workspace DIR to serve another.`,
  ],
  answer_too_wide: ({ wider, workspace }) => [
    403,
    `The session works in ${workspace}, which is not served here, and this answer is not allowed from here: ${wider}.`,
    'Allow it once and unchanged, or decline it; or answer where the session was started. The question is still open.',
  ],
  session_exists: ({ sessionId }) => [
    409,
    `The session ${sessionId} already exists.`,
    'Choose another id, or omit it.',
  ],
  session_deleted: ({ sessionId, by, at }) => [
    410,
    `The session ${sessionId} was deleted by ${by} at ${new Date(at).toISOString()}, and a repeated request does not make it again.`,
    'Nothing was done. To make a new session, send the request with another key and without this id.',
  ],
  events_ahead: ({ after, last }) => [
    409,
    `Events after ${after} were requested, but the last event is ${last}.`,
    'This is a different session with the same id. Read it from the start.',
  ],
  owner_silent: ({ afterMs, pid }) => [
    504,
    `Another process has this session open and did not respond within ${afterMs} ms.`,
    `The command was withdrawn and has no effect. Try again${pid === null ? '' : `, or check process ${pid}`}.`,
  ],
  stopped_meanwhile: () => [
    409,
    'Everything was stopped before the message reached the model, so it was not stored.',
    'Send it again if it is still needed.',
  ],
  shutting_down: () => [503, 'The server is shutting down.', 'Try again after it has restarted.'],
  server_fault: () => [
    500,
    'The server had an internal error.',
    'See the output of the server. Everything that was done is in the journal.',
  ],
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
  key_reused: 409,
  call_id_reused: 409,
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
  no_space_left: 507,
  file_write_failure: 500,
  journal_read_only: 503,
  journal_locked: 503,
  journal_corrupt: 500,
  journal_newer: 500,
  journal_foreign: 500,
  journal_unavailable: 503,
  internal: 500,
};
