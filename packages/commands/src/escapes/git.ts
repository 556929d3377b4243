import { GIT_VALUED } from '@countersign/kernel';
import type { CommandConcern, CommandWord } from '@countersign/protocol';
import { type Grammar, names, readArguments } from '../words/options.js';
import { escape } from '../words/word.js';
import {
  type EscapeFinder,
  type EscapeOptions,
  escapeOptions,
  HARMLESS,
  LOADS_CODE,
  OTHER_CONFIGURATION,
  OTHER_PLACE,
  optionEscapes,
  RUNS_PROGRAM,
  unknownEscapes,
  WRITES_FILE,
} from './option-escapes.js';

/** Options before the sub-command. */
export const GIT_GLOBAL: Grammar = {
  valued: GIT_VALUED.short,
  valuedLong: GIT_VALUED.long,
  stopsAtOperand: true,
};

const GLOBAL_ESCAPES = escapeOptions({
  [OTHER_CONFIGURATION]: '-c --config-env',
  [OTHER_PLACE]: '-C --git-dir --work-tree --bare --namespace --super-prefix',
  [RUNS_PROGRAM]: '--exec-path -p --paginate',
});

const EVERYWHERE = escapeOptions({
  [HARMLESS]: '--text --filter',
  [WRITES_FILE]: '--output --export-marks',
  [RUNS_PROGRAM]:
    '--ext-diff --textconv --filters --upload-pack --receive-pack --exec --extcmd --open-files-in-pager',
  [LOADS_CODE]: '--template',
  [OTHER_CONFIGURATION]: '--config',
  [OTHER_PLACE]: '--separate-git-dir',
});

/**
 * Sub-commands that list or change, as their options say. `--no-list` takes back what made them list, by any beginning of
 * its name (`--no-li`); these do not.
 */
const MODE_BY_OPTION = /^(?:branch|tag|config|remote|stash|worktree|reflog|notes|submodule|symbolic-ref)$/;
const HARMLESS_NEGATION =
  /^--no-(?:contains|merged|color|column|abbrev|includes|ignore-case|omit-empty|show-origin|show-scope|name-only|null)$/;

type SubCommand = { readonly escapes?: EscapeOptions; readonly valued?: string };

/** Options of one sub-command only. */
const SUB_COMMANDS: { readonly [name: string]: SubCommand } = {
  archive: { escapes: escapeOptions({ [WRITES_FILE]: '-o', [OTHER_PLACE]: '--remote' }), valued: 'o' },
  'format-patch': { escapes: escapeOptions({ [WRITES_FILE]: '-o' }), valued: 'o' },
  clone: { escapes: escapeOptions({ [RUNS_PROGRAM]: '-u', [OTHER_CONFIGURATION]: '-c' }), valued: 'ucboj' },
  grep: { escapes: escapeOptions({ [RUNS_PROGRAM]: '-O' }), valued: 'fAeBCm' },
  rebase: { escapes: escapeOptions({ [RUNS_PROGRAM]: '-x -i --interactive' }), valued: 'xsXC' },
  commit: { valued: 'mFcCt' },
};

/** Sub-commands that are escapes themselves, unless a rule names them. */
const RUNNING_SUB_COMMANDS = names(
  'difftool mergetool filter-branch instaweb send-email daemon for-each-repo hook web--browse gui remote-ext credential shell',
);

/** Words after a sub-command that make it an escape: `git bisect run …`. */
const SUB_SUB_COMMANDS: { readonly [name: string]: readonly string[] } = {
  bisect: ['run', 'visualize', 'view'],
  submodule: ['foreach'],
  maintenance: ['start', 'register'],
  help: ['-w', '--web'],
};

export const gitEscapes: EscapeFinder = (words) => {
  const globals = readArguments(words, GIT_GLOBAL);
  const operand = globals.find(({ type }) => type === 'operand');
  const concerns = [...optionEscapes(globals, GLOBAL_ESCAPES), ...unknownEscapes(globals)];
  if (operand === undefined) return concerns;

  const name = operand.word.text ?? '';
  const sub: SubCommand = Object.hasOwn(SUB_COMMANDS, name) ? (SUB_COMMANDS[name] ?? {}) : {};
  const tokens = readArguments(words, { valued: sub.valued ?? '' }, operand.index + 1);
  if (operand.word.text === null) concerns.push(escape(operand.word, 'its sub-command is not known'));
  if (RUNNING_SUB_COMMANDS.includes(name)) concerns.push(escape(operand.word, RUNS_PROGRAM));
  const rest = words.slice(operand.index + 1);
  const within = Object.hasOwn(SUB_SUB_COMMANDS, name) ? (SUB_SUB_COMMANDS[name] ?? []) : [];
  return [
    ...concerns,
    ...optionEscapes(tokens, new Map([...EVERYWHERE, ...(sub.escapes ?? [])])),
    ...unknownWords(words, operand.index + 1),
    ...rest.filter(({ text }) => within.includes(text ?? '')).map((word) => escape(word, RUNS_PROGRAM)),
    ...rest.filter(({ leading }) => /^(?:ext|fd)::/.test(leading)).map((word) => escape(word, RUNS_PROGRAM)),
    ...(name === 'config' ? configEscapes(rest) : []),
    ...(MODE_BY_OPTION.test(name) ? rest.filter(takesBack).map((word) => escape(word, TAKES_BACK)) : []),
  ];
};

const TAKES_BACK = 'takes back an option that makes it only look';
const takesBack = ({ leading }: CommandWord): boolean =>
  leading.startsWith('--no-') && !HARMLESS_NEGATION.test(leading);

/** Values of options count as well: which options take one is not known for every sub-command. */
const unknownWords = (words: readonly CommandWord[], from: number): CommandConcern[] =>
  unknownEscapes(readArguments(words, {}, from));

const CONFIG_READS = /^(?:--get(?:-.*)?|--list|-l|get|list)$/;
const CONFIG_WRITES =
  /^(?:--(?:add|unset|unset-all|replace-all|rename-section|remove-section|edit)|-e|set|unset|edit|rename-section|remove-section)$/;

/** `git config name` reads; `git config name value` stores what may be a program to run later. */
function configEscapes(rest: readonly CommandWord[]): CommandConcern[] {
  const elsewhere = rest.filter(({ leading }) => /^(?:-f|--file|--blob)/.test(leading));
  const setting = configSetting(rest);
  return [
    ...elsewhere.map((word) => escape(word, OTHER_CONFIGURATION)),
    ...(setting === undefined
      ? []
      : [escape(setting, 'changes its configuration, which may name programs to run')]),
  ];
}

/** The word that makes `git config` change something; undefined if it only reads. */
export function configSetting(rest: readonly CommandWord[]): CommandWord | undefined {
  const written = rest.find(({ text }) => CONFIG_WRITES.test(text ?? ''));
  const isRead = rest.some(({ text }) => CONFIG_READS.test(text ?? ''));
  const operands = rest.filter(({ leading }) => !leading.startsWith('-'));
  return written ?? (!isRead && operands.length !== 1 ? operands[0] : undefined);
}
