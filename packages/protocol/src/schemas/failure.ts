import { z } from 'zod';
import type { Failure, FailureCode, FailureOf } from '../index.js';
import { need, number, setupGap, text, textOrNull, texts } from './parts.js';

/** A failure of a code we know, with everything its text needs. */
export const failure = z.custom<Failure>((value) => {
  const code = typeof value === 'object' && value !== null && 'code' in value ? value.code : undefined;
  return typeof code === 'string' && isKnown(code) && FIELDS[code].safeParse(value).success;
}, 'not a failure that this program knows');

const isKnown = (code: string): code is FailureCode => Object.hasOwn(FIELDS, code);

type Fields<C extends FailureCode> = z.ZodType<Omit<FailureOf<C>, 'code'>>;

const none = z.looseObject({});
const path = z.looseObject({ path: text });
const message = z.looseObject({ message: text });
const problem = z.looseObject({ problem: text });
const callId = z.looseObject({ callId: text });
const sessionId = z.looseObject({ sessionId: text });
const pathAndDetail = z.looseObject({ path: text, detail: text });
const pathAndMessage = z.looseObject({ path: text, message: text });
const pathAndNearest = z.looseObject({ path: text, nearest: texts });
const httpStatus = z.looseObject({ url: text, status: number, meaning: text });
const excerpts = z.array(z.looseObject({ line: number, text }));

