import type { CommandAnalysis, CommandUnit, CommandWord } from '@countersign/protocol';
import { baseName } from './programs.js';

/**
 * Whether a command runs this very program, however it is spelled: by name, by
 * path, as a package, as the file that an interpreter is given, or inside text
 * that another program runs. An agent that reached it could answer its own
 * questions, grant itself permissions or trust a folder.
 *
 * Help and version are not meant. A copy under another name is not recognised.
 */
export function runsUs({ words, role }: CommandUnit): boolean {
  if (role.type === 'opaque') return false;
  const texts = words.map(({ text, outline }) => text ?? outline);
  const [program = '', ...rest] = texts;
  const name = plainName(program);
  if (isUs(program)) return !isHarmless(rest);
  if (RUNNERS.has(name) && upToScript(rest).some(loadsUs)) return true;
  if (MANAGERS.has(name) && managerRunsUs(rest)) return true;
  if (INTERPRETERS.has(name) && upToScript(rest).some(loadsUs)) return true;
  if (TEXT_RUNNERS.has(name) && rest.some(isCodeForUs)) return true;
  if (STARTERS.has(name) && rest.some(isUs)) return true;
  if (name === 'git' && rest.some((word) => /[!=]/.test(word) && runsAsCode(word))) return true;
  if (name === 'git' && GIT_RUNNERS.has(subCommandOf(rest)) && rest.some(mentionsUs)) return true;
  if (PRINTERS.has(name)) return false;
  return rest.some(
    (word, at) =>
      callsUs(word) ||
      (isUs(word) && SUB_COMMANDS.has(rest[at + 1] ?? '') && !FOLDERS.has(rest[at - 1] ?? '')),
  );
}

