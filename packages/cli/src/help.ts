import { usage } from './failure-text.js';

/** One page per command. The first line of each is what the overview shows. */
const PAGES: { readonly [command: string]: string } = {
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
3 calls wait for approval, 4 a store, policy or tool module can not be used,
130 interrupted.
`;
}
