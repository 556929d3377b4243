import type { Draft, Form, Forms } from './draft.js';
import { inAnsiQuotes, inDoubleQuotes, inSingleQuotes } from './quoting.js';
import { STUB_NAMES } from './stubs.js';

/** A command word, with whatever must stand before or after it. */
export const writeProgram: Form = (draft, depth) => {
  const kind = draft.pick(['name', 'name', 'name', 'name', 'wrapper', 'wrapper', 'code', 'other']);
  if (kind === 'wrapper') return draft.write(WRAPPERS, depth);
  if (kind === 'code' && depth > 0) return draft.write(CODE_WRAPPERS, depth - 1);
  return kind === 'other' ? draft.write(OTHER_PROGRAMS, depth) : draft.write(NAMES, depth);
};

/** Ways to write the name of a program. */
const NAMES: Forms = {
  'name of a program': (draft) => draft.pick(STUB_NAMES),
  'name in quotes': (draft) =>
    draft.pick([inSingleQuotes, inDoubleQuotes, inAnsiQuotes])(draft.pick(STUB_NAMES)),
  'name with quotes in it': (draft) =>
    `p${draft.pick(['""', "''", '\\', '\\\n', "$''", '$""'])}${draft.pick(['a', 'b', 'c', 'd'])}`,
  "name in $'…'": (draft) => draft.pick(["$'\\x70a'", "$'\\160b'", "$'\\u0070c'", "p$'d\\0x'", "$'pa\\x00'"]),
};

/** Something that leads to one of these, and is known to. */
const target = (draft: Draft, depth: number): string =>
  draft.chance(80) ? draft.write(NAMES, depth) : draft.write(WRAPPERS, depth - 1);

const WRAPPERS: Forms = {
  env: (draft, depth) =>
    `env ${draft.pick(['', 'A=1', '-u A', '-- ', '-uA B=2', '--unset=A', '--unset A', 'A=', '-v', '-i PATH="$PATH"', '- PATH="$PATH"', '-C .', '--chd=.', 'A=1 -- '])} ${target(draft, depth)}`,
  'env -S': (draft) =>
    `env ${draft.pick(['-S', '-S ', '-vS ', '--split-string=', '--split '])}${inSingleQuotes(`${draft.pick(STUB_NAMES)} x`)}`,
  timeout: (draft, depth) =>
    `timeout ${draft.pick(['5', '-s KILL 5', '-sKILL 5', '--signal=KILL 5', '--sig KILL 5', '-k 1 5', '--foreground 5', '-v 5', '-- 5', '-k1 -- 5s', '5 --'])} ${target(draft, depth)}`,
  nice: (draft, depth) =>
    `nice ${draft.pick(['', '-n 1', '-n1', '-5', '--adjustment=1', '--adj 1', '--', '-n 1 --'])} ${target(draft, depth)}`,
  nohup: (draft, depth) => `nohup ${draft.pick(['', '--'])} ${target(draft, depth)}`,
  setsid: (draft, depth) => `setsid ${draft.pick(['-w', '--wait', '-w --', '-fw'])} ${target(draft, depth)}`,
  stdbuf: (draft, depth) =>
    `stdbuf ${draft.pick(['-oL', '-o L', '--output=L', '-i0 -e 0', '--out L'])} ${target(draft, depth)}`,
  ionice: (draft, depth) =>
    `ionice ${draft.pick(['', '-c 3', '-c3', '-t', '--class 2 -n 7', '-c 2 -n7 --'])} ${target(draft, depth)}`,
  taskset: (draft, depth) =>
    `taskset ${draft.pick(['1', '-c 0', '--cpu-list 0', '-a 1', '-- 1'])} ${target(draft, depth)}`,
  chrt: (draft, depth) =>
    `chrt ${draft.pick(['-b 0', '--other 0', '-i 0', '-v -b 0'])} ${target(draft, depth)}`,
  prlimit: (draft, depth) =>
    `prlimit ${draft.pick(['--nofile=64', '-n64', '-n=64', '--core=0 -v', '--nofile=64 --'])} ${target(draft, depth)}`,
  setpriv: (draft, depth) =>
    `setpriv ${draft.pick(['--nnp', '--no-new-privs', '--nnp --'])} ${target(draft, depth)}`,
  flock: (draft, depth) =>
    `flock ${draft.pick(['file', '-n file', '-w 1 file', '--timeout 1 file', '-x file'])} ${target(draft, depth)}`,
  command: (draft, depth) => `command ${draft.pick(['', '--', '-p', '-p --'])} ${target(draft, depth)}`,
  'command -v': (draft, depth) =>
    `command ${draft.pick(['-v', '-V', '-pv', '-p -v'])} ${target(draft, depth)}`,
  builtin: (draft, depth) => `builtin ${draft.pick(['', '--'])} command ${target(draft, depth)}`,
  exec: (draft, depth) =>
    `exec ${draft.pick(['', '-a x', '-ax', '-c', '-l', '--', '-cl', '-la x'])} ${target(draft, depth)}`,
  'time of the grammar': (draft, depth) =>
    `${draft.pick(['time', 'time -p', 'time --', 'time -p --', '! time', 'time !'])} ${target(draft, depth)}`,
  xargs: (draft, depth) =>
    `echo a b | xargs ${draft.pick(['', '-n1', '-n 1', '-I% ', '-I %', '-i', '-i%', '--replace', '-r', '-0', '-L1', '-l', '-d,', '-P2', '-t', '-x', '--max-args=1', '--max-args 1', '-a file', '-E b', '-e', '--', '-s 99', '--eof', '-o'])} ${target(draft, depth)}`,
  'xargs with nothing, or less, to run': (draft) =>
    `echo ${draft.pick(['pa', 'pb x'])} | xargs ${draft.pick(['', 'env', 'env A=1', 'nice', 'timeout 5', 'bash -c', '-I% %', '-I pa pa', '-I% env %', '-I% bash -c %', '-I% bash -c "% x"', 'find . -exec', 'nohup', 'stdbuf -o', 'xargs', 'setsid -w'])}`,
  'find -exec': (draft, depth) =>
    `find . ${draft.pick(['', '-name file', '-type f'])} ${draft.pick(['-exec', '-execdir'])} ${target(draft, depth)} ${draft.pick(['{}', '', 'x {} y', '-{}-', '+ {}'])} ${draft.pick(['\\;', "';'", '";"', '\\; -print', '\\; -exec pb \\;', '+', '{} +', '{} + -exec pc \\;', '\\; -o -exec pd {} \\;'])}`,
  'find -exec of what was found': (draft) =>
    draft.pick([
      'find . -name pb -exec {} \\;',
      'find . -name p? -execdir bash -c {} \\;',
      'find . -exec env {} \\;',
    ]),
};

