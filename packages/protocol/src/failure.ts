import { type Need, needInWords } from './need.js';

/**
 * Everything that can go wrong, as data. Texts live in `FAILURES`, next to who
 * should read them, so that a code can be switched on and a sentence improved
 * without touching what is stored.
 */
export type Failure =
  // The request
  | { readonly code: 'tool_not_registered'; readonly name: string; readonly nearest: readonly string[] }
  | { readonly code: 'invalid_tool_params'; readonly name: string; readonly problems: readonly string[] }
  | { readonly code: 'duplicate_call_id'; readonly callId: string }
  | { readonly code: 'invalid_request'; readonly problem: string }
  // Planning and judging
  | { readonly code: 'plan_failed'; readonly name: string; readonly message: string }
  | { readonly code: 'plan_timed_out'; readonly name: string; readonly afterMs: number }
  | { readonly code: 'policy_violation'; readonly reason: string; readonly rule: string | null }
  | { readonly code: 'nobody_to_ask'; readonly reason: string }
  | { readonly code: 'hook_denied'; readonly hook: string; readonly reason: string }
  // Running
  /** `type` is the tool's own name for what went wrong, where it has one. */
  | { readonly code: 'execution_failed'; readonly message: string; readonly type?: string }
  | { readonly code: 'unhandled_exception'; readonly message: string }
  | { readonly code: 'temporary'; readonly message: string }
  | { readonly code: 'network'; readonly message: string }
  | { readonly code: 'timed_out'; readonly afterMs: number; readonly stopped: boolean }
  | { readonly code: 'result_not_plain'; readonly problem: string }
  | { readonly code: 'interrupted'; readonly attempt: number }
  // Commands
  /** `signal` is the one that ended it, where that is certain. */
  | { readonly code: 'command_failed'; readonly exitCode: number; readonly signal: string | null }
  | { readonly code: 'fell_silent'; readonly afterMs: number }
  | {
      readonly code: 'output_too_large';
      readonly path: string;
      readonly bytes: number;
      readonly bytesMax: number;
    }
  | { readonly code: 'command_lost'; readonly evidence: string }
  | { readonly code: 'sandbox_denied'; readonly need: Need; readonly exitCode: number }
  | { readonly code: 'sandbox_unavailable'; readonly why: string; readonly fix: string }
  | { readonly code: 'unknown_process'; readonly pid: number; readonly known: readonly number[] }
  // The web
  | { readonly code: 'address_refused'; readonly url: string; readonly why: string }
  | { readonly code: 'fetch_failed'; readonly url: string; readonly problem: string }
  | { readonly code: 'http_status'; readonly url: string; readonly status: number; readonly meaning: string }
  | { readonly code: 'server_busy'; readonly url: string; readonly status: number; readonly meaning: string }
  | { readonly code: 'unsupported_content'; readonly url: string; readonly mimeType: string }
  | { readonly code: 'redirected_elsewhere'; readonly url: string; readonly to: string }
  | { readonly code: 'unknown_skill'; readonly name: string; readonly nearest: readonly string[] }
  // MCP servers
  | { readonly code: 'mcp_unavailable'; readonly server: string; readonly problem: string }
  | {
      readonly code: 'mcp_outcome_unknown';
      readonly server: string;
      readonly tool: string;
      readonly problem: string;
    }
  | { readonly code: 'mcp_tool_changed'; readonly server: string; readonly tool: string }
  | { readonly code: 'unknown_resource'; readonly uri: string; readonly servers: readonly string[] }
  // Files
  | { readonly code: 'file_not_found'; readonly path: string; readonly nearest: readonly string[] }
  | { readonly code: 'target_is_directory'; readonly path: string; readonly nearest?: readonly string[] }
  | { readonly code: 'target_is_not_directory'; readonly path: string }
  | { readonly code: 'target_is_special'; readonly path: string; readonly what: string }
  | { readonly code: 'invalid_path'; readonly path: string; readonly problem: string }
  | { readonly code: 'permission_denied'; readonly path: string }
  | { readonly code: 'binary_file'; readonly path: string; readonly mimeType: string }
  | {
      readonly code: 'file_too_large';
      readonly path: string;
      readonly bytes: number;
      readonly bytesMax: number;
    }
  | {
      readonly code: 'media_too_large';
      readonly path: string;
      readonly mimeType: string;
      readonly bytes: number;
      readonly bytesMax: number;
    }
  | {
      readonly code: 'unencodable_content';
      readonly path: string;
      readonly encoding: string;
      readonly character: string;
    }
  | { readonly code: 'stale_file'; readonly path: string }
  | { readonly code: 'no_space_left'; readonly path: string }
  | { readonly code: 'file_write_failure'; readonly path: string; readonly message: string }
  | { readonly code: 'read_content_failure'; readonly path: string; readonly message: string }
  // Edits
  | {
      readonly code: 'edit_no_occurrence_found';
      readonly path: string;
      /** How far the search went: in files and texts beyond a limit only exact matches are looked for. */
      readonly searched: 'exact' | 'exact and similar';
      readonly nearest: readonly Excerpt[];
      readonly remarks: readonly string[];
    }
  | {
      readonly code: 'edit_expected_occurrence_mismatch';
      readonly path: string;
      readonly match: 'exact' | 'flexible' | 'fuzzy';
      readonly expected: number;
      readonly found: number;
      readonly places: readonly Excerpt[];
    }
  | { readonly code: 'edit_no_change'; readonly path: string; readonly reason: string }
  | { readonly code: 'attempt_to_create_existing_file'; readonly path: string }
  | {
      readonly code: 'edit_omission_placeholder';
      readonly path: string;
      readonly line: number;
      readonly text: string;
    }
  // Answering and commanding
  | { readonly code: 'unknown_call'; readonly callId: string }
  | {
      readonly code: 'already_answered';
      readonly callId: string;
      readonly by: string;
      readonly at: number;
      readonly outcome: string;
    }
  | { readonly code: 'already_settled'; readonly callId: string; readonly status: string }
  | { readonly code: 'not_waiting'; readonly callId: string; readonly status: string }
  | { readonly code: 'question_changed'; readonly callId: string; readonly why: string }
  | { readonly code: 'outcome_not_offered'; readonly outcome: string; readonly offered: readonly string[] }
  | { readonly code: 'invalid_answer'; readonly problem: string }
  | { readonly code: 'path_not_shown'; readonly paths: readonly string[] }
  | { readonly code: 'unknown_grant'; readonly grantId: string }
  | { readonly code: 'unknown_turn'; readonly turn: number }
  | { readonly code: 'busy'; readonly turn: number }
  | { readonly code: 'disposed' }
  | { readonly code: 'internal'; readonly message: string }
  | { readonly code: 'slow_subscriber'; readonly seq: number }
  // The journal
  | { readonly code: 'journal_full'; readonly path: string }
  | { readonly code: 'journal_read_only'; readonly path: string }
  | { readonly code: 'journal_locked'; readonly path: string; readonly waitedMs: number }
  | { readonly code: 'journal_corrupt'; readonly path: string; readonly detail: string }
  | { readonly code: 'journal_newer'; readonly path: string; readonly found: number; readonly known: number }
  | { readonly code: 'journal_foreign'; readonly path: string }
  | { readonly code: 'journal_unavailable'; readonly path: string; readonly detail: string }
  | {
      readonly code: 'another_writer';
      readonly sessionId: string;
      readonly expected: number;
      readonly found: number;
    }
  | { readonly code: 'owner_lost'; readonly sessionId: string }
  | { readonly code: 'claim_lost'; readonly grantIds: readonly string[] }
  | { readonly code: 'command_withdrawn'; readonly inboxIds: readonly number[] }
  | { readonly code: 'session_owned'; readonly sessionId: string; readonly pid: number }
  | { readonly code: 'session_idle'; readonly sessionId: string }
  | { readonly code: 'unknown_session'; readonly sessionId: string }
  // The model. `provider` is the name a person knows it by; no text ever holds a key.
  // The agent
  | { readonly code: 'turn_limit'; readonly turnsMax: number }
  | { readonly code: 'budget_spent'; readonly what: 'tokens' | 'dollars'; readonly limit: number }
  | { readonly code: 'loop_detected'; readonly what: string }
  | { readonly code: 'empty_answer'; readonly said: string }
  /** `message` is what the provider adds to its word for it. */
  | { readonly code: 'answer_blocked'; readonly said: string; readonly message: string | null }
  | { readonly code: 'model_not_configured'; readonly problem: string; readonly fix: string }
  | { readonly code: 'model_unreachable'; readonly provider: string; readonly problem: string }
  /** `credential`: where the key came from, e.g. the variable to check; null if none was sent. */
  | {
      readonly code: 'model_refused';
      readonly provider: string;
      readonly status: number;
      readonly message: string;
      readonly credential: string | null;
    }
  /** `status` is null where no HTTP was spoken. */
  | {
      readonly code: 'model_rejected';
      readonly provider: string;
      readonly status: number | null;
      readonly message: string;
    }
  | {
      readonly code: 'model_overloaded';
      readonly provider: string;
      readonly status: number;
      readonly message: string;
      readonly retryAfterMs: number | null;
    }
  | { readonly code: 'model_cut_off'; readonly provider: string; readonly problem: string }
  | {
      readonly code: 'model_nonsense';
      readonly provider: string;
      readonly problem: string;
      readonly excerpt: string;
    }
  | { readonly code: 'model_silent'; readonly provider: string; readonly afterMs: number }
  // Configuration
  | {
      readonly code: 'policy_invalid';
      readonly file: string;
      readonly line: number;
      readonly problem: string;
    }
  | {
      readonly code: 'settings_invalid';
      readonly file: string;
      readonly line: number;
      readonly column: number;
      readonly problem: string;
    }
  | { readonly code: 'tool_module_invalid'; readonly file: string; readonly problem: string }
  | {
      readonly code: 'tool_discovery_failed';
      readonly command: string;
      readonly problem: string;
      readonly printed: string;
    }
  | { readonly code: 'usage'; readonly problem: string; readonly try: string };

