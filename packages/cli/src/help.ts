import { usage } from './failure-text.js';

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
                      OPENAI_API_KEY or OPENAI_BASE_URL), then a local Ollama
  -o, --output-format text (default), json, stream-json
  -c, --continue      go on with the last session of this folder
  -r, --resume ID     go on with this one
  --mode MODE, --yolo, --workspace, --store, --session, --policy, --tools,
  --sandbox, --editor as for exec
  --approvals HOW     as for exec; stdio needs --output-format stream-json
  --max-turns N       requests to the model for this prompt (default 100)
  --max-tokens N      tokens that the session may take in all
  --max-cost DOLLARS  by list prices, where they are known`,
  exec: `Run tool calls given as JSON through the whole pipeline, no model.

  countersign exec '{"name":"list_directory","args":{"dir_path":"."}}'
  countersign exec < calls.jsonl

Calls come as arguments or on stdin: one object a line, or a JSON list, which is
one batch (its calls run in parallel where they can not conflict). Results go to
stdout, one JSON line a call, in request order.

  --mode MODE         plan, manual (default), auto_edit, yolo, confirm_always
  --yolo              the same as --mode yolo
  --workspace DIR     the directory to work in (default: here)
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
  --tools, --policy   as for exec, if the session was started with them`,
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
file of the folder that a hook runs, is changed, added or removed, nothing of it
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
countersign --resume ID -p "…". fork makes a new session that begins as this one
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

  -m, --model, --max-turns, --max-tokens, --max-cost as for prompt
  --mode MODE, --store, --policy, --tools, --sandbox as for exec`,
  demo: `Watch a scripted batch: parallel reads, an edit, your approval.

It works in a folder made for it, with the real tools and the real rules.

  countersign demo [--keep]

  --keep              leave the scratch folder behind`,
  help: `Explain a command.

  countersign help [COMMAND]`,
};

export function helpText(command?: string): string {
  if (command === undefined) return overview();
  const page = Object.hasOwn(PAGES, command) ? PAGES[command] : undefined;
  if (page === undefined) throw usage(`There is no command "${command}"`, 'countersign help');
  return `countersign ${command}\n\n${page}\n`;
}

function overview(): string {
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
