import type { FailureCode, FailureOf } from './failure.js';

/**
 * One example of every failure, from which docs/FAILURES.md is made. A code
 * without an example does not compile.
 */
export const FAILURE_SAMPLES: { readonly [C in FailureCode]: FailureOf<C> } = {
  tool_not_registered: { code: 'tool_not_registered', name: 'raed_file', nearest: ['read_file'] },
  invalid_tool_params: {
    code: 'invalid_tool_params',
    name: 'read_file',
    problems: ['file_path is missing (expected a string)', 'lines is not an argument of this tool'],
  },
  duplicate_call_id: { code: 'duplicate_call_id', callId: 'call-1' },
  invalid_request: { code: 'invalid_request', problem: 'line 3 is not JSON' },

  plan_failed: { code: 'plan_failed', name: 'replace', message: 'old_string occurs nowhere in src/a.ts' },
  plan_timed_out: { code: 'plan_timed_out', name: 'glob', afterMs: 30_000 },
  policy_violation: {
    code: 'policy_violation',
    reason: 'Files under vendor/ are not edited here.',
    rule: 'policy.toml:12',
  },
  nobody_to_ask: { code: 'nobody_to_ask', reason: 'write_file has an effect, and the mode is manual' },

  execution_failed: { code: 'execution_failed', message: 'The server answered 404 for /notes/7.' },
  unhandled_exception: { code: 'unhandled_exception', message: 'Cannot read properties of undefined' },
  temporary: { code: 'temporary', message: 'the server is restarting' },
  network: { code: 'network', message: 'connection reset by example.org' },
  timed_out: { code: 'timed_out', afterMs: 120_000, stopped: true },
  result_not_plain: { code: 'result_not_plain', problem: 'llmContent holds a function' },
  interrupted: { code: 'interrupted', attempt: 1 },

  file_not_found: { code: 'file_not_found', path: 'src/idnex.ts', nearest: ['src/index.ts'] },
  target_is_directory: { code: 'target_is_directory', path: 'src' },
  target_is_not_directory: { code: 'target_is_not_directory', path: 'src/index.ts' },
  target_is_special: { code: 'target_is_special', path: 'run/events', what: 'a named pipe' },
  invalid_path: { code: 'invalid_path', path: 'a\\0b', problem: 'it holds a NUL character' },
  permission_denied: { code: 'permission_denied', path: 'secrets/key.pem' },
  binary_file: { code: 'binary_file', path: 'logo.bin', mimeType: 'application/octet-stream' },
  file_too_large: { code: 'file_too_large', path: 'dump.sql', bytes: 73_400_320, bytesMax: 20_971_520 },
  unencodable_content: {
    code: 'unencodable_content',
    path: 'letter.txt',
    encoding: 'latin1',
    character: '"→" (U+2192)',
  },
  stale_file: { code: 'stale_file', path: 'src/a.ts' },
  no_space_left: { code: 'no_space_left', path: 'src/a.ts' },
  file_write_failure: { code: 'file_write_failure', path: 'src/a.ts', message: 'input/output error' },
  read_content_failure: { code: 'read_content_failure', path: 'src/a.ts', message: 'input/output error' },

  unknown_call: { code: 'unknown_call', callId: 'call-9' },
  already_answered: {
    code: 'already_answered',
    callId: 'call-1',
    by: 'ada',
    at: Date.UTC(2030, 0, 2, 9, 30),
    outcome: 'proceed_once',
  },
  already_settled: { code: 'already_settled', callId: 'call-1', status: 'success' },
  not_waiting: { code: 'not_waiting', callId: 'call-1', status: 'executing' },
  question_changed: { code: 'question_changed', callId: 'call-1', why: 'src/a.ts was changed on disk' },
  outcome_not_offered: {
    code: 'outcome_not_offered',
    outcome: 'proceed_always_server',
    offered: ['proceed_once', 'proceed_always', 'cancel'],
  },
  invalid_answer: { code: 'invalid_answer', problem: 'newContent is only for edits' },
  path_not_shown: { code: 'path_not_shown', paths: ['src/b.ts'] },
  unknown_grant: { code: 'unknown_grant', grantId: 'grant-4' },
  unknown_turn: { code: 'unknown_turn', turn: 7 },
  busy: { code: 'busy', turn: 3 },
  disposed: { code: 'disposed' },
  internal: { code: 'internal', message: 'call-1 cannot go from success to executing' },
  slow_subscriber: { code: 'slow_subscriber', seq: 4_096 },

  journal_full: { code: 'journal_full', path: 'journal.db' },
  journal_read_only: { code: 'journal_read_only', path: 'journal.db' },
  journal_locked: { code: 'journal_locked', path: 'journal.db', waitedMs: 5_000 },
  journal_corrupt: { code: 'journal_corrupt', path: 'journal.db', detail: 'the hash of append 12 is wrong' },
  journal_newer: { code: 'journal_newer', path: 'journal.db', found: 3, known: 2 },
  journal_foreign: { code: 'journal_foreign', path: 'notes.db' },
  journal_unavailable: { code: 'journal_unavailable', path: 'journal.db', detail: 'input/output error' },
  another_writer: { code: 'another_writer', sessionId: 's-1', expected: 40, found: 44 },
  owner_lost: { code: 'owner_lost', sessionId: 's-1' },
  claim_lost: { code: 'claim_lost', grantIds: ['grant-4'] },
  command_withdrawn: { code: 'command_withdrawn', inboxIds: [17] },
  session_owned: { code: 'session_owned', sessionId: 's-1', pid: 4_711 },
  session_idle: { code: 'session_idle', sessionId: 'ses-1' },
  unknown_session: { code: 'unknown_session', sessionId: 's-9' },

  policy_invalid: {
    code: 'policy_invalid',
    file: 'policy.toml',
    line: 8,
    problem: 'unknown key "toolNames"; did you mean "toolName"?',
  },
  tool_module_invalid: {
    code: 'tool_module_invalid',
    file: 'tools.mjs',
    problem: 'its default export is not an array',
  },
  usage: {
    code: 'usage',
    problem: 'exec does not know the option --modes.',
    try: 'countersign exec --help',
  },
};