const FIELDS: { readonly [C in FailureCode]: Fields<C> } = {
  tool_not_registered: z.looseObject({ name: text, nearest: texts }),
  invalid_tool_params: z.looseObject({ name: text, problems: texts }),
  duplicate_call_id: callId,
  invalid_request: problem,
  plan_failed: z.looseObject({ name: text, message: text }),
  plan_timed_out: z.looseObject({ name: text, afterMs: number }),
  policy_violation: z.looseObject({ reason: text, rule: textOrNull }),
  nobody_to_ask: z.looseObject({ reason: text }),
  turn_limit: z.looseObject({ turnsMax: number }),
  budget_spent: z.looseObject({
    what: z.enum(['tokens', 'dollars']),
    limit: number,
    answered: z.literal(true).exactOptional(),
  }),
  budget_unknown: z.looseObject({
    what: z.enum(['tokens', 'dollars']),
    limit: number,
    model: text,
    because: z.enum(['no price', 'no token count']),
    answered: z.literal(true).exactOptional(),
  }),
  loop_detected: z.looseObject({ what: text }),
  empty_answer: z.looseObject({ said: text }),
  answer_blocked: z.looseObject({ said: text, message: text.nullable() }),
  hook_denied: z.looseObject({ hook: text, reason: text }),
  execution_failed: message,
  unhandled_exception: message,
  temporary: message,
  network: message,
  timed_out: z.looseObject({ afterMs: number, stopped: z.boolean() }),
  result_not_plain: problem,
  interrupted: z.looseObject({ attempt: number }),
  command_failed: z.looseObject({ exitCode: number, signal: textOrNull }),
  fell_silent: z.looseObject({ afterMs: number }),
  output_too_large: z.looseObject({ path: text, bytes: number, bytesMax: number }),
  command_lost: z.looseObject({ evidence: text }),
  sandbox_denied: z.looseObject({ need, exitCode: z.number() }),
  sandbox_unavailable: z.looseObject({ why: text, fix: text }),
  unknown_process: z.looseObject({ pid: number, known: z.array(number) }),
  address_refused: z.looseObject({ url: text, why: text }),
  fetch_failed: z.looseObject({ url: text, problem: text }),
  http_status: httpStatus,
  server_busy: httpStatus,
  unsupported_content: z.looseObject({ url: text, mimeType: text }),
  redirected_elsewhere: z.looseObject({ url: text, to: text }),
  mcp_unavailable: z.looseObject({ server: text, problem: text }),
  mcp_outcome_unknown: z.looseObject({ server: text, tool: text, problem: text }),
  mcp_tool_changed: z.looseObject({ server: text, tool: text }),
  unknown_resource: z.looseObject({ uri: text, servers: texts }),
  unknown_skill: z.looseObject({ name: text, nearest: texts }),
  file_not_found: pathAndNearest,
  target_is_directory: z.looseObject({ path: text, nearest: texts.exactOptional() }),
  target_is_not_directory: path,
  target_is_special: z.looseObject({ path: text, what: text }),
  invalid_path: z.looseObject({ path: text, problem: text }),
  permission_denied: path,
  binary_file: z.looseObject({ path: text, mimeType: text }),
  file_too_large: z.looseObject({ path: text, bytes: number, bytesMax: number }),
  media_too_large: z.looseObject({ path: text, mimeType: text, bytes: number, bytesMax: number }),
  unencodable_content: z.looseObject({ path: text, encoding: text, character: text }),
  stale_file: path,
  no_space_left: path,
  file_write_failure: pathAndMessage,
  read_content_failure: pathAndMessage,
  edit_no_occurrence_found: z.looseObject({
    path: text,
    searched: z.enum(['exact', 'exact and similar']),
    nearest: excerpts,
    remarks: texts,
  }),
  edit_expected_occurrence_mismatch: z.looseObject({
    path: text,
    match: z.enum(['exact', 'flexible', 'fuzzy']),
    expected: number,
    found: number,
    places: excerpts,
  }),
  edit_no_change: z.looseObject({ path: text, reason: text }),
  attempt_to_create_existing_file: path,
  edit_omission_placeholder: z.looseObject({ path: text, line: number, text }),
  unknown_call: callId,
  already_answered: z.looseObject({
    callId: text,
    by: text,
    at: number,
    outcome: text,
    notApplied: texts.exactOptional(),
    carried: text.exactOptional(),
  }),
  key_reused: z.looseObject({ key: text }),
  call_id_reused: callId,
  already_settled: z.looseObject({ callId: text, status: text }),
  not_waiting: z.looseObject({ callId: text, status: text }),
  question_changed: z.looseObject({ callId: text, why: text }),
  outcome_not_offered: z.looseObject({ outcome: text, offered: texts }),
  invalid_answer: problem,
  path_not_shown: z.looseObject({ paths: texts }),
  unknown_grant: z.looseObject({ grantId: text }),
  unknown_turn: z.looseObject({ turn: number }),
  busy: z.looseObject({ turn: number }),
  disposed: none,
  internal: message,
  journal_full: path,
  journal_read_only: path,
  journal_locked: z.looseObject({ path: text, waitedMs: number }),
  journal_corrupt: z.looseObject({ path: text, detail: text, sessionId: text.exactOptional() }),
  journal_newer: z.looseObject({ path: text, found: number, known: number }),
  journal_foreign: path,
  journal_unavailable: pathAndDetail,
  another_writer: z.looseObject({ sessionId: text, expected: number, found: number }),
  owner_lost: sessionId,
  claim_lost: z.looseObject({ grantIds: texts }),
  command_withdrawn: z.looseObject({ inboxIds: z.array(number) }),
  session_owned: z.looseObject({ sessionId: text, pid: number }),
  session_setup: z.looseObject({ sessionId: text, missing: z.array(setupGap) }),
  given_up: z.looseObject({ sessionId: text, pid: number }),
  session_idle: z.looseObject({ sessionId: text, command: text.exactOptional() }),
  unknown_session: sessionId,
  model_not_configured: z.looseObject({ problem: text, fix: text }),
  model_unreachable: z.looseObject({
    provider: text,
    problem: text,
    refused: z.literal(true).exactOptional(),
    proxy: text.exactOptional(),
  }),
  model_refused: z.looseObject({ provider: text, status: number, message: text, credential: textOrNull }),
  model_rejected: z.looseObject({ provider: text, status: number.nullable(), message: text }),
  model_overloaded: z.looseObject({
    provider: text,
    status: number,
    message: text,
    retryAfterMs: number.nullable(),
  }),
  model_cut_off: z.looseObject({ provider: text, problem: text }),
  model_nonsense: z.looseObject({
    provider: text,
    problem: text,
    excerpt: text,
    contentType: text.exactOptional(),
  }),
  model_silent: z.looseObject({ provider: text, afterMs: number }),
  policy_invalid: z.looseObject({ file: text, line: number, problem: text }),
  settings_invalid: z.looseObject({ file: text, line: number, column: number, problem: text }),
  tool_module_invalid: z.looseObject({ file: text, problem: text }),
  tool_discovery_failed: z.looseObject({ command: text, problem: text, printed: text }),
  usage: z.looseObject({ problem: text, try: text }),
};
