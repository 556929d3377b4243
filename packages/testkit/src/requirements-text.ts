/**
 * What Countersign promises, one sentence per line: this list is the specification that the repository is held to.
 * The ids are stable: tests, docs and commits cite them.
 */
export const REQUIREMENT_TEXTS = {
  // L. The life of a tool call
  L1: [
    'A call has one of seven statuses: `validating`, `awaiting_approval`, `scheduled`, `executing`, `success`, `error`, `cancelled`.',
    'Allowed moves: new → validating or error; validating → awaiting_approval, scheduled, error or cancelled; awaiting_approval → awaiting_approval (its arguments were edited), scheduled, cancelled or error; scheduled → executing or cancelled; executing → success, error or cancelled.',
    'The last three are final.',
    'Any other move is impossible by construction and fails loudly if attempted.',
    'An edited call stays `awaiting_approval` until its new plan is judged; a retry or requeue stays `executing` with a higher attempt; executing → awaiting_approval happens only when the sandbox denied something (B2), scheduled → awaiting_approval only when a session is taken up under rules that ask; AfterTool hooks run before the final status.',
  ],
  L2: [
    'A request carries `callId` (made if the model gave none: `${name}-${ms}-${hex}`, unique within the session; the id on the wire may repeat across turns, a repeat within a batch is an error), `name` (missing: `undefined_tool_name`), `args` (missing: `{}`), `isClientInitiated` (a person typed it, not the model), `prompt_id`.',
    'A call carries what is true in its status and nothing else: confirmation details while waiting; live output, progress and process id while executing; response, start, end and duration when final; the outcome a person chose.',
  ],
  L3: [
    'Unknown tool → `error` at once; the message begins `Tool "X" not found in registry.` and names the nearest known tools.',
    "Bad arguments → `error` that says which argument is wrong and what is expected; arguments that a built-in tool's schema does not know are refused (for MCP, discovered and class-style tools the schema's own `additionalProperties` decides).",
    'One bad call never harms its siblings.',
  ],
  L4: [
    "A result becomes a Gemini `functionResponse` (`convertToFunctionResponse`): a one-element list is unwrapped first; a string or `{text}` → one part `{output}`; several parts, or an empty list → `{output: 'Tool execution succeeded.'}` followed by them; a functionResponse with `response.content` → `{output: its joined text}` under our id and name, else passed on; inlineData or fileData → `Binary content of type ${mimeType or 'unknown'} was processed.` plus the part; any other object → the success part followed by the object; an error → `{error: message}`, which is also the `resultDisplay`.",
    'Text and errors give a single part, the rest a list.',
    'Equivalent forms exist for the OpenAI and Anthropic wires.',
    '`resultDisplay` is what people see, `llmContent` what the model sees.',
  ],
  L5: [
    'Cancelling (one call, a turn, all) works in every status; a running call is aborted, its process tree ended, its partial output kept and marked as partial.',
    'Reasons given to the model: `User did not allow tool call` (declined, with the feedback if any), `User cancelled tool execution.` (aborted while running, even if the tool then returned).',
  ],
  // S. Scheduling
  S1: [
    '`schedule(request | request[], signal)` takes a batch; its completed calls come in request order.',
    'A second batch while one is active is queued in order, or refused with the documented error, as the embedder chose.',
    'Abort while queued cancels cleanly.',
  ],
  S2: [
    "Calls of a batch run in parallel when they cannot conflict: each call declares the resources it reads and writes (files, directories, a command's unknown effects, hosts, an MCP server's tool); two calls conflict when one writes what the other touches; conflicting calls keep request order.",
    'Reads never wait for each other.',
    'Two edits of one file never lose an update.',
    'Commands that the analysis knows to be read-only (`ls`, `git log`, `sleep`, a search) run beside each other and beside reads; a command with unknown effects keeps its place against writes and against other such commands.',
  ],
  S3: [
    'Start rule, chosen by the embedder: `as_granted` (a call starts when it is granted and unconflicted) or `together` (none starts until every call of the batch is decided).',
  ],
  S4: [
    'Execution limits: a per-call time limit (it counts execution, never waiting for a person), a maximum number of calls running at once, automatic retry with back-off only for failures marked transient (time-out, network, temporary) of calls whose plan is safe to repeat.',
  ],
  S5: [
    'Events are deltas with sequence numbers; full snapshots are made on demand.',
    'Work per transition does not grow with the number of calls.',
    'Nothing polls within a process; across processes and for spools only while someone watches.',
  ],
  S6: ['`dispose()` ends all it started and leaves no timer, listener or process.'],
  // P. Policy
  P1: [
    'Decision per call: `allow`, `deny` or `ask_user`, with the rule, its file and line, and the part of the call it matched.',
    'Approval modes: `plan` (read-only plus writing the plan), `manual` (default: whatever has an effect asks), `auto_edit` (file edits inside the workspace go through), `yolo` (everything not denied goes through, but see P5), `confirm_always` (everything asks; grants, allow rules and hook allows do not apply).',
    'Accepted spellings also: `default` = manual, `autoEdit`, `auto` = yolo.',
    'A call typed by a person in the terminal counts as their answer to `ask_user`, never to a deny; over HTTP it asks like any other.',
  ],
  P2: [
    'Rules are TOML, `[[rule]]` with `toolName` (string, list, `*`, any glob such as `read_*`, `mcp_<server>_*`), `mcpName`, `argsPattern`, `commandPrefix` (string or list), `commandExact`, `commandRegex`, `decision`, `priority` 0–999, `modes`, `interactive`, `toolAnnotations`, `allowRedirection`, `denyMessage`, `subagent`, `name`, and examples (`matches`, `notMatches`) checked at load.',
    'Tiers default < extension < workspace < user < admin.',
    'Per unit (a call, or one command of a command line): tier, then priority, and of equals the strictest; over the units of a call: the strictest.',
    'Files written for Gemini CLI load unchanged: an `argsPattern` of the form `"key":"…` is translated to a match on that top-level argument; one that can\'t be translated is matched on stable JSON as well if it denies or asks, and refused with file and line if it allows; an allowing `commandRegex` is anchored at both ends, a denying or asking one at the start; differences are reported.',
    'An unknown key, a rule that can never match, a bad regular expression: reported with file and line; a file that does not parse stops the start with that message: never a silent hole.',
    "A tool denied without conditions is left out of the model's declarations.",
  ],
  P3: [
    "Patterns match typed top-level argument values: a nested property can't impersonate an argument.",
    "Regular expressions can't hang the process.",
  ],
  P4: [
    'Shell commands are parsed (bash grammar) into the commands that would run, through `&&`, `||`, `;`, `|`, `&`, newlines, subshells, `$(…)`, backquotes, `<(…)`, functions, and wrappers (`env`, `sudo`, `timeout`, `nice`, `xargs`, `bash -c`, `find -exec`, …).',
    'Every one is judged; the strictest verdict wins.',
    'A deny rule sees through wrappers and absolute paths.',
    "What can't be parsed or is dynamic is never allowed by a rule.",
    'Redirection to a file turns allow into ask unless the rule says `allowRedirection`.',
    'A risk level (`low`, `medium`, `high`) with reasons accompanies each command.',
    '`corpus/SEMANTICS.md` is the exact meaning.',
  ],
  P5: [
    "A path outside the workspace (after resolving symlinks, `..`, missing parents) asks or is denied, whatever the tool; secrets (`.env`, keys), `.git` configuration and hooks, editor and shell start-up files, and the program's own policy and hook files are protected from silent writes.",
    'In `yolo` too, protected names ask, and outside paths ask unless an extra workspace directory was configured.',
  ],
  P6: [
    'Grants ("always allow") are made by answering an approval.',
    'A grant has a scope (session, project, user), an optional expiry or number of uses, and exactly the pattern that was shown: exact command, sub-command (`git log`), or tool, or MCP server.',
    'A grant turns ask into allow and never beats a deny.',
    'Patterns as broad as an interpreter or `rm` are never offered.',
    'Grants live in the user\'s store, never in the workspace ("project" is a key).',
    'They can be listed and revoked at once, also in running sessions (a scheduled, unstarted call of a revoked grant becomes `cancelled` with reason `grant_revoked`); a two-use grant under ten parallel calls allows exactly two.',
  ],
  P7: [
    "`countersign policy check` judges calls given as JSON lines without running them; `countersign policy explain` tells the whole story of one decision, past or hypothetical; `countersign policy test` runs the rules' own examples; `countersign policy replay` judges recorded history under a changed policy and prints what would differ.",
    'All use the one evaluator that the engine uses.',
  ],
  P8: [
    "A workspace's own files (policy, hooks, MCP servers, skills, discovery and call commands, custom commands, and every project setting that runs a program or weakens approval) take effect only when the folder is trusted (`countersign trust`), and trust is tied to their content: a change asks again.",
  ],
  P9: [
    'Mode `reversible`: what runs inside the sandbox, can be undone and is not on the ask list is not asked about; whatever of these is missing makes it ask, and says which.',
    'At most 2 questions in 100 everyday calls, none of the dangerous ones unasked.',
    '`policy suggest` proposes rules from what was answered, with what they would have let through.',
  ],
  // A. Approvals
  A1: [
    'Kinds of confirmation: `edit` (file name, path, unified diff, original and new content, diff statistics), `exec` (the command, every root command, directory, risk level and reasons), `mcp` (server, tool, arguments, description), `info` (prompt, URLs), `ask_user` (questions with options), `exit_plan_mode` (the plan).',
    'Details are plain data: they can be stored and sent.',
  ],
  A2: [
    'Outcomes: `proceed_once`, `proceed_always`, `proceed_always_tool`, `proceed_always_server`, `proceed_always_and_save`, `modify_with_editor`, `cancel`; cancel may carry feedback for the model.',
    "Offered by kind: edit: once, always (this session's edits in the workspace), and_save, modify, cancel; exec: once, always (shown pattern), and_save, modify, cancel; mcp: once, always_tool, always_server, and_save, modify, cancel; info: once, always (host), cancel; ask_user and exit_plan_mode: answer or cancel.",
    'The engine computes which outcomes and which grant patterns an approval offers.',
  ],
  A3: [
    'An approval is bound to a digest of what was shown: hash of call id, tool, tool definition, canonical arguments, and for edits the file before and the content after, made after planning.',
    'Policy is judged again when the answer arrives (a deny stops it).',
    'If anything of the digest changed, the answer is refused and the new question is asked.',
    'What was approved is what is applied, byte for byte.',
  ],
  A4: [
    "Modify before approving, for every tool: in the person's own editor (`$VISUAL`, `$EDITOR`, or a configured one; vscode, cursor, zed, vim, nvim, emacs, helix, nano … with a diff view where it has one; for a tool without file content the arguments as JSON), inline in the page, or by sending new arguments.",
    'A modified call is validated and judged again, and the model is told that a person changed it.',
    'While an editor is open the call shows `isModifying`; afterwards the new diff is shown and asked about.',
    'An answer that carries `newContent` or `args` is consent to exactly that: judged again, a deny or a path not shown stops it, otherwise it runs without a second question, and the new diff is journaled.',
  ],
  A5: [
    'Any number of front ends show the same approval; the first answer wins; the others are told who answered and when.',
    'Answers are idempotent; an unknown or stale id is a clear refusal, not success.',
  ],
  A6: [
    'Approvals survive `kill -9`: after a restart the same approvals, with the same ids, wait to be answered, by any front end, each call by itself.',
  ],
  A7: [
    'What is shown is what will run: control characters, ANSI escapes, bidirectional and zero-width characters are made visible; nothing essential is cut off without saying so and offering the rest.',
  ],
  A8: [
    'Nobody attached (headless) is a fact that policy sees: `ask_user` then becomes a denial that tells the model why, unless the caller opened an approval channel (see C4).',
  ],
  // H. Hooks
  H1: [
    'Commands run on `BeforeTool`, `AfterTool`, `BeforeAgent`, `AfterAgent`, `BeforeModel`, `AfterModel`, `BeforeToolSelection`, `SessionStart`, `SessionEnd`, `PreCompress`, `Notification`.',
    'Settings format and the JSON on stdin and stdout are those of Gemini CLI, so existing hooks work.',
  ],
  H2: [
    'A BeforeTool hook may deny, ask, allow where policy only asks, or rewrite arguments (then validation and policy judge the rewritten call).',
    'It never overrides a deny.',
    'AfterTool may add context, replace the result, or ask for a follow-up call.',
  ],
  H3: [
    'A hook that times out, crashes or prints nonsense fails closed by default (configurable per hook; plain text with exit 0 is nonsense only from hooks that decide: BeforeTool, BeforeAgent, BeforeModel, BeforeToolSelection), its whole process group is ended, and the time limit is kept to within 100 ms.',
  ],
  H4: ['Hooks run in every front end alike, and project hooks need a trusted folder (P8).'],
  // T. Tools
  T1: [
    'A tool is declared by name, display name, description, `kind` (read, edit, delete, move, search, execute, think, fetch, communicate, plan, other; `Kind.ReadOnly` and `Kind.Write` are aliases of read and edit), JSON schema, whether it streams output, and two functions: *plan* (read-only: describe, list locations and resources, prepare the confirmation) and *run*.',
  ],
  T2: [
    'The registry holds built-in, discovered (a command that lists tools, a command that calls them) and MCP tools, gives `getFunctionDeclarations(modelId)`, and picks descriptions and schemas by model family (`gemini-3`, `default-legacy`, and the OpenAI and Anthropic families): each definition has `base` and `overrides(modelId)`; `getToolFamily(modelId)` and `getToolSet(modelId)` choose.',
    'Arguments written for either family validate.',
  ],
  T3: [
    'Built in: `read_file` (line ranges, encodings and line endings kept, images, PDF and audio as inline data), `write_file`, `replace` (exact, then whitespace-flexible, then fuzzy; says which; on failure shows the nearest candidates with line numbers), `read_many_files`, `glob` (newest first, ignore files respected), `list_directory`, `grep_search` (ripgrep), `run_shell_command`, `list_background_processes`, `read_background_output`, `stop_background_process`, `google_web_search` (Gemini grounding, or a SearXNG endpoint), `web_fetch` (HTML to text, private addresses refused, size and time limits), `save_memory` (hierarchical memory files, `GEMINI.md` and `AGENTS.md`), `activate_skill` (`SKILL.md`), `ask_user`, `enter_plan_mode`, `exit_plan_mode`, `update_topic`, `write_todos`, `list_mcp_resources`, `read_mcp_resource`; arguments and aliases in TOOLS.md.',
    'Ignore files: `.gitignore`, `.geminiignore`, `.countersignignore`.',
    'Common misnamings are understood.',
    'The alias is recorded; policy and approval see only the canonical names.',
  ],
  T4: [
    'File writes are atomic (temporary file and rename), keep mode, encoding, BOM, line endings and final newline, follow the approved content hash, and leave the old file whole on any failure.',
  ],
  T5: [
    'Output too large for a model is cut with head and tail and a note that says where the whole is kept and how to read more of it; this holds for every tool.',
  ],
  // X. Shell execution
  X1: [
    'Output goes straight from the command to a spool file; memory stays flat at any volume; a person sees live output at most every 100 ms; binary output is detected: `[Binary output detected.',
    'Halting stream...]`, then `[Receiving binary output... 1.2 MB received]`.',
  ],
  X2: [
    'Optional terminal (PTY) mode for programs that need one; background commands with process ids, readable and stoppable later; a total time limit and an idle limit; working directory per call.',
  ],
  X3: ['Cancel and time-out end the whole process tree (TERM, then KILL) and nothing is left behind.'],
  X4: [
    'The exit code is reported truthfully: a failing command is `error` with type `command_failed`, its output and code given to the model, the person and the statistics.',
    "A child's environment carries no secrets of the host unless configured.",
  ],
  X5: [
    'After a crash of the program, a command that was running is found again: still running (adopted, output continues from the right byte), ended (its real exit code and output are delivered once), or unknown (said so, with evidence).',
    'It is never silently started again.',
  ],
  // B. Sandbox
  B1: [
    'Commands can run confined: Linux bubblewrap (workspace writable, the rest read-only or hidden, no network or chosen hosts), macOS Seatbelt.',
    'Off, on or required; required and unavailable → refuse with the fix, never run unconfined silently.',
    'Default: what runs without a question runs confined where that is available; what a person approved runs with the permissions shown.',
  ],
  B2: ['A denial by the sandbox is recognised and becomes a new question that names what is needed.'],
  B3: [
    'Preview of effects (Linux): a command can be run first on an overlay of the workspace without network; the person approves the real diff; approval applies exactly that diff, refusal discards it.',
  ],
  B4: [
    'Sandbox profiles by purpose: *look* (workspace read-only, home not visible, no network), *work* (workspace writable, caches by kind, network by host), *granted* (what a person agreed to).',
    "Backends bubblewrap, our own helper, Landlock, Seatbelt; each is tried, and what one can't enforce is said and counts in policy.",
  ],
  B5: [
    'Network by host: through a proxy of ours with an allow-list; a new host is one question; all needs of a blocked run come in one question with a lasting answer.',
  ],
  // M. MCP and editors
  M1: [
    'Client for stdio, streamable HTTP and SSE servers, configured as `mcpServers` in settings (command, args, env, cwd, url, headers, timeout, trust, includeTools, excludeTools, oauth).',
    '`McpClientManager.connectToServers()` registers `DiscoveredMCPTool`s named `mcp_{server}_{tool}`, which go through the same validation, policy, approval, execution and journal as built-in ones; the pair (server, tool) is kept as a pair for policy (annotation `_serverName`; `mcp_a_*` matches server `a`, never server `a_b`).',
    "`trust` skips the question for that server's tools, never a deny.",
  ],
  M2: [
    'Progress is shown and resets the time limit; cancel reaches the server; `list_changed` is followed; a crashed server is reported and reconnected with back-off; one bad server never blocks the others.',
    'Resources, prompts (as slash commands), elicitation (as a question) and roots are served.',
  ],
  M3: ['A tool whose description or schema changed after it was approved asks again, showing the change.'],
  M4: [
    '`countersign mcp serve` is itself an MCP server over stdio and HTTP: other agents get these tools under this policy, with approvals answered in the page or terminal.',
  ],
  M5: [
    '`countersign acp` speaks the Agent Client Protocol to editors: sessions, prompts, cancel, modes, permission requests with our outcomes, tool updates with diffs and locations, plans.',
  ],
  // G. Model, turn, agent
  G1: [
    '(With several keys set, `-m` and settings decide, then Gemini, Anthropic, OpenAI-compatible, local.) Providers: Gemini (native wire, base URL configurable), any OpenAI-compatible endpoint (so Ollama, found by itself, vLLM, LM Studio), Anthropic, and a scripted one for tests and demonstrations.',
    'Streaming; function calls in parallel; thought parts and signatures returned verbatim.',
  ],
  G2: [
    "`Turn.run(parts, signal)` yields events `{ type, value }`: `content`, `thought`, `tool_call_request`, `tool_call_confirmation`, `tool_call_response`, `chat_compressed`, `user_cancelled`, `error`, `finished`, with usage; `Turn.pendingToolCalls` lists the turn's requests.",
    'Calls may be planned and judged while the stream arrives; none is asked about or started before the stream has ended well; if it fails or is cancelled they become `cancelled`.',
    'The agent loop feeds results back until the model stops, a limit of turns, tokens or cost is hit, the person cancels, or the same call repeats without progress (then it asks).',
    'A message typed meanwhile is delivered at the next turn.',
  ],
  G3: [
    'Long conversations are compressed before the context is full; old tool outputs are replaced by references first.',
    'Transient provider errors are retried with back-off; others are shown plainly.',
  ],
  G4: [
    'With no model configured the program is still useful: a person can issue tool calls directly (`!command`, `/tool read_file …`), and a scripted demonstration (`countersign demo`) shows the whole flow.',
  ],
  // J. Journal, recovery, audit
  J1: [
    'Every fact (request, plan, verdict, question, answer, start, end, grant, mode change, message) is appended to a journal before it is acted on.',
    'State is a fold of facts.',
    'The default store is one embedded database file per user; a server fleet shares PostgreSQL (D).',
  ],
  J2: [
    'After a crash at any instant: no call lost, none run twice, none run without its grant.',
    'A call that may have happened says so and is not repeated unless its plan is safe to repeat.',
  ],
  J3: [
    'Sessions can be listed, resumed, forked at a call, exported as JSON lines, deleted; retention is configurable.',
    'The conversation always pairs each call with one result.',
  ],
  J4: ['The audit is a hash chain: `countersign audit verify` names the first altered record.'],
  J5: ['Undo: the files a call changed can be put back, if they have not changed since.'],
  J6: [
    'Retention prunes content and keeps the chain verifiable; redaction replaces content by its hash; deletions leave a trace; sessions that did nothing are not kept.',
  ],
  // C. Command line
  C1: [
    '`countersign` (terminal UI), `countersign -p "…"` (headless; `-m` model, `--mode` and `--yolo`, `-c` continue the last session, `--resume ID`), `serve`, `exec`, `approvals` (list, answer), `attach`, `policy`, `grants`, `trust`, `sessions`, `audit`, `mcp`, `acp`, `stats`, `doctor`, `demo`.',
    'Help and errors that say what to do next (every failure carries a `hint`); shell completion; exit codes documented; `NO_COLOR`, pipes and CI respected.',
  ],
  C2: [
    'Output formats for headless: `text`, `json`, `stream-json` (event names and fields of Gemini CLI, plus the truth: a failed or cancelled call is never reported as success).',
  ],
  C3: [
    '`countersign exec` takes tool calls as JSON (one, a list, or lines on stdin), runs them through the whole pipeline without any model and prints results as JSON lines.',
    'Its exit code says whether all succeeded.',
  ],
  C4: [
    'In headless use approvals can be answered over stdin as JSON lines, or in the page or terminal of another process on the same machine.',
  ],
  C5: [
    'Settings: user, project, environment, flags, in that order; `countersign doctor` prints what is in force and where each value came from, and checks every external part.',
  ],
  // U. Terminal UI
  U1: [
    'Conversation with streaming text and thoughts; each tool call a card with its status, description, live output, progress bar, duration; several at once without flicker.',
    'Diff with line numbers, syntax colours and word-level marks; a diff never draws more rows or columns than it is given and says how many lines are hidden; question and choices stay on screen at 80×24.',
  ],
  U2: [
    'Confirmation dialogs for every kind with keyboard choices.',
    'Edit: `Apply this change?` with `Yes, allow once`, `Yes, allow always` (scope shown), `Modify with external editor`, `No (esc)` and no-with-feedback; while editing `Modify in progress: Save and close external editor to continue`.',
    'The deciding rule shown, long content scrollable.',
    'Esc cancels.',
  ],
  U3: [
    'Slash commands (built in and custom), `@file` completion, `!shell`, history, mode switch (shift-tab), queue of pending approvals, notification when one waits.',
    'Works in 80×24 and over SSH, and resizes.',
  ],
  // W. Server and page
  W1: [
    'REST and server-sent events with an OpenAPI description and a typed client: sessions, messages, client-initiated calls, approvals inbox over all sessions, answers, cancel, grants, policy check and explain, audit, statistics, health.',
    'Event streams resume from `Last-Event-ID` without gap or repeat.',
  ],
  W2: [
    'The page: session list, conversation, tool cards with live output, approval inbox, diff view with inline editing before approval, policy explanation, grants, audit trail, charts of durations, success rate and waiting time.',
    'Works on a phone, by keyboard, with screen readers; light and dark; notifies (Web Notifications, webhook) when an approval waits.',
  ],
  W3: [
    'Safe by default: loopback only; a random token on first start; Host and Origin checked; cookies strict; content security policy; limits on body, rate, connections; refuses a non-loopback address without authentication.',
    'Named users with roles (viewer, approver, admin); each answer records who gave it.',
  ],
  W4: [
    'One server holds many sessions and clients; sessions share nothing by accident; slow clients never slow the engine.',
  ],
  W5: [
    'People: roles checked for every operation, OpenID Connect, devices that can be ended one by one, a public URL behind a proxy.',
  ],
  W6: ['Approvers: who may answer what, quorum, expiry, reminders and escalation, as rules and as facts.'],
  W7: ['Channels: signed webhook with an outbox, Slack, web push to an installed page.'],
  W8: [
    "An administrator's requirements cap everything below them; `halt` stops within two seconds; incidents can be exported.",
  ],
  // E. Library (API.md is the contract)
  E1: [
    '`CoreToolScheduler` (and `Scheduler`, the same class with other defaults) with options `toolRegistry` (or a promise of it), `config`, `outputUpdateHandler`, `onAllToolCallsComplete`, `onToolCallsUpdate`, `confirmHandler`, `getPreferredEditor`, and methods `schedule`, `handleConfirmationResponse`, `cancel(callId)`, `cancelAll`, `dispose`.',
    'Waiting calls carry `confirmationDetails.onConfirm(outcome, payload)`.',
  ],
  E2: [
    '`ToolRegistry`, `BaseDeclarativeTool` / `BaseToolInvocation` (class style), the plain `Tool` object style, `ModifiableTool` with `getModifyContext`, and `defineTool`; `PolicyEngine`, `MessageBus`, `Turn`, `executeToolCall` (non-interactive), `convertToFunctionResponse`, `ApprovalMode`, `ToolConfirmationOutcome`, `EditorType`, `Kind`.',
    "Who decides: an explicit rule; where no rule names the tool, its own `shouldConfirmExecute` is the default verdict (`false` = allow, details = ask_user, throw = error); when policy asks, it is called with `forcedDecision = 'ask_user'` and supplies the details; a deny never calls it; in `yolo` it is not called.",
    'Typed end to end, documented, tree-shakeable, few root exports (types and aliases not counted; parity names live at `countersign/compat` and are re-exported).',
  ],
  E3: [
    'React hooks for both terminal and web: `useToolScheduler`, `useAgentStream` (aliases `useReactToolScheduler`, `useGeminiStream`).',
    'Tracked calls know whether their response was submitted to the model (`responseSubmittedToGemini`, `markToolsAsSubmitted(callIds)`), kept by call id across updates; a result is submitted exactly once, also after a remount.',
  ],
  // O. Observability
  O1: [
    "One `tool_call` record per completed call of every status: `event.name` = 'tool_call', `event.timestamp`, `function_name`, `function_args` (redacted by rule), `duration_ms`, `success`, `prompt_id`, decision and who or what made it, waiting time, error type.",
    'OpenTelemetry traces, metrics and logs (GenAI conventions), exporter configurable, off by default, no cost when off.',
  ],
  O2: [
    '`countersign stats` and the page show calls, success rate, durations, waits, by tool, rule and session, with small plots.',
  ],
  // D. More than one machine
  D1: [
    'Several server processes share one PostgreSQL: any of them serves any request; each session is worked on by one at a time; a process that dies is replaced by another within seconds, and pending approvals and finished work are kept.',
    "A stale process can't write.",
    'No new code path: the same kernel and journal contract.',
  ],
  D2: [
    "A session's tools run where its workspace is; any instance serves its questions and streams.",
    'What ran on a lost host may have happened until the host is back.',
  ],
  // K. Guarding other agents
  K1: [
    '`countersign guard install|uninstall|status` for Claude Code, Codex, Gemini CLI, opencode, Cursor and Copilot; their calls are judged, asked and journaled as ours are; fail closed, with every remaining hole named.',
  ],
  K2: [
    "A question outlives the agent's time limit: a late yes lets the same call pass once when it is tried again.",
  ],
  K3: ['`countersign mcp proxy` puts any MCP server behind the same judge.'],
  K4: ['Adapters for the Claude Agent SDK, the Vercel AI SDK and OpenAI Agents over one function `judge`.'],
  // V. Coming from elsewhere
  V1: [
    'No configuration of another agent is ignored in silence.',
    "Gemini CLI's files work as they are: settings, policies, commands, extensions, agents, memory, ignore files.",
  ],
  V2: [
    '`countersign import` turns permissions, hooks, MCP servers, commands and memory of Claude Code, Codex, Gemini CLI and opencode into ours, never wider than they were.',
  ],
  V3: ["Subagents as child sessions under the parent's policy, with their questions in the same inbox."],
  V4: ['Custom commands and skills in every door.'],
} as const satisfies { readonly [id: string]: readonly string[] };

export const SECTION_TITLES = {
  L: 'The life of a tool call',
  S: 'Scheduling',
  P: 'Policy',
  A: 'Approvals',
  H: 'Hooks',
  T: 'Tools',
  X: 'Shell execution',
  B: 'Sandbox',
  M: 'MCP and editors',
  G: 'Model, turn, agent',
  J: 'Journal, recovery, audit',
  C: 'Command line',
  U: 'Terminal UI',
  W: 'Server and page',
  E: 'Library',
  O: 'Observability',
  D: 'More than one machine',
  K: 'Guarding other agents',
  V: 'Coming from elsewhere',
} as const satisfies { readonly [letter: string]: string };
