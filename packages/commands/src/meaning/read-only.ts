import { baseName } from '@countersign/kernel';
import type { CommandWord } from '@countersign/protocol';
import { type Grammar, readArguments } from '../words/options.js';

/**
 * Programs that change nothing others could notice in ordinary use, by what
 * they look at. This is about order (SPEC S2), not about consent: a folder's
 * configuration can make `git status` run a program.
 */
export type Looks = 'at-nothing' | 'at-files';

/** A condition on the arguments; the program is not read-only when it is not met. */
type Condition = (words: readonly CommandWord[]) => boolean;

const always: Condition = () => true;
const without =
  (pattern: RegExp): Condition =>
  (words) =>
    words.slice(1).every(({ leading }) => !pattern.test(leading));
const withSub =
  (pattern: RegExp, grammar: Grammar = {}): Condition =>
  (words) => {
    const operands = readArguments(words, grammar).flatMap((token) =>
      token.type === 'operand' ? [token.word.text ?? '?'] : [],
    );
    return pattern.test(operands.slice(0, 2).join(' '));
  };
const operandsMax =
  (count: number, valued = ''): Condition =>
  (words) =>
    readArguments(words, { valued }).filter(({ type }) => type !== 'option').length <= count;

const AT_NOTHING: { readonly [program: string]: Condition } = {
  ...named(
    'sleep echo printf whoami id uname basename dirname seq expr type arch nproc tty uptime cal groups logname',
    always,
  ),
  ...named(
    'pwd cd pushd popd dirs export set unset local declare typeset readonly shopt umask read let times getopts',
    always,
  ),
  date: without(/^(?:-s|--s|\d)/),
  hostname: operandsMax(0),
  env: operandsMax(0),
  printenv: always,
};

const GIT_READS =
  /^(?:log|status|diff|show|blame|grep|ls-files|ls-tree|rev-parse|rev-list|describe|shortlog|cat-file|for-each-ref|name-rev|merge-base|count-objects|check-ignore|diff-tree|whatchanged|help|version|var|stash (?:list|show)|worktree list|reflog$|reflog show|show-ref|cherry|remote get-url|config(?: .*)?)(?: |$)/;

const AT_FILES: { readonly [program: string]: Condition } = {
  ...named(
    'ls cat head tail wc grep egrep fgrep zgrep rg stat du df which whereis file diff cmp comm cut tr nl tac rev',
    always,
  ),
  ...named(
    'fold fmt column paste join jq md5sum sha1sum sha256sum sha512sum cksum b2sum od hexdump strings realpath',
    always,
  ),
  ...named(
    'readlink ps pgrep lsof free zcat xzcat bzcat cloc tokei lscpu lsblk man less more sort uniq find fd fdfind',
    always,
  ),
  ...named('sed awk gawk mawk nawk', always),
  tree: without(/^-o/),
  xxd: operandsMax(1, 'clgosR'),
  yq: without(/^-\w*i|^--in/),
  base64: always,
  tar: (words) =>
    /^-?[a-z]*t|^--list$/.test(words[1]?.leading ?? '') && !/^-?\w*[xcruA]/.test(words[1]?.leading ?? 'x'),
  unzip: (words) => /^-[lZvt]/.test(words[1]?.leading ?? ''),
  git: (words) => withSub(GIT_READS, { valued: '' })(words) || gitLists(words),
  npm: withSub(/^(?:run$|ls|list|root|prefix|why|explain|pkg get|config (?:get|list))(?: |$)/),
  pnpm: withSub(/^(?:ls|list|why)(?: |$)/),
  yarn: withSub(/^(?:list|why)(?: |$)/),
  cargo: withSub(/^(?:tree|metadata)(?: |$)/),
  go: withSub(/^(?:version|env|list|doc)(?: |$)/),
  pip: withSub(/^(?:list|show|freeze)(?: |$)/),
  pip3: withSub(/^(?:list|show|freeze)(?: |$)/),
  docker: withSub(/^(?:ps|images|logs|inspect|version|info)(?: |$)/),
};

/** `git branch` and its like list when they are given no name. */
const gitLists: Condition = (words) => {
  const sub = words[1]?.text ?? '';
  const rest = words.slice(2);
  if (sub === 'remote') return rest.every(({ text }) => text === '-v' || text === '--verbose');
  if (sub !== 'branch' && sub !== 'tag') return false;
  // Git refuses to list and to change in one go.
  if (/^(?:-l|--list|--contains|--merged|--no-merged)$/.test(rest[0]?.text ?? '')) return true;
  return rest.every(
    ({ text }) =>
      text !== null &&
      /^-(?:[avvrln]+|-list|-all|-remotes|-verbose|-show-current|-sort=.*|-format=.*)$/.test(text),
  );
};

/** Asking a program for its version is no work, whichever program it is. */
const asksVersion: Condition = (words) =>
  words.length === 2 && /^(?:--version|-V|--help)$/.test(words[1]?.text ?? '');

/** null: it may change something. */
export function looksOnly(words: readonly CommandWord[]): Looks | null {
  const program = words[0]?.text ?? '';
  if (program.startsWith('.') || program.startsWith('~')) return null;
  const name = baseName(program);
  if (asksVersion(words)) return 'at-nothing';
  if (meets(AT_NOTHING, name, words)) return 'at-nothing';
  if (name === 'node' && words.length === 2 && words[1]?.text === '-v') return 'at-nothing';
  return meets(AT_FILES, name, words) ? 'at-files' : null;
}

const meets = (
  table: { readonly [program: string]: Condition },
  name: string,
  words: readonly CommandWord[],
): boolean => Object.hasOwn(table, name) && (table[name]?.(words) ?? false);

function named(programs: string, condition: Condition): { [program: string]: Condition } {
  return Object.fromEntries(programs.split(' ').map((program) => [program, condition]));
}