/** Whether the text of a command calls us where its words are not known: `node $(which countersign) serve`, a here-string. */
export function spellsCall({ words, role, span }: CommandUnit, text: string): boolean {
  const program = words[0]?.text ?? '';
  if (role.type === 'neutral' || PRINTERS.has(plainName(program)) || isUs(program)) return false;
  return callsUs(text.slice(span.start, span.end).replace(/["'\\]/g, ''));
}

/** Whether a line sets a variable to a call of us, or one that names a program to us: `GIT_EDITOR='countersign …' git commit`. */
export function assignsUs({ text }: CommandAnalysis): boolean {
  return [...text.matchAll(ASSIGNMENT)].some(([, name = '', single, double, plain]) => {
    const value = single ?? double ?? plain ?? '';
    return callsUs(value) || (NAMES_PROGRAM.test(name) && mentionsUs(value));
  });
}

const ASSIGNMENT = /(?<![\w$-])([A-Za-z_]\w*)=(?:\$?'([^']*)'|\$?"([^"]*)"|([^\s;&|()<>]+))/g;
const NAMES_PROGRAM =
  /^(?:GIT_\w+|\w*(?:EDITOR|PAGER|SHELL|BROWSER|ASKPASS|_COMMAND|_PROXY)|VISUAL|LESSOPEN|LESSCLOSE|ENV|BASH_ENV|PROMPT_COMMAND|PS[0-4])$/;

/** Whether what is not known of a line could run us: it names us, or asks something unknown for what only we have. */
export function mightRunUs({
  text,
  problem,
  evaluations,
  hiddenCharacters,
  units,
}: CommandAnalysis): boolean {
  const isUnclear = problem !== null || evaluations.length > 0 || hiddenCharacters.length > 0;
  if (isUnclear && mentionsUs(text)) return true;
  return units.some(
    ({ role, words }) =>
      role.type === 'opaque' && (mentionsUs(text) || words.slice(0, OPAQUE_WORDS_MAX).some(isOwnAction)),
  );
}

const OPAQUE_WORDS_MAX = 8;

/** `approvals answer`, `grants revoke` and the like, whatever stands before them. */
const isOwnAction = ({ text }: CommandWord, at: number, words: readonly CommandWord[]): boolean =>
  OWN_ACTIONS.has(`${text ?? ''} ${words[at + 1]?.text ?? ''}`);

const list = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const OWN_ACTIONS: ReadonlySet<string> = new Set(['approvals answer', 'grants revoke', 'guard uninstall']);

const SUB_COMMANDS = list(
  'approvals grants trust policy serve guard exec attach sessions audit mcp acp stats doctor demo import halt -p --prompt --yolo --resume -c',
);

/**
 * Text that holds such a call: `vim -c '!countersign grants list'`, `['countersign', 'approvals']`,
 * `node $(which countersign) serve`. A workspace or folder of that name (`npm -w countersign exec`) is none.
 */
const callsUs = (text: string): boolean =>
  [...text.matchAll(CALL)].some(([, sub = '']) => SUB_COMMANDS.has(sub));

const CALL =
  /(?<!(?:(?:-w|-C|--(?:workspace|prefix|cwd|dir))[= ]|--filter )\S{0,200})countersign(?:\.[cm]?js)?["'\s,)}\]`]+([\w-]+)/gi;

const RUNNERS = list('npx bunx pnpx');
const MANAGERS = list('npm pnpm yarn bun corepack volta');
const INTERPRETERS = list('node nodejs deno bun tsx ts-node electron');
/** Programs that are given command lines as text, for another shell, terminal or machine. */
const TEXT_RUNNERS = list(
  'tmux screen script at batch watch expect ssh docker podman kubectl osascript perl python python3 ruby php lua systemd-run crontab dbus-send gdb',
);
/** Options whose value is a workspace or a folder, which may have our name. */
const FOLDERS = list('-w --workspace --prefix -C --filter --cwd --dir');
/** Sub-commands of git that run a command they are given. */
const GIT_RUNNERS = list('rebase bisect difftool mergetool submodule filter-branch');
const subCommandOf = (words: readonly string[]): string => words.find((word) => !word.startsWith('-')) ?? '';
/** A word of theirs may be the whole command. */
const STARTERS = list('tmux screen systemd-run at batch');
/** Their words are shown or searched for, not run. */
const PRINTERS = list(
  'echo printf grep egrep fgrep rg git gh man which type whereis cat ls head tail less apropos tee',
);

const plainName = (program: string): string =>
  baseName(program)
    .toLowerCase()
    .replace(/\.(?:cmd|exe|ps1)$/, '')
    .replace(/^((?:python|node|nodejs|ruby|perl|php|lua))[\d.-]+$/, '$1');

const isUs = (word: string): boolean => /^countersign(?:\.[cm]?[jt]s)?$/.test(plainName(word));

const isHarmless = (words: readonly string[]): boolean => {
  const [first = ''] = words;
  return first === 'help' || (words.length === 1 && /^(?:--version|-V|--help|-h)$/.test(first));
};

/** `countersign`, `countersign@1.2`, `--package=countersign`, `github:x/countersign`, or a path to it. */
const namesPackage = (word: string): boolean => /(?:^|[/=:@])countersign(?:@[^/]*|\.git|\.tgz)?$/i.test(word);

const RUNS = list('exec x run run-script dlx explore start node');

function managerRunsUs(words: readonly string[]): boolean {
  const operands = words.filter((word, at) => !word.startsWith('-') && !VALUED.has(words[at - 1] ?? ''));
  const [first = ''] = operands;
  if (isUs(first) || isOurScript(first)) return true;
  return RUNS.has(first) && upToScript(words.slice(words.indexOf(first) + 1)).some(loadsUs);
}

const isOurScript = (word: string): boolean =>
  isUs(word) || /(?:^|\/)(?:countersign|packages\/cli)\/(?:bin|dist)\//i.test(word);

/** Options of interpreters and package runners whose value is the next word. */
const VALUED = list(
  '-r --require --import --loader --experimental-loader -e --eval --print -p --package -C --conditions --env-file -c --call --config -w --workspace',
);

/** What it is given for itself: its options, a sub-command, and the script or package. The rest is for that. */
function upToScript(words: readonly string[]): readonly string[] {
  let isFirst = true;
  for (const [at, word] of words.entries()) {
    if (word.startsWith('-') || VALUED.has(words[at - 1] ?? '')) continue;
    if (!(isFirst && /^(?:run|x|exec)$/.test(word))) return words.slice(0, at + 1);
    isFirst = false;
  }
  return words;
}

const loadsUs = (word: string): boolean => isOurScript(word) || namesPackage(word) || isCodeForUs(word);

/** Text with blanks or brackets in it is code, and no path. */
const isCode = (word: string): boolean => /[\s("'`]/.test(word);
const isCodeForUs = (word: string): boolean => isCode(word) && mentionsUs(word);

/** `alias.x=!countersign …`, `core.pager=countersign …`: the name where a command begins. */
const runsAsCode = (word: string): boolean => /[!=]\s*(?:\S*\/)?countersign(?![\w-])/i.test(word);

const mentionsUs = (text: string): boolean => /(?<![\w-])@?countersign(?![\w-])/i.test(text);
