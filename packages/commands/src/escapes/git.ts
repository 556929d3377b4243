import { GIT_VALUED } from '@countersign/kernel';
import type { CommandConcern, CommandWord } from '@countersign/protocol';
import { type Grammar, readArguments } from '../words/options.js';
import {
  type EscapeFinder,
  type EscapeOptions,
  escape,
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

const GLOBAL_ESCAPES: EscapeOptions = {
  '-c': OTHER_CONFIGURATION,
  '--config-env': OTHER_CONFIGURATION,
  '-C': OTHER_PLACE,
  '--git-dir': OTHER_PLACE,
  '--work-tree': OTHER_PLACE,
  '--bare': OTHER_PLACE,
  '--namespace': OTHER_PLACE,
  '--super-prefix': OTHER_PLACE,
  '--exec-path': RUNS_PROGRAM,
  '-p': RUNS_PROGRAM,
  '--paginate': RUNS_PROGRAM,
};

const EVERYWHERE: EscapeOptions = {
  '--output': WRITES_FILE,
  '--ext-diff': RUNS_PROGRAM,
  '--text': null,
  '--textconv': RUNS_PROGRAM,
  '--filter': null,
  '--filters': RUNS_PROGRAM,
  '--upload-pack': RUNS_PROGRAM,
  '--receive-pack': RUNS_PROGRAM,
  '--exec': RUNS_PROGRAM,
  '--extcmd': RUNS_PROGRAM,
  '--open-files-in-pager': RUNS_PROGRAM,
  '--template': LOADS_CODE,
  '--config': OTHER_CONFIGURATION,
  '--export-marks': WRITES_FILE,
  '--separate-git-dir': OTHER_PLACE,
};

/**
 * Sub-commands that list or change, as their options say. `--no-list` takes back what made them list, by any beginning of
 * its name (`--no-li`); these do not.
 */
const MODE_BY_OPTION = /^(?:branch|tag|config|remote|stash|worktree|reflog|notes|submodule|symbolic-ref)$/;
const HARMLESS_NEGATION =
  /^--no-(?:contains|merged|color|column|abbrev|includes|ignore-case|omit-empty|show-origin|show-scope|name-only|null)$/;

type SubCommand = { readonly escapes?: EscapeOptions; readonly valued?: string; readonly itself?: string };

/** What only matters for one sub-command. `itself`: the sub-command is the escape, unless a rule names it. */
const SUB_COMMANDS: { readonly [name: string]: SubCommand } = {
  archive: { escapes: { '-o': WRITES_FILE, '--remote': OTHER_PLACE }, valued: 'o' },
  'format-patch': { escapes: { '-o': WRITES_FILE }, valued: 'o' },
  clone: { escapes: { '-u': RUNS_PROGRAM, '-c': OTHER_CONFIGURATION }, valued: 'ucboj' },
  grep: { escapes: { '-O': RUNS_PROGRAM }, valued: 'fAeBCm' },
  rebase: {
    escapes: { '-x': RUNS_PROGRAM, '-i': RUNS_PROGRAM, '--interactive': RUNS_PROGRAM },
    valued: 'xsXC',
  },
  commit: { valued: 'mFcCt' },
  difftool: { itself: RUNS_PROGRAM },
  mergetool: { itself: RUNS_PROGRAM },
  'filter-branch': { itself: RUNS_PROGRAM },
  instaweb: { itself: RUNS_PROGRAM },
  'send-email': { itself: RUNS_PROGRAM },
  daemon: { itself: RUNS_PROGRAM },
  'for-each-repo': { itself: RUNS_PROGRAM },
  hook: { itself: RUNS_PROGRAM },
  'web--browse': { itself: RUNS_PROGRAM },
  gui: { itself: RUNS_PROGRAM },
  'remote-ext': { itself: RUNS_PROGRAM },
  credential: { itself: RUNS_PROGRAM },
  shell: { itself: RUNS_PROGRAM },
};

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
  if (sub.itself !== undefined) concerns.push(escape(operand.word, sub.itself));
  const rest = words.slice(operand.index + 1);
  const within = Object.hasOwn(SUB_SUB_COMMANDS, name) ? (SUB_SUB_COMMANDS[name] ?? []) : [];
  return [
    ...concerns,
    ...optionEscapes(tokens, { ...EVERYWHERE, ...sub.escapes }),
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

/** The word by which `git config` is told to change something; undefined if it only reads. */
export function configSetting(rest: readonly CommandWord[]): CommandWord | undefined {
  const written = rest.find(({ text }) => CONFIG_WRITES.test(text ?? ''));
  const isRead = rest.some(({ text }) => CONFIG_READS.test(text ?? ''));
  const operands = rest.filter(({ leading }) => !leading.startsWith('-'));
  return written ?? (!isRead && operands.length !== 1 ? operands[0] : undefined);
}