/** Programs and builtins that are given code. */
const CODE_WRAPPERS: Forms = {
  'bash -c': (draft, depth) =>
    `${draft.pick(['bash', 'sh', 'bash'])} ${draft.pick(['-c', '-ec', '-c --', '-u -c', '+e -c', '-o errexit -c', '-eo pipefail -c', '-xc'])} ${quoted(draft, draft.command(depth))}`,
  'bash -c with long options': (draft, depth) =>
    `bash ${draft.pick(['--norc', '--noprofile', '--posix', '--rcfile x', '-O extglob', '+O extglob'])} -c ${quoted(draft, draft.command(depth))}`,
  'bash -c with arguments': (draft, depth) =>
    `bash -c ${quoted(draft, draft.pick([draft.command(depth), '"$0"', '"$@"', '$1', 'pa "$@"', 'eval "$1"']))} pb pc`,
  eval: (draft, depth) => `eval ${draft.pick(['', '-- '])}${quoted(draft, draft.command(depth))}`,
  'eval of several words': (draft, depth) =>
    `eval ${draft.pick(STUB_NAMES)} ${draft.word(depth)} ';' ${draft.pick(STUB_NAMES)}`,
  'builtin eval': (draft, depth) =>
    `${draft.pick(['builtin', 'command'])} eval ${quoted(draft, draft.command(depth))}`,
  trap: (draft, depth) =>
    `trap ${draft.pick(['', '-- '])}${quoted(draft, draft.command(depth))} ${draft.pick(['EXIT', '0', 'ERR', 'DEBUG', 'RETURN', 'exit', 'SIGUSR1 EXIT'])};`,
  'flock -c': (draft, depth) => `flock file -c ${quoted(draft, draft.command(depth))}`,
  'env and bash -c': (draft, depth) => `env A=1 timeout 5 bash -c ${quoted(draft, draft.command(depth))}`,
  'code that is put together': (draft, depth) =>
    draft.pick([
      `eval "$X"`,
      `eval "pa $X"`,
      `bash -c "$(pd)"`,
      `bash -c "pa; $X"`,
      `eval $(pd)`,
      `bash -c pa$X`,
      `eval "${draft.pick(STUB_NAMES)} ${draft.word(depth).replaceAll('"', '')}"`,
    ]),
};

const quoted = (draft: Draft, code: string): string =>
  draft.pick([inSingleQuotes, inDoubleQuotes, inAnsiQuotes])(code);

const OTHER_PROGRAMS: Forms = {
  'neutral builtin': (draft) => draft.pick([':', 'true', 'false', 'test', '[', 'wait', 'shift']),
  'other builtin': (draft) =>
    draft.pick([
      'echo',
      'printf %s',
      'cd',
      'export',
      'declare',
      'local',
      'readonly',
      'unset',
      'read',
      'let',
      'set --',
      'shopt -s',
      'type',
      'alias',
      'hash',
    ]),
  'program that is not fixed': (draft) =>
    draft.pick([
      '$X',
      '"$X"',
      '$(pd)',
      '`pd`',
      'p{a,b}',
      '{pa,x}',
      'p?',
      './p?',
      '$(pd | cat)',
      '${X:-pa}',
      'p${X}a',
      '~/pa',
      '"$(pd)"',
      "$'p'$X",
      '${X+}pa',
      '$@ pa',
      '<(pa)',
    ]),
  'program that is not there': (draft) =>
    draft.pick([
      'nothing-here',
      './nothing',
      "''",
      '""',
      '=',
      'a=',
      '}',
      'if\\',
      '"if"',
      "'{'",
      '\\!',
      '"time"',
    ]),
};

export const PROGRAM_FORMS: readonly Forms[] = [NAMES, WRAPPERS, CODE_WRAPPERS, OTHER_PROGRAMS];
