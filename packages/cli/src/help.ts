/** One page per command. The first line of each is what the overview shows. */
const PAGES: { readonly [command: string]: string } = {
  prompt: `Send one prompt to a model, without an interactive screen.

  countersign -p "why does the build fail?"
  git diff | countersign -p "review this"
  countersign -c -p "now fix it"

  -p, --prompt TEXT   the prompt; piped input is placed before it
  -m, --model NAME    the model, optionally with its provider:
                      gemini:…, anthropic:…, openai:…, ollama:…
                      Default: COUNTERSIGN_MODEL, then the settings, then the
                      first provider with a key in the environment
                      (GEMINI_API_KEY, ANTHROPIC_API_KEY, OPENAI_API_KEY or
                      OPENAI_BASE_URL), in a file or in the keyring
                      (docs/SETTINGS.md), then a local Ollama
  -o, --output-format text (default), json, stream-json
  -c, --continue      continue the last session of this folder
  -r, --resume ID     continue this session
  --mode MODE, --yolo, --workspace, --store, --session, --policy, --tools,
  --sandbox, --editor as for exec
  --approvals HOW     as for exec; stdio needs --output-format stream-json
  --max-turns N       requests to the model for this prompt (default 100)
  --max-tokens N      limit on the tokens of the session
  --max-cost DOLLARS  limit on the cost by list prices; stops if a price is not known`,
  terminal: `Work with a model in the terminal: countersign alone.

  countersign
  countersign -c
  countersign -m ollama:qwen3

Type a prompt; /help lists keys and commands. Commands and tools can also be
called without a model: !ls, /tool read_file {"file_path": "a.txt"}

  -c, --continue      continue the last session of this folder
  -r, --resume ID     continue this session
  --screen-reader     plain lines that are never redrawn
                      (or COUNTERSIGN_SCREEN_READER=1)
  -m, --mode, --yolo, --workspace, --store, --session, --policy, --tools,
  --sandbox, --editor, --max-turns, --max-tokens, --max-cost as for a prompt

NO_COLOR and COUNTERSIGN_THEME (light, dark, plain) select the colours.`,
  exec: `Run tool calls given as JSON, without a model.

  countersign exec '{"name":"list_directory","args":{"dir_path":"."}}'
  countersign exec < calls.jsonl

Calls are given as arguments or on stdin: one JSON object per line, or a JSON
array, which is one batch (calls that cannot conflict run in parallel). Results
go to stdout, one JSON line per call, in request order.

  --mode MODE         plan, manual (default), auto_edit, yolo, confirm_always
  --yolo              the same as --mode yolo
  --workspace DIR     the directory to work in (default: the current one, unless
                      that is a root, home or system directory)
  --approvals HOW     terminal: ask here (default in a terminal)
                      stdio: questions and answers as JSON lines
                      wait: wait for an answer from another process on this
                      machine
                      deny: deny calls that need approval (default otherwise)
  --start RULE        as_granted (default) or together
  --store DIR         the directory of the journal; :memory: stores nothing
  --session ID        the id of the new session
  --resume ID         resume a session: its open calls continue, and new ones
                      may follow; if another process has the session open,
                      that process runs them
  --policy FILE       additional rules (TOML), may be repeated
  --tools MODULE      additional tools: an ES module whose default export is an
                      array of tools; it runs in a thread of its own
  --sandbox MODE      off; on (default): commands that run without approval are
                      confined where possible; required: commands run only
                      confined
  --editor NAME       the editor for changing a call, instead of $VISUAL or
                      $EDITOR: vscode, cursor, zed, vim, emacs, hx, nano, …
  --events            also print every event as it happens
  --json              accepted for clarity: output is always JSON lines`,
  approvals: `List and answer the approvals that are pending on this machine.

  countersign approvals list [--json] [--verbose]
  countersign approvals answer ID OUTCOME [--by NAME] [--json]

OUTCOME is one that the question offers: proceed_once, proceed_always,
proceed_always_tool, proceed_always_server, proceed_always_and_save or cancel;
list --verbose, and answer ID alone, print the possible answers.
The answer applies to the question as it is shown now; --digest binds it to the
version that was shown earlier. If no process has the session open, the call
runs in this process, which prints its result.

  --answer TEXT       proceed_once: the answer to the next question of a form,
                      or HEADER=TEXT to the one of that name; once for each
  --answers JSON      proceed_once: all answers, a list or an object by header;
                      --json JSON does this and prints JSON
  --own-words         proceed_once: send an answer that a question does not
                      offer
  --mode MODE         proceed_once: the mode in which a plan is carried out
  --args JSON         proceed_once: run with these arguments instead;
                      modify_with_editor: ask about them instead
  --scope SCOPE       proceed_always…: session, project or user
  --expires WHEN      proceed_always…: 30m, 2h, 7d, or a date and time
  --uses N            proceed_always…: for this many further calls
  --feedback TEXT     cancel: why, for the model
  --stop              cancel: also stop the agent
  --store DIR         the directory of the journal
  --key TEXT          idempotency key: sending the same answer twice has no
                      further effect
  --tools, --policy, --sandbox
                      as for exec: a session is resumed with at least the
                      options that it was started with`,
  policy: `Show what the rules decide about a call, and why; do not run it.

  countersign policy check 'git push && npm test'
  countersign policy check write_file '{"file_path":"a.txt","content":""}'
  countersign policy check --json < calls.jsonl
  countersign policy explain 'git push'
  countersign policy explain --call SESSION/CALL
  countersign policy test [--policy FILE]
  countersign policy replay [--policy FILE] [--mode MODE] [--session ID]

check evaluates calls: a command line, a tool with its arguments, or one JSON
object per line on stdin, {"id", "tool", "args", "interactive"?, "policy"?:
[rule, …]}. It prints one result per line, {"id", "decision", "rule", "reasons",
"commands"}. "policy" is a list of rules with the keys of a policy file; they
replace the rules of the policy files for that line.
It decides as exec would with the same options: same tools, rules, mode and
grants. If something that takes part was not asked (a hook, an MCP server without
--connect, grants that cannot be read), the result says what, and has "certain":
false. Grants do not count with "policy" or --no-defaults.
explain also shows every rule that was considered; with --call it shows how a
past call was decided, from the journal.
test checks each rule against its own examples (matches, notMatches).
replay re-evaluates past calls against the current rules and prints the
differences.

  --policy FILE       additional rules (TOML), may be repeated
  --no-defaults       without the default rules
  --verbose           also print how rules of other programs are interpreted;
                      test and doctor always print it
  --mode MODE         as for exec
  --workspace DIR     the directory that paths are relative to (default: the
                      current one)
  --yolo, --tools, --sandbox, --approvals
                      check, explain: as for exec; with --approvals deny no
                      user is there, unless a call has "interactive": true
  --connect           check, explain: start the MCP servers of tools that calls
                      name, and ask them
  --session ID        check, explain: with the mode and grants of this session,
                      as exec --resume; replay: this session only, may be
                      repeated
  --store DIR         the directory of the journal
  --json              print JSON lines`,
  grants: `List and revoke grants: permissions given by an "always" answer.

  countersign grants list [--json]
  countersign grants revoke ID [ID …] [--by NAME] [--json]

Revoking takes effect immediately, also in running sessions: a call that the
grant allowed and that has not started is cancelled.

  --store DIR         the directory of the journal`,
  trust: `Trust the rules, hooks and settings of a folder.

  countersign trust [DIR] [--yes] [--json]
  countersign trust --list [DIR] [--json]
  countersign trust --revoke [DIR] [--json]

Shows what would take effect in DIR (default: the current folder): the rules in
.countersign/policies, the skills, and the parts of .countersign/settings.json
that run programs or reduce questions. Then asks for confirmation. Trust applies
to the content that was shown: if one of those files, or a file that a hook or
MCP server runs from the folder, is changed, added or removed, none of it takes
effect until you confirm again. It applies to DIR only, not to its parent
folders or subfolders.

  --yes               do not ask; required without a terminal
  --list              list the trusted folders, and those that changed since
  --revoke            stop trusting the folder
  --json              print JSON lines`,
  sessions: `List, show, resume, copy, export or delete sessions.

  countersign sessions list [--all] [--json]
  countersign sessions show ID [--whole] [--json]
  countersign sessions resume ID
  countersign sessions fork ID [--at CALL | --at-message N] [--session ID]
  countersign sessions export ID [--output FILE]
  countersign sessions delete ID [ID …] [--yes]

list prints the sessions of this folder; where a process ended and left work
open, it prints the command that resumes it. show prints one session, with who
decided on each call and why. resume continues calls that are pending or were
running; to send another prompt: countersign --resume ID -p "…". Both require
the --policy, --tools and --sandbox that the session was started with. fork
creates a new session with the history of this one, up to and including the turn
of a call or message (default: all completed turns); it has no open calls, and
grants of the original session do not apply to it. export prints a header line
and then every event as a line of JSON. delete removes a session that no process
has open, with the files that its calls created in the store, and ends commands
that it left running; grants for the project or user are kept.

  --all               list: the sessions of every folder
  --workspace DIR     list: the sessions of that folder
  --whole             show: do not shorten anything
  --approvals, --policy, --tools    resume: as for exec
  --yes               delete: do not ask; required without a terminal
  --store DIR         the directory of the journal
  --json              print JSON lines`,
  attach: `Watch a session of another process, answer it, send messages.

  countersign attach ID [--json]

Shows events as they happen. Questions are also asked here; the first answer
counts. Each line that you type is sent to the model as a message. Ctrl-C
detaches; the other process continues.

  --store DIR         the directory of the journal
  --json              print every event as a line of JSON; no questions are asked`,
  stats: `Show statistics: calls, durations, waits, decisions, cost.

  countersign stats [--days N] [--session ID] [--json]

Times are the median and the 95th percentile. Cost is an estimate from list
prices, where they are known.

  --days N            the last N days only
  --session ID        this session only
  --store DIR         the directory of the journal
  --json              print one JSON object`,
  doctor: `Show every setting with its origin, and check the installation.

  countersign doctor [--json]

The exit code is 1 if a required part does not work. Keys and other secrets are
never shown. The check sends no request to the model that costs money.

  -m, --model NAME    as for a prompt
  --workspace DIR     the workspace to check (default: the current directory)
  --store DIR         the directory of the journal
  --json              print JSON lines`,
  acp: `Work in an editor that supports the Agent Client Protocol (ACP).

  countersign acp

The editor starts this command and communicates with it over stdin and stdout.
In Zed's settings:

  "agent_servers": {
    "Countersign": { "command": "countersign", "args": ["acp"] }
  }

Policy, approvals and the journal work as in every other front end: questions
shown in the editor can also be answered elsewhere, and questions that are open
when the editor is closed are shown again when the session is loaded.

  --workspace DIR     allow the editor to open this folder although it is a
                      root, home or system directory; may be repeated
  -m, --model, --max-turns, --max-tokens, --max-cost as for prompt
  --mode MODE, --store, --policy, --tools, --sandbox as for exec`,
  mcp: `List the configured MCP servers, or serve tools to other agents.

  countersign mcp list [--json] [--workspace DIR]
  countersign mcp serve [--http [--port N]]

list starts the servers of "mcpServers" in the settings, prints each server's
status and tools, and stops them. The exit code is 1 if one of them cannot be
used.

serve offers the tools of this program to another agent. The agent starts this
command and communicates with it over stdin and stdout:

  { "mcpServers": { "countersign": { "command": "countersign", "args": ["mcp", "serve"] } } }

Policy and journal apply to every call. A call that needs approval waits for an
answer from this machine: countersign approvals, the terminal, or the web page.

  --http              use HTTP instead, at 127.0.0.1 only, for any number of
                      clients; each sends a token, as for countersign serve
  --port N            default 7447; 0 for any free port
  --approvals HOW     wait (default); deny: deny calls that need approval
  --with-mcp-servers  also offer the tools of the configured MCP servers
  --session, --resume as for exec; over HTTP each client has a session of its own
  --workspace, --mode, --store, --policy, --tools, --sandbox as for exec`,
  demo: `Watch a scripted model: reads, a denial, your approval, a batch.

  countersign demo [--yes] [--keep]

The demo works in a temporary folder with the real agent, tools and default
rules; your own settings are not used. It requires no model and no key. Without
a terminal to ask in, the edit is declined.

  --yes               approve the edit without asking
  --keep              keep the temporary folder`,
  serve: `Serve sessions, approvals and the web page over HTTP.

  countersign serve [--workspace DIR] [--port N]
  countersign serve link [--port N | --url URL] [--name NAME]
  countersign serve browsers [--json]
  countersign serve sign-out ID ... | --all

Prints a one-time link that signs a browser in; link prints another one for a
server that is already running. browsers lists the signed-in browsers; sign-out
signs one out, within a second even if it has the page open.
Programs authenticate with a token from server-tokens.json in the configuration
directory (readable only by you), as "Authorization: Bearer TOKEN". Each token
has a name, which is recorded with every answer. Add {"name", "token"} for other
users or remove an entry at any time; removing one also signs out all browsers
of that name.

  --workspace DIR     a folder that sessions may work in, with its subfolders
                      (default: the current one); may be repeated
  --port N            default 7446, or any free port if it is taken; 0 for any
                      free port
  --address ADDRESS   default 127.0.0.1; other addresses require TLS
  --tls-cert, --tls-key FILE
  --expose-without-tls  allow other addresses without TLS, in clear text
  --host-name NAME    a host name under which browsers reach the server; may be
                      repeated
  --page DIR          the directory of the web page's files
  --mode, --model, --store, --policy, --tools, --sandbox as for exec and prompt`,
  help: `Explain a command.

  countersign help [COMMAND]`,
};

