/** One page per command. The first line of each is what the overview shows. */
const PAGES: { readonly [command: string]: string } = {
  prompt: `Work on one prompt with a model, without a screen.

  countersign -p "why does the build fail?"
  git diff | countersign -p "review this"
  countersign -c -p "and now mend it"

  -p, --prompt TEXT   what to do; what comes through a pipe is put before it
  -m, --model NAME    which model; by itself, or with its provider before it:
                      gemini:…, anthropic:…, openai:…, ollama:…
                      Left out: COUNTERSIGN_MODEL, settings, then whoever has a
                      key in the environment (GEMINI_API_KEY, ANTHROPIC_API_KEY,
                      OPENAI_API_KEY or OPENAI_BASE_URL), in a file or in the
                      keyring (docs/SETTINGS.md), then a local Ollama
  -o, --output-format text (default), json, stream-json
  -c, --continue      go on with the last session of this folder
  -r, --resume ID     go on with this one
  --mode MODE, --yolo, --workspace, --store, --session, --policy, --tools,
  --sandbox, --editor as for exec
  --approvals HOW     as for exec; stdio needs --output-format stream-json
  --max-turns N       requests to the model for this prompt (default 100)
  --max-tokens N      tokens that the session may take in all
  --max-cost DOLLARS  by list prices, where they are known`,
  terminal: `Work with a model in the terminal: countersign alone.

  countersign
  countersign -c
  countersign -m ollama:qwen3

Type what to do; /help lists keys and commands. Without a model, commands and
tools can be called all the same: !ls, /tool read_file {"file_path": "a.txt"}

  -c, --continue      go on with the last session of this folder
  -r, --resume ID     go on with this one
  --screen-reader     plain lines, nothing is drawn over
                      (or COUNTERSIGN_SCREEN_READER=1)
  -m, --mode, --yolo, --workspace, --store, --session, --policy, --tools,
  --sandbox, --editor, --max-turns, --max-tokens, --max-cost as for a prompt

NO_COLOR and COUNTERSIGN_THEME (light, dark, plain) choose the colours.`,
  exec: `Run tool calls given as JSON through the whole pipeline, no model.

  countersign exec '{"name":"list_directory","args":{"dir_path":"."}}'
  countersign exec < calls.jsonl

Calls come as arguments or on stdin: one object a line, or a JSON list, which is
one batch (its calls run in parallel where they can not conflict). Results go to
stdout, one JSON line a call, in request order.

  --mode MODE         plan, manual (default), auto_edit, yolo, confirm_always
  --yolo              the same as --mode yolo
  --workspace DIR     the directory to work in (default: here, unless that is a
                      root, a home or a system directory)
  --approvals HOW     terminal: ask here (default in a terminal)
                      stdio: questions and answers as JSON lines
                      wait: until somebody answers elsewhere on this machine
                      deny: what would ask is denied (default otherwise)
  --start RULE        as_granted (default) or together
  --store DIR         where the journal is kept; :memory: keeps nothing
  --session ID        the id of the new session
  --resume ID         take a session up again: open calls go on, new ones may
                      follow; a process that has it open carries them out
  --policy FILE       more rules (TOML), may be repeated
  --tools MODULE      more tools: an ES module that exports a list as default
  --sandbox MODE      off; on (default): what runs without a question runs
                      confined, where that is possible; required: nowhere else
  --editor NAME       to change a call in, instead of $VISUAL or $EDITOR:
                      vscode, cursor, zed, vim, emacs, hx, nano and others
  --events            print every event as it happens, too
  --json              accepted for clarity: output is always JSON lines`,
  approvals: `Show what waits for a person on this machine, and answer it.

  countersign approvals list [--json] [--verbose]
  countersign approvals answer ID OUTCOME [--feedback TEXT] [--by NAME] [--json]

OUTCOME is one that the question offers: proceed_once, proceed_always,
proceed_always_tool, proceed_always_server, proceed_always_and_save or cancel.
The answer counts for the question as it is shown; --digest binds it to an
earlier showing. If no process works on the session any more, the call runs
here, and its result is printed.

  --store DIR         where the journal is kept
  --key TEXT          names this answer, so that sending it twice does no harm
  --tools, --policy, --sandbox
                      as for exec: a session that was started with them is taken
                      up with them, and with nothing less`,
  policy: `Say what the rules make of a call, and why, without running it.

  countersign policy check 'git push && npm test'
  countersign policy check write_file '{"file_path":"a.txt","content":""}'
  countersign policy check --json < calls.jsonl
  countersign policy explain 'git push'
  countersign policy explain --call SESSION/CALL
  countersign policy test [--policy FILE]
  countersign policy replay [--policy FILE] [--session ID] [--json]

check judges calls: a command line, a tool with its arguments, or one JSON object
a line on stdin, {"id", "tool", "args", "interactive"?, "policy"?: [rule, …]}, with
one answer a line, {"id", "decision", "rule", "reasons", "commands"}. "policy" holds
rules with the keys of the files, which count instead of them for that line.
explain adds every rule that was considered, or tells from the journal how a call
was decided. test holds each rule's own examples (matches, notMatches) against it.
replay judges history by the rules of now and prints what would differ.

  --policy FILE       more rules (TOML), may be repeated
  --no-defaults       without the rules that ship with the program
  --verbose           also how rules of other programs are understood; test and
                      doctor always say so
  --mode MODE         as for exec
  --workspace DIR     the directory that paths count from (default: here)
  --session ID        replay: this session only, may be repeated
  --store DIR         where the journal is kept
  --json              JSON lines instead of words`,
  grants: `Show what was allowed for good, and take it back.

  countersign grants list [--json]
  countersign grants revoke ID [ID …] [--by NAME] [--json]

Revoking takes effect at once, also in sessions that run: a call that was let
through by the grant and has not started is cancelled.

  --store DIR         where the journal is kept`,
  trust: `Let rules, hooks and settings of a folder take effect.

  countersign trust [DIR] [--yes] [--json]
  countersign trust --list [DIR] [--json]
  countersign trust --revoke [DIR] [--json]

Shows what of DIR (default: here) would take effect: the rules in
.countersign/policies, skills, and of .countersign/settings.json what runs a
program or asks less; then asks. Trust is for what was shown: when one of those files, or a
file of the folder that a hook or MCP server runs, is changed, added or removed, nothing of it
takes effect until somebody has looked again. It is for DIR alone, neither for
folders in it nor above it.

  --yes               do not ask; needed where there is no terminal
  --list              which folders are trusted, and which changed since
  --revoke            trust it no longer
  --json              JSON lines instead of words`,
  sessions: `Show what was said and done, go on with it, copy or remove it.

  countersign sessions list [--all] [--json]
  countersign sessions show ID [--whole] [--json]
  countersign sessions resume ID
  countersign sessions fork ID [--at CALL | --at-message N] [--session ID]
  countersign sessions export ID [--output FILE]
  countersign sessions delete ID [ID …] [--yes]

list shows those of this folder; show tells one, with who decided on each call
and why. resume takes up what waits or was running; to say more to the model:
countersign --resume ID -p "…". Both need the --policy, --tools and --sandbox that
the session was started with. fork makes a new session that begins as this one
did, up to and with the turn of a call or message (else all turns that are over);
nothing in it waits or runs, and what was granted for the one session alone is
not granted in the other. export prints every fact as a line of JSON after one
that says what they are. delete removes a session that no process works on, with
all that its calls left; what was granted beyond it stays granted.

  --all               list: of every folder
  --workspace DIR     list: of that folder
  --whole             show: nothing is shortened
  --approvals, --policy, --tools    resume: as for exec
  --yes               delete: do not ask; needed where there is no terminal
  --store DIR         where the journal is kept
  --json              JSON lines instead of words`,
  attach: `Watch a session of another process, answer it, speak to it.

  countersign attach ID [--json]

Shows what happens as it happens. Questions are asked here as well: whoever
answers first decides. A line that is typed goes to the model as a message.
Ctrl-C leaves; the other process goes on.

  --store DIR         where the journal is kept
  --json              every fact as a line of JSON, and nothing is asked`,
  stats: `Count calls, success, durations, waits, decisions, tokens, cost.

  countersign stats [--days N] [--session ID] [--json]

Times are the median and what 95 of 100 calls stay below. Cost is estimated by
list prices, where they are known.

  --days N            the last N days only
  --session ID        this session only
  --store DIR         where the journal is kept
  --json              one JSON object instead of words`,
  doctor: `Show every setting with its origin, and check what is needed.

  countersign doctor [--json]

The exit code is 1 if something that is needed does not work. Keys and other
secrets are never shown. The model is asked for nothing that costs anything.

  -m, --model NAME    as for a prompt
  --workspace DIR     as seen from there (default: here)
  --store DIR         where the journal is kept
  --json              JSON lines instead of words`,
  acp: `Work in an editor that speaks the Agent Client Protocol.

  countersign acp

The editor starts this command itself, and speaks with it over stdin and stdout.
In Zed's settings:

  "agent_servers": {
    "Countersign": { "command": "countersign", "args": ["acp"] }
  }

Calls are judged, asked about and journaled as everywhere: what the editor asks
can be answered elsewhere as well, and what waits when it is closed still waits
when the session is loaded again.

  --workspace DIR     a folder that the editor may open although it is a root, a
                      home or a system directory; may be repeated
  -m, --model, --max-turns, --max-tokens, --max-cost as for prompt
  --mode MODE, --store, --policy, --tools, --sandbox as for exec`,
  mcp: `Look at the MCP servers in use, or be one for other agents.

  countersign mcp list [--json] [--workspace DIR]
  countersign mcp serve [--http [--port N]]

list starts the servers that "mcpServers" of settings name, says how it is with
each and which tools it has, and ends them. The exit code is 1 if one can not be
used.

serve offers the tools of this program to another agent, which starts it and
speaks with it over stdin and stdout:

  { "mcpServers": { "countersign": { "command": "countersign", "args": ["mcp", "serve"] } } }

Every call is judged and journaled as everywhere. What asks waits until somebody
on this machine answers: countersign approvals, the terminal, or the page.

  --http              over HTTP instead, at 127.0.0.1 only, for any number of
                      clients; each shows a token, as for countersign serve
  --port N            default 7447; 0 for any that is free
  --approvals HOW     wait (default); deny: what would ask is denied
  --with-mcp-servers  offer the tools of the servers in use, too
  --session, --resume as for exec; over HTTP each client has a session of its own
  --workspace, --mode, --store, --policy, --tools, --sandbox as for exec`,
  demo: `Watch a scripted model: reads, a denial, your approval, a batch.

  countersign demo [--yes] [--keep]

It works in a folder made for it, with the real agent, tools and rules; what you
have set up for yourself plays no part. No model and no key are needed. Where
there is no terminal to ask in, the edit is declined.

  --yes               say yes to the edit without asking
  --keep              leave the scratch folder behind`,
  serve: `Serve sessions, approvals and the page over HTTP.

  countersign serve [--workspace DIR] [--port N]
  countersign serve link [--port N | --url URL] [--name NAME]
  countersign serve browsers [--json]
  countersign serve sign-out ID ... | --all

Prints a link that signs a browser in, once; link prints another one for a
server that runs already. browsers lists those that are signed in, and sign-out
refuses one from then on, within a second also where it has the page open.
Programs send the token that lies in server-tokens.json in the configuration
directory, readable for you alone, as "Authorization: Bearer TOKEN". Tokens have
names, and each answer records whose it was; add {"name", "token"} there for
others, or remove one, at any time, and with it all browsers of that name.

  --workspace DIR     where sessions may work, with what lies in it (default:
                      here); may be repeated
  --port N            default 7446, or any other where that is taken; 0 for any
  --address ADDRESS   default 127.0.0.1. Beyond this machine only with TLS
  --tls-cert, --tls-key FILE
  --expose-without-tls  beyond this machine in clear text all the same
  --host-name NAME    a name that browsers may reach it by, may be repeated
  --page DIR          the files of the page
  --mode, --model, --store, --policy, --tools, --sandbox as for exec and prompt`,
  help: `Explain a command.

  countersign help [COMMAND]`,
};

/** Null if there is no such command. */
export function helpOn(command: string): string | null {
  const page = Object.hasOwn(PAGES, command) ? PAGES[command] : undefined;
  return page === undefined ? null : `countersign ${command}\n\n${page}\n`;
}

export function overview(): string {
  const lines = Object.entries(PAGES).map(([name, page]) => `  ${name.padEnd(11)} ${page.split('\n')[0]}`);
  return `Countersign: nothing runs that was not granted, nothing granted runs twice,
nothing that happened is forgotten, and every decision can say why.

${lines.join('\n')}

  countersign help COMMAND tells more; countersign --version prints the version.

Exit codes: 0 all succeeded, 1 something did not, 2 not understood,
3 calls wait for approval, 4 a store, policy, settings file, tool module or
model can not be used, 53 stopped by a limit, 130 interrupted.
`;
}
