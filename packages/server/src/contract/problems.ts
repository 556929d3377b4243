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

/** Stops a request with a problem that whoever sent it can act on. */
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
        message:
          'This request carries no token that is known here, and comes from no browser that is signed in.',
        hint: 'Send "Authorization: Bearer TOKEN"; in a browser, open the link that `countersign serve link` prints.',
      };
    case 'wrong_pairing_code':
      return {
        message: 'The code is not known, was used already, or is too old.',
        hint: 'Run `countersign serve link` for a new one.',
      };
    case 'wrong_host':
      return {
        message: 'The name in the Host header is not one of this server.',
        hint: 'Use the address that `countersign serve` printed, or start it with --host-name NAME.',
      };
    case 'foreign_origin':
      return {
        message: 'The request comes from a page of another origin.',
        hint: 'Only the page of this server may use it from a browser.',
      };
    case 'not_from_the_page':
      return {
        message: 'A request of a browser that changes something must say that it comes from our own page.',
        hint: 'Send the header Origin, or use a token instead of the cookie.',
      };
    case 'malformed_request':
      return { message: `The request is malformed: ${problem.problem}.`, hint: 'Mend the request.' };
    case 'unknown_route':
      return {
        message: 'There is nothing at this address.',
        hint: 'GET /api/openapi.json lists all routes.',
      };
    case 'wrong_method':
      return {
        message: 'This address does not take that method.',
        hint: `Use ${problem.allowed.join(' or ')}.`,
      };
    case 'not_json':
      return {
        message: 'The body must be JSON.',
        hint: 'Send "Content-Type: application/json", in UTF-8 and without Content-Encoding.',
      };
    case 'body_too_large':
      return { message: `The body is larger than ${problem.bytesMax} bytes.`, hint: 'Send less at once.' };
    case 'invalid_input':
      return {
        message: `The request does not fit the description: ${problem.problems.join('; ')}.`,
        hint: 'GET /api/openapi.json describes what is expected.',
      };
    case 'too_many_requests':
      return {
        message: 'Too many requests.',
        hint: `Try again in ${Math.ceil(problem.retryAfterMs / 1_000)} s.`,
      };
    case 'too_much_unread':
      return {
        message: 'Too much that was asked for has not been read yet, so this answer was not kept.',
        hint: 'Read the answers and streams that are open, or close them, then ask again.',
      };
    case 'too_many_streams':
      return {
        message: `This client has ${problem.streamsMax} event streams open already.`,
        hint: 'Close one first; one stream can follow all approvals.',
      };
    case 'workspace_not_served':
      return {
        message: `The directory ${problem.workspace} is not served here.`,
        hint: `Served: ${problem.served.join(', ')}. Start with --workspace DIR to serve another.`,
      };
    case 'answer_too_wide':
      return {
        message: `The session works in ${problem.workspace}, which is not served here, and this answer goes too far: ${problem.wider}.`,
        hint: 'Allow it once as it was asked, or decline it; or answer where the session was started. The question still waits.',
      };
    case 'session_exists':
      return {
        message: `There is a session ${problem.sessionId} already.`,
        hint: 'Choose another id, or leave it out.',
      };
    case 'events_ahead':
      return {
        message: `Events were asked for after ${problem.after}, but the last one is ${problem.last}.`,
        hint: 'The session is not the one that was read before. Read it from its beginning.',
      };
    case 'owner_silent':
      return {
        message: `Another process works on this session and has not answered within ${problem.afterMs} ms.`,
        hint: `What was asked of it was taken back: nothing of that will happen. Try again${problem.pid === null ? '' : `, or see to process ${problem.pid}`}.`,
      };
    case 'stopped_meanwhile':
      return {
        message: 'Everything was stopped before the model could be told, so the message was not kept.',
        hint: 'Send it again if it still holds.',
      };
    case 'shutting_down':
      return { message: 'The server is about to end.', hint: 'Try again when it runs again.' };
    case 'server_fault':
      return {
        message: 'Something went wrong in the server itself.',
        hint: 'Its own output says more. Nothing was done that is not in the journal.',
      };
  }
}