/** Two pages are about the program without a command. */
function typedAs(page: string): string {
  if (page === 'prompt') return 'countersign -p TEXT';
  return page === 'terminal' ? 'countersign' : `countersign ${page}`;
}

/** Null if there is no such command. The option that gives a prompt names its page, too. */
export function helpOn(name: string): string | null {
  const command = name === '-p' || name === '--prompt' ? 'prompt' : name;
  const page = Object.hasOwn(PAGES, command) ? PAGES[command] : undefined;
  return page === undefined ? null : `${typedAs(command).trim()}\n\n${page}\n`;
}

export function overview(): string {
  const lines = Object.entries(PAGES).map(
    ([name, page]) => `  ${typedAs(name).slice('countersign '.length).padEnd(11)} ${page.split('\n')[0]}`,
  );
  return `Countersign: nothing runs that was not granted, nothing granted runs twice,
nothing that happened is forgotten, and every decision can say why.

${lines.join('\n')}

  countersign help COMMAND explains it; countersign --version shows the version.

Exit codes: 0 all succeeded, 1 a call failed, 2 invalid command line, 3 calls
wait for approval, 4 a store, policy, settings file, tool module or model cannot
be used, 53 stopped by a limit, 130 ended by a signal (0 for serve, which is
stopped that way).
`;
}