/** Names a failure; what to do about each is told in docs/FAILURES.md. */
export type FailureCode = Failure['code'];
export type FailureOf<C extends FailureCode> = Extract<Failure, { code: C }>;

/** Some lines of a file, the first of which has this number. */
export type Excerpt = { readonly line: number; readonly text: string };

/** Who can do something about it. */
export type Audience = 'model' | 'person' | 'operator';

type Entry<C extends FailureCode> = {
  readonly audience: Audience;
  /** Whether trying again, unchanged, may help: only these are retried by the engine. */
  readonly transient: boolean;
  readonly when: string;
  readonly message: (failure: FailureOf<C>) => string;
  readonly hint: (failure: FailureOf<C>) => string;
};

const nearestNames = (names: readonly string[], ifNone: string) =>
  names.length > 0 ? `Did you mean ${names.map((name) => `"${name}"`).join(', ')}?` : ifNone;

/** Each line with its number, and a line between excerpts, so that a model can tell them apart and quote them. */
const numbered = (excerpts: readonly Excerpt[]) =>
  excerpts
    .map(({ line, text }) => text.split('\n').map((content, index) => `${line + index}: ${content}`))
    .map((lines) => lines.join('\n'))
    .join('\n--\n');

export const FAILURES: { readonly [C in FailureCode]: Entry<C> } = {
  tool_not_registered: {
    audience: 'model',
    transient: false,
    when: 'A call names a tool that does not exist.',
    message: ({ name, nearest }) =>
      `Tool "${name}" not found in registry. ${nearestNames(nearest, 'No tool has a similar name.')}`,
    hint: () => 'Call one of the declared tools by its exact name.',
  },
  invalid_tool_params: {
    audience: 'model',
    transient: false,
    when: 'Arguments are missing, of the wrong type, or unknown to the tool.',
    message: ({ name, problems }) => `Invalid arguments for ${name}: ${problems.join('; ')}.`,
    hint: () => 'Correct the named arguments and call the tool again.',
  },
  duplicate_call_id: {
    audience: 'model',
    transient: false,
    when: 'Two calls of one batch carry the same id.',
    message: ({ callId }) => `Another call of this batch already has the id "${callId}".`,
    hint: () => 'Give every call of a batch its own id, or leave the id out to have one made.',
  },
  invalid_request: {
    audience: 'person',
    transient: false,
    when: 'A request or command does not have the documented shape.',
    message: ({ problem }) => `The request is not valid: ${problem}.`,
    hint: () => 'Correct the request; nothing of it was carried out.',
  },
  plan_failed: {
    audience: 'model',
    transient: false,
    when: "A tool's plan threw, so that nobody can say what the call would do.",
    message: ({ name, message }) => `${name} could not work out what this call would do: ${message}`,
    hint: () => 'Nothing was run. Change the arguments, or use another tool.',
  },
  plan_timed_out: {
    audience: 'model',
    transient: false,
    when: "A tool's plan did not finish within its limit.",
    message: ({ name, afterMs }) => `${name} did not say within ${afterMs} ms what this call would do.`,
    hint: () => 'Nothing was run. Narrow the call down, or use another tool.',
  },
  policy_violation: {
    audience: 'model',
    transient: false,
    when: 'A rule of policy denies the call.',
    message: ({ reason, rule }) =>
      `Denied by policy: ${reason}${rule && !reason.includes(rule) ? ` (${rule})` : ''}`,
    hint: () => 'Do not try the same thing another way; ask the person, or go on without it.',
  },
  nobody_to_ask: {
    audience: 'model',
    transient: false,
    when: 'Policy wants a person to be asked and no front end is attached.',
    message: ({ reason }) => `This call needs a person's approval. ${reason}`,
    hint: () =>
      'Go on without it, or run with an approval channel (for example --approvals stdio or --approvals wait).',
  },
  hook_denied: {
    audience: 'model',
    transient: false,
    when: 'A hook refuses the call, or failed and refuses until it works.',
    message: ({ reason }) => `Denied by a hook: ${reason}`,
    hint: () => 'Do not try the same thing another way; ask the person, or go on without it.',
  },
  execution_failed: {
    audience: 'model',
    transient: false,
    when: 'A tool ran and reported that it failed.',
    message: ({ message }) => message,
    hint: () => 'Read the message, correct the cause, then try again.',
  },
  unhandled_exception: {
    audience: 'model',
    transient: false,
    when: 'A tool threw something while running.',
    message: ({ message }) => `The tool failed unexpectedly: ${message}`,
    hint: () => 'It may have taken effect in part. Check before trying again.',
  },
  temporary: {
    audience: 'model',
    transient: true,
    when: 'A tool reported a passing fault.',
    message: ({ message }) => `A passing fault: ${message}`,
    hint: () => 'Try again later.',
  },
  network: {
    audience: 'model',
    transient: true,
    when: 'A tool could not reach the other side.',
    message: ({ message }) => `The network failed: ${message}`,
    hint: () => 'Check the address, then try again later.',
  },
  timed_out: {
    audience: 'model',
    transient: true,
    when: 'A call ran longer than its time limit.',
    message: ({ afterMs, stopped }) =>
      `Stopped after its time limit of ${afterMs} ms.${stopped ? '' : ' The tool did not react to being stopped and may still be working.'}`,
    hint: () => 'It may have taken effect in part. Check, then do less at once or raise the limit.',
  },
  result_not_plain: {
    audience: 'operator',
    transient: false,
    when: 'A tool returned something that cannot be stored as JSON.',
    message: ({ problem }) => `The tool ran, but its result cannot be kept: ${problem}.`,
    hint: () => 'The call has taken effect. Mend the tool so that it returns plain data.',
  },
  interrupted: {
    audience: 'model',
    transient: false,
    when: 'The program ended while the call was running and its outcome is unknown.',
    message: () => 'The program ended while this call was running. It may or may not have taken effect.',
    hint: () => 'Look at what is there now before doing it again; it will not be repeated by itself.',
  },
  command_failed: {
    audience: 'model',
    transient: false,
    when: 'A command ended with an exit code other than 0, or by a signal.',
    message: ({ exitCode, signal }) =>
      signal === null
        ? `The command ended with exit code ${exitCode}.`
        : `The command was ended by ${signal} (exit code ${exitCode}).`,
    hint: () => 'Its output tells why. What it did before that has happened.',
  },
  fell_silent: {
    audience: 'model',
    transient: false,
    when: 'A command printed nothing for longer than its idle limit.',
    message: ({ afterMs }) => `Stopped, since it had printed nothing for ${afterMs} ms.`,
    hint: () =>
      'If it waited for an answer, give it as an argument. If it is to run long, let it print, or run it with is_background.',
  },
  output_too_large: {
    audience: 'model',
    transient: false,
    when: 'A command printed more than is kept.',
    message: ({ path, bytes, bytesMax }) =>
      `Stopped, since it had printed ${bytes} bytes, where ${bytesMax} is the most. They are in ${path}.`,
    hint: () => 'Let it print less, e.g. by a filter, or let it write to a file of its own.',
  },
  command_lost: {
    audience: 'model',
    transient: false,
    when: 'Nobody can tell how a command ended.',
    message: ({ evidence }) =>
      `What became of the command is not known: ${evidence}. It may or may not have taken effect.`,
    hint: () => 'Look at what is there now before running it again; it will not be repeated by itself.',
  },
  sandbox_denied: {
    audience: 'model',
    transient: false,
    when: 'A confined command needed something that the sandbox keeps from it, and nobody could be asked.',
    message: ({ need, exitCode }) =>
      `The command ended with exit code ${exitCode}: the sandbox kept it from ${needInWords(need)}.`,
    hint: () => 'Do without, or ask the person to run it with that permission.',
  },
  sandbox_unavailable: {
    audience: 'person',
    transient: false,
    when: 'Commands are to run confined only, and this machine can not confine them.',
    message: ({ why }) =>
      `Nothing was run: commands must run confined, and that is not possible here. ${why}`,
    hint: ({ fix }) => fix,
  },
  unknown_process: {
    audience: 'model',
    transient: false,
    when: 'A process id is not that of a background process of the session.',
    message: ({ pid, known }) =>
      `This session has no background process ${pid}. ${known.length === 0 ? 'It has started none.' : `It has started: ${known.join(', ')}.`}`,
    hint: () => 'Use list_background_processes to see them.',
  },
  address_refused: {
    audience: 'model',
    transient: false,
    when: 'A web address leads to this machine, a private network or another place that is not public.',
    message: ({ url, why }) => `${url} is not fetched: ${why}.`,
    hint: () =>
      'Nothing was sent to it. Do not try it another way; a person can open it by naming its host and port in COUNTERSIGN_FETCH_HOSTS.',
  },
  fetch_failed: {
    audience: 'model',
    transient: false,
    when: 'A web address gave no answer that could be used.',
    message: ({ url, problem }) => `${url} could not be fetched: ${problem}.`,
    hint: () => 'Check the address, or use another source.',
  },
  http_status: {
    audience: 'model',
    transient: false,
    when: 'A web server answered that it does not give what was asked for.',
    message: ({ url, status, meaning }) => `${url} answered ${status} ${meaning}.`,
    hint: () =>
      'Check the address, or use another source. What the server said beside that is in the output.',
  },
  server_busy: {
    audience: 'model',
    transient: true,
    when: 'A web server answered that it can not serve just now.',
    message: ({ url, status, meaning }) => `${url} answered ${status} ${meaning}, which may pass.`,
    hint: () => 'Try again later, or use another source.',
  },
  unsupported_content: {
    audience: 'model',
    transient: false,
    when: 'What a web address gave is no text.',
    message: ({ url, mimeType }) => `${url} is no text but ${mimeType}, which is not read.`,
    hint: () => 'Look for a page that says the same in text.',
  },
  redirected_elsewhere: {
    audience: 'model',
    transient: false,
    when: 'A web address led to another host than the ones that were allowed.',
    message: ({ url, to }) => `${url} leads on to ${to}, on a host that this call was not allowed for.`,
    hint: () => 'Nothing was read there. If it is wanted, call web_fetch with that address.',
  },
  mcp_unavailable: {
    audience: 'model',
    transient: false,
    when: 'An MCP server is not connected, so that nothing could be sent to it.',
    message: ({ server, problem }) => `The MCP server "${server}" can not be used now: ${problem}.`,
    hint: () => 'Nothing was sent. Go on without it, or try again later.',
  },
  mcp_outcome_unknown: {
    audience: 'model',
    transient: false,
    when: 'A call was sent to an MCP server, and no answer that can be used came back.',
    message: ({ server, tool, problem }) =>
      `${tool} was sent to the MCP server "${server}", and no usable answer came: ${problem}. It may or may not have been carried out.`,
    hint: () => 'Look at what is there now before doing it again; it will not be repeated by itself.',
  },
  mcp_tool_changed: {
    audience: 'model',
    transient: false,
    when: 'An MCP server describes a tool differently than when the call of it was approved.',
    message: ({ server, tool }) =>
      `The MCP server "${server}" changed what it says of ${tool} after this call was judged. Nothing was sent.`,
    hint: () => 'Look at its description again; a new call is judged, and asked about, as it is now.',
  },
  unknown_resource: {
    audience: 'model',
    transient: false,
    when: 'No MCP server, or more than one, could have the resource.',
    message: ({ uri, servers }) =>
      servers.length === 0
        ? `No MCP server that is connected has resources, so ${uri} can not be read.`
        : `It is not clear which MCP server has ${uri}: none lists it. Those with resources are ${servers.join(', ')}.`,
    hint: () => 'list_mcp_resources tells what there is.',
  },
  unknown_skill: {
    audience: 'model',
    transient: false,
    when: 'A skill to be activated does not exist, or is no skill that may be used.',
    message: ({ name, nearest }) =>
      `There is no skill "${name}". ${nearestNames(nearest, 'No skill has a similar name.')}`,
    hint: () => 'Use a name from the list of skills, or go on without one.',
  },
  file_not_found: {
    audience: 'model',
    transient: false,
    when: 'A path names nothing.',
    message: ({ path, nearest }) =>
      `${path} does not exist. ${nearestNames(nearest, 'Nothing nearby has a similar name.')}`,
    hint: () => 'List the directory to see what is there.',
  },
  target_is_directory: {
    audience: 'model',
    transient: false,
    when: 'A file was expected and the path is a directory.',
    message: ({ path, nearest = [] }) =>
      [`${path} is a directory.`, nearestNames(nearest, '')].filter((text) => text !== '').join(' '),
    hint: () => 'Use list_directory to see what is in it, or name a file.',
  },
  target_is_not_directory: {
    audience: 'model',
    transient: false,
    when: 'A directory was expected and the path is something else.',
    message: ({ path }) => `${path} is not a directory.`,
    hint: () => 'Name a directory, or use read_file for a file.',
  },
  target_is_special: {
    audience: 'model',
    transient: false,
    when: 'The path is a pipe, socket or device.',
    message: ({ path, what }) => `${path} is ${what}, not a regular file.`,
    hint: () => 'Only regular files can be read or written.',
  },
  invalid_path: {
    audience: 'model',
    transient: false,
    when: 'A path can name no file.',
    message: ({ path, problem }) => `"${path}" is not a usable path: ${problem}.`,
    hint: () => 'Give a path relative to the workspace, or an absolute one.',
  },
  permission_denied: {
    audience: 'model',
    transient: false,
    when: 'The operating system refused access.',
    message: ({ path }) => `The operating system does not permit access to ${path}.`,
    hint: () => 'Choose another file, or ask the person to change its permissions.',
  },
  binary_file: {
    audience: 'model',
    transient: false,
    when: 'A file with no readable text was asked for as text.',
    message: ({ path, mimeType }) => `${path} is not text (${mimeType}).`,
    hint: () => 'Text, common images and PDF can be read. Use a program that knows this format.',
  },
  file_too_large: {
    audience: 'model',
    transient: false,
    when: 'A file is beyond the size limit.',
    message: ({ path, bytes, bytesMax }) => `${path} has ${bytes} bytes; the limit is ${bytesMax}.`,
    hint: () => 'Read a part of it by start_line and end_line, or search in it.',
  },
  media_too_large: {
    audience: 'model',
    transient: false,
    when: 'An image or PDF is larger than what a model can be shown.',
    message: ({ path, mimeType, bytes, bytesMax }) =>
      `${path} (${mimeType}) has ${bytes} bytes; at most ${bytesMax} can be shown.`,
    hint: () => 'Make a smaller copy, e.g. scaled down or with fewer pages, and read that.',
  },
  unencodable_content: {
    audience: 'model',
    transient: false,
    when: "New content holds a character that the file's encoding cannot express.",
    message: ({ path, encoding, character }) =>
      `${path} is stored as ${encoding}, which has no ${character}.`,
    hint: () =>
      'Leave that character out, or ask the person to convert the file to UTF-8. The file is unchanged.',
  },
  stale_file: {
    audience: 'model',
    transient: false,
    when: 'A file changed between the plan that was approved and the run.',
    message: ({ path }) => `${path} changed since this call was planned.`,
    hint: () => 'Read it again, then retry. Nothing was written.',
  },
  no_space_left: {
    audience: 'person',
    transient: false,
    when: 'The disk is full.',
    message: ({ path }) => `No space is left to write ${path}.`,
    hint: () => 'Free some space, then try again. The old file is whole.',
  },
  file_write_failure: {
    audience: 'model',
    transient: false,
    when: 'A file could not be written.',
    message: ({ path, message }) => `${path} could not be written: ${message}`,
    hint: () => 'The old file, if any, is whole. Correct the cause, then try again.',
  },
  read_content_failure: {
    audience: 'model',
    transient: false,
    when: 'A file or directory could not be read.',
    message: ({ path, message }) => `${path} could not be read: ${message}`,
    hint: () => 'Correct the cause, then try again.',
  },
  edit_no_occurrence_found: {
    audience: 'model',
    transient: false,
    when: 'The text to be replaced is not in the file.',
    message: ({ path, searched, nearest, remarks }) =>
      [
        searched === 'exact'
          ? `old_string does not occur exactly in ${path}, where too much is to be compared for a search that allows differences.`
          : `old_string does not occur in ${path}, neither exactly, nor with other white space, nor with up to 10 % of its characters different.`,
        ...remarks,
        ...(nearest.length > 0 ? [`Nearest to it:\n${numbered(nearest)}`] : []),
      ].join(' '),
    hint: () =>
      'Read the file, then send old_string exactly as it stands there, without line numbers. The file is unchanged.',
  },
  edit_expected_occurrence_mismatch: {
    audience: 'model',
    transient: false,
    when: 'The text to be replaced is in the file more or less often than was said.',
    message: ({ path, match, expected, found, places }) => {
      const times = found === 1 ? 'once' : `${found} times`;
      const where = {
        exact: `occurs ${times} in ${path}`,
        flexible: `occurs ${times} in ${path}, apart from white space`,
        fuzzy: `is not in ${path} as it was sent, but something like it is, ${times}`,
      }[match];
      return `old_string ${where}; expected: ${expected}.\n${numbered(places)}`;
    },
    hint: ({ found, match }) =>
      found > 1 && match !== 'fuzzy'
        ? 'Add lines around it to old_string until it fits one place only, or set expected_replacements (or allow_multiple) to replace them all. The file is unchanged.'
        : 'Send old_string exactly as it stands in the file, as often as expected_replacements says. The file is unchanged.',
  },
  edit_no_change: {
    audience: 'model',
    transient: false,
    when: 'An edit would leave the file as it is.',
    message: ({ path, reason }) => `This edit changes nothing in ${path}: ${reason}.`,
    hint: () => 'Go on if that is as it should be; otherwise send another new_string.',
  },
  attempt_to_create_existing_file: {
    audience: 'model',
    transient: false,
    when: 'An edit without a text to be replaced, which makes a new file, names one that exists.',
    message: ({ path }) =>
      `${path} exists and is not empty, and old_string is empty, which is for new files.`,
    hint: () =>
      'Give the text to be replaced as old_string, or use write_file to replace the whole content. The file is unchanged.',
  },
  edit_omission_placeholder: {
    audience: 'model',
    transient: false,
    when: 'New content has a line that stands for lines left out.',
    message: ({ path, line, text }) =>
      `Line ${line} of the new text for ${path} stands for lines that were left out: ${text}`,
    hint: () =>
      'It would be written as it is. Send the lines it stands for, or replace a smaller part of the file. The file is unchanged.',
  },
  unknown_call: {
    audience: 'person',
    transient: false,
    when: 'A command names a call that this session does not have.',
    message: ({ callId }) => `No open call has the id "${callId}".`,
    hint: () => 'List what waits with: countersign approvals list',
  },
  already_answered: {
    audience: 'person',
    transient: false,
    when: 'Somebody else answered first.',
    message: ({ by, at, outcome }) =>
      `Already answered by ${by} at ${new Date(at).toISOString()} with "${outcome}".`,
    hint: () => 'The first answer counts. Nothing more is needed.',
  },
  already_settled: {
    audience: 'person',
    transient: false,
    when: 'A command is about a call that has ended.',
    message: ({ callId, status }) => `The call "${callId}" has already ended (${status}).`,
    hint: () => 'Nothing more is needed.',
  },
  not_waiting: {
    audience: 'person',
    transient: false,
    when: 'An answer is for a call that is not waiting for one.',
    message: ({ callId, status }) => `The call "${callId}" is not waiting for an answer (${status}).`,
    hint: () => 'List what waits with: countersign approvals list',
  },
  question_changed: {
    audience: 'person',
    transient: false,
    when: 'What was shown is no longer what would run.',
    message: ({ callId, why }) => `The question about "${callId}" has changed: ${why}.`,
    hint: () => 'Look at the new question and answer that one.',
  },
  outcome_not_offered: {
    audience: 'person',
    transient: false,
    when: 'An answer chooses what the question does not offer.',
    message: ({ outcome, offered }) =>
      `"${outcome}" is not on offer here.${offered.length ? ` On offer: ${offered.join(', ')}.` : ''}`,
    hint: () => 'Choose one of the outcomes on offer.',
  },
  invalid_answer: {
    audience: 'person',
    transient: false,
    when: "An answer's payload does not fit its outcome or its question.",
    message: ({ problem }) => `The answer cannot be used: ${problem}.`,
    hint: () => 'The question still waits. Correct the answer and send it again.',
  },
  path_not_shown: {
    audience: 'person',
    transient: false,
    when: 'Changed arguments would touch files that the question did not show.',
    message: ({ paths }) => `The changed call would touch what was not shown: ${paths.join(', ')}.`,
    hint: () => 'The question still waits. Keep to the files shown, or decline with feedback.',
  },
  unknown_grant: {
    audience: 'person',
    transient: false,
    when: 'A grant to revoke does not exist or is already gone.',
    message: ({ grantId }) => `No grant in force has the id "${grantId}".`,
    hint: () => 'Nothing is allowed by it. List the grants to see what is.',
  },
  unknown_turn: {
    audience: 'person',
    transient: false,
    when: 'A command names a turn that is not open.',
    message: ({ turn }) => `Turn ${turn} is not open.`,
    hint: () => 'It has ended, or never began. Nothing more is needed.',
  },
  busy: {
    audience: 'person',
    transient: false,
    when: 'A second batch came while one is active and the embedder chose to refuse.',
    message: () =>
      'Cannot schedule new tool calls while other tool calls are actively running (executing or awaiting approval).',
    hint: () => 'Wait for the active batch to end, or let batches queue.',
  },
  disposed: {
    audience: 'operator',
    transient: false,
    when: 'A command reached a session that was closed.',
    message: () => 'This session has been closed.',
    hint: () => 'Open it again and repeat the command.',
  },
  internal: {
    audience: 'operator',
    transient: false,
    when: 'Countersign contradicted itself; the session went back to what the journal says.',
    message: ({ message }) => `A fault in Countersign itself: ${message}`,
    hint: () => 'Nothing was run because of it. Please report it with what you did.',
  },
  slow_subscriber: {
    audience: 'operator',
    transient: false,
    when: 'A subscriber fell too far behind and was disconnected.',
    message: ({ seq }) => `Disconnected after falling behind; the last event delivered was ${seq}.`,
    hint: ({ seq }) => `Subscribe again from ${seq + 1}: nothing is lost.`,
  },
  journal_full: {
    audience: 'operator',
    transient: false,
    when: 'The journal could not be written because the disk is full.',
    message: ({ path }) => `The journal ${path} cannot grow: the disk is full.`,
    hint: () => 'Nothing new is started until space is freed. What was acknowledged is safe.',
  },
  journal_read_only: {
    audience: 'operator',
    transient: false,
    when: 'The journal file or its directory cannot be written.',
    message: ({ path }) => `The journal ${path} is read-only.`,
    hint: () => 'Make the file and its directory writable, or choose another with --store.',
  },
  journal_locked: {
    audience: 'operator',
    transient: true,
    when: 'Another process held the database for too long.',
    message: ({ path, waitedMs }) => `Another process kept the journal ${path} locked for ${waitedMs} ms.`,
    hint: () => 'Find and end the process that holds it, then try again.',
  },
  journal_corrupt: {
    audience: 'operator',
    transient: false,
    when: 'The journal was cut short, altered or damaged.',
    message: ({ path, detail }) => `The journal ${path} is damaged: ${detail}.`,
    hint: ({ path }) => `Nothing was changed. Restore ${path} from a copy, or move it away to start anew.`,
  },
  journal_newer: {
    audience: 'operator',
    transient: false,
    when: 'The journal was written by a newer version of the program.',
    message: ({ path, found, known }) =>
      `The journal ${path} has format ${found}; this program knows up to ${known}.`,
    hint: () => 'Update Countersign, or choose another journal with --store. Nothing was changed.',
  },
  journal_foreign: {
    audience: 'operator',
    transient: false,
    when: 'The file at the place of the journal is something else.',
    message: ({ path }) => `${path} is not a Countersign journal.`,
    hint: () => 'Choose another place with --store. The file was left alone.',
  },
  journal_unavailable: {
    audience: 'operator',
    transient: false,
    when: 'The journal failed in another way.',
    message: ({ path, detail }) => `The journal ${path} cannot be used: ${detail}.`,
    hint: () => 'Nothing new is started until it works again. Check the disk and the path.',
  },
  another_writer: {
    audience: 'operator',
    transient: false,
    when: 'A process tried to write a session that has moved on without it.',
    message: ({ sessionId, expected, found }) =>
      `Session ${sessionId} is at ${found}, not at ${expected}: another process writes it now.`,
    hint: () => 'Attach to the session as a client instead.',
  },
  owner_lost: {
    audience: 'operator',
    transient: false,
    when: 'Another process took the session over.',
    message: ({ sessionId }) => `Session ${sessionId} now belongs to another process.`,
    hint: () => 'Attach to the session as a client instead.',
  },
  claim_lost: {
    audience: 'operator',
    transient: false,
    when: 'The last uses of a limited grant were taken by somebody else at the same moment.',
    message: ({ grantIds }) => `No uses are left of: ${grantIds.join(', ')}.`,
    hint: () => 'The calls are judged again without it; no action is needed.',
  },
  command_withdrawn: {
    audience: 'operator',
    transient: false,
    when: 'A command from another process was taken back before what it led to was written.',
    message: ({ inboxIds }) => `No longer waiting in the inbox: ${inboxIds.join(', ')}.`,
    hint: () => 'What is left is decided again without it; no action is needed.',
  },
  session_owned: {
    audience: 'operator',
    transient: false,
    when: 'A session is being worked on by another live process.',
    message: ({ sessionId, pid }) => `Session ${sessionId} is in use by process ${pid}.`,
    hint: () => 'Attach to it as a client, or end that process first.',
  },
  session_idle: {
    audience: 'person',
    transient: false,
    when: 'A command was left for a session that no process works on.',
    message: ({ sessionId }) => `No process works on session ${sessionId} at the moment.`,
    hint: ({ sessionId }) => `Take it up with: countersign exec --resume ${sessionId}`,
  },
  unknown_session: {
    audience: 'person',
    transient: false,
    when: 'A session id is not in the store.',
    message: ({ sessionId }) => `No session has the id "${sessionId}".`,
    hint: () => 'Check the id and --store.',
  },
  turn_limit: {
    audience: 'person',
    transient: false,
    when: 'The model was asked as often as one prompt allows, and still wants to go on.',
    message: ({ turnsMax }) => `Stopped after ${turnsMax} turns of the model.`,
    hint: () => 'Nothing is lost. Say "go on" to let it continue, or raise the limit with --max-turns.',
  },
  budget_spent: {
    audience: 'person',
    transient: false,
    when: 'The tokens or the money set aside for the session are used up.',
    message: ({ what, limit }) => `Stopped: the budget of ${limit.toLocaleString('en')} ${what} is spent.`,
    hint: () => 'Nothing is lost. Continue the session with a larger budget.',
  },
  loop_detected: {
    audience: 'person',
    transient: false,
    when: 'The model repeats itself without getting anywhere.',
    message: ({ what }) => `Stopped, since the model goes round in circles: ${what}.`,
    hint: () => 'Tell it what to do differently, or say "go on" if that is as it should be.',
  },
  empty_answer: {
    audience: 'person',
    transient: false,
    when: 'The model gave neither words nor calls, also when asked again.',
    message: ({ said }) => `The model gave no answer (it says: ${said}).`,
    hint: () => 'Put the question in other words, or choose another model with -m.',
  },
  answer_blocked: {
    audience: 'person',
    transient: false,
    when: "The provider's own rules kept the model from answering, or from going on.",
    message: ({ said, message }) =>
      `The provider stopped the answer by its own rules (${said})${message === null ? '' : `: ${message}`}.`,
    hint: () => 'Put the question in other words, or choose another model with -m.',
  },
  model_not_configured: {
    audience: 'person',
    transient: false,
    when: 'No model was chosen, or the chosen one lacks its key.',
    message: ({ problem }) => problem,
    hint: ({ fix }) => fix,
  },
  model_unreachable: {
    audience: 'person',
    transient: true,
    when: 'No connection to the model could be made.',
    message: ({ provider, problem }) => `${provider} can not be reached: ${problem}.`,
    hint: () => 'Check the network and the address of the model, then try again. Nothing was answered.',
  },
  model_refused: {
    audience: 'person',
    transient: false,
    when: 'The provider does not accept the key, or the key may not use the model.',
    message: ({ provider, status, message }) => `${provider} refused access (HTTP ${status}): ${message}`,
    hint: ({ credential }) =>
      credential === null
        ? 'No key was sent. Set the one that this provider wants, then try again.'
        : `Check ${credential}: is the key right, still valid, and allowed to use this model?`,
  },
  model_rejected: {
    audience: 'person',
    transient: false,
    when: 'The provider took the request for wrong, or more than it allows.',
    message: ({ provider, status, message }) =>
      `${provider} rejected the request${status === null ? '' : ` (HTTP ${status})`}: ${message}`,
    hint: () =>
      'Trying again unchanged will not help. Correct what the message names, or choose another model.',
  },
  model_overloaded: {
    audience: 'person',
    transient: true,
    when: 'The provider is overloaded, failing, or wants fewer requests, also after some tries.',
    message: ({ provider, status, message }) =>
      `${provider} can not answer at the moment (HTTP ${status}): ${message}`,
    hint: ({ retryAfterMs }) =>
      `Try again ${retryAfterMs === null ? 'later' : `in ${Math.ceil(retryAfterMs / 1_000)} s`}, or choose another model.`,
  },
  model_cut_off: {
    audience: 'person',
    transient: true,
    when: "The model's answer broke off.",
    message: ({ provider, problem }) => `The answer of ${provider} broke off: ${problem}.`,
    hint: () => 'No call of the broken answer was run. Ask again.',
  },
  model_nonsense: {
    audience: 'person',
    transient: true,
    when: 'What came from the provider is not in the format of its wire.',
    message: ({ provider, problem, excerpt }) =>
      `${provider} sent something that can not be read: ${problem}.${excerpt === '' ? '' : ` It began: ${excerpt}`}`,
    hint: () =>
      'No call of this answer was run. If it happens again, check that the base URL is that of this kind of model.',
  },
  model_silent: {
    audience: 'person',
    transient: true,
    when: 'The provider sent nothing for longer than the limit.',
    message: ({ provider, afterMs }) =>
      `${provider} sent nothing for ${afterMs} ms, so the request was given up.`,
    hint: () => 'No call of this answer was run. Ask again, or choose another model.',
  },
  policy_invalid: {
    audience: 'person',
    transient: false,
    when: 'A policy file does not parse, or a rule in it can not be used.',
    message: ({ file, line, problem }) => `${file}:${line}: ${problem}`,
    hint: () => 'Correct the file. No call is judged until it loads.',
  },
  settings_invalid: {
    audience: 'person',
    transient: false,
    when: 'A settings file does not parse, or says something that can not be used.',
    message: ({ file, line, column, problem }) => `${file}:${line}:${column}: ${problem}`,
    hint: () => 'Correct the file, or take that part out. Nothing runs until all of it can be used.',
  },
  tool_module_invalid: {
    audience: 'person',
    transient: false,
    when: 'A module given with --tools can not be used.',
    message: ({ file, problem }) => `${file} does not provide tools: ${problem}.`,
    hint: () => 'Export an array of tools as default. See docs/ARCHITECTURE.md, "A tool".',
  },
  tool_discovery_failed: {
    audience: 'person',
    transient: false,
    when: 'The command that lists the tools of a project failed, or printed something else.',
    message: ({ command, problem, printed }) =>
      `The tool discovery command "${command}" ${problem}.${printed === '' ? '' : ` It printed: ${printed}`}`,
    hint: () =>
      'No tool was discovered. The command must print a JSON list of function declarations, e.g. [{"name": "…", "description": "…", "parametersJsonSchema": {…}}].',
  },
  usage: {
    audience: 'person',
    transient: false,
    when: 'The command line was not understood.',
    message: ({ problem }) => problem,
    hint: (failure) => `Try: ${failure.try}`,
  },
};

export type Explanation = { readonly message: string; readonly hint: string; readonly audience: Audience };

/** What happened, what is left, what next. */
export function explain<C extends FailureCode>(failure: FailureOf<C> & { readonly code: C }): Explanation {
  const entry: Entry<C> = FAILURES[failure.code];
  return { message: entry.message(failure), hint: entry.hint(failure), audience: entry.audience };
}

export const isTransient = (failure: Failure): boolean => FAILURES[failure.code].transient;
