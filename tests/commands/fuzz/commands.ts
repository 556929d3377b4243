import type { Draft, Form, Forms } from './draft.js';
import { EVALUATIONS } from './evaluations.js';
import { HERE_DOCUMENTS } from './here-documents.js';
import { writeProgram } from './programs.js';
import { STUB_NAMES } from './stubs.js';
import { writeArithmetic } from './words.js';

export const writeCommand: Form = (draft, depth) => {
  if (depth <= 0) return draft.pick(STUB_NAMES);
  const kind = draft.pick([
    'simple',
    'simple',
    'simple',
    'list',
    'compound',
    'compound',
    'function',
    'assignment',
    'document',
    'test',
    'evaluation',
  ]);
  switch (kind) {
    case 'list':
      return draft.write(LISTS, depth - 1);
    case 'compound':
      return draft.write(COMPOUNDS, depth - 1) + maybe(draft, 25, () => draft.write(REDIRECTS, depth - 1));
    case 'function':
      return draft.write(FUNCTIONS, depth - 1);
    case 'assignment':
      return draft.write(ASSIGNMENTS, depth - 1);
    case 'document':
      return draft.write(HERE_DOCUMENTS, depth - 1);
    case 'test':
      return draft.write(TESTS, depth - 1);
    case 'evaluation':
      return draft.chance(15) ? draft.write(EVALUATIONS, depth - 1) : writeSimple(draft, depth);
    default:
      return writeSimple(draft, depth);
  }
};

const maybe = (draft: Draft, percent: number, make: () => string): string =>
  draft.chance(percent) ? ` ${make()}` : '';

function writeSimple(draft: Draft, depth: number): string {
  const before = maybe(draft, 15, () => draft.write(PREFIXES, depth - 1));
  const program = writeProgram(draft, depth);
  const words = draft.several(3, () => `${draft.pick([' ', ' ', '  ', '\t', ' \\\n'])}${draft.word(depth)}`);
  const redirect = maybe(draft, 20, () => draft.write(REDIRECTS, depth - 1));
  return `${before.trim()} ${program}${words.join('')}${redirect}${maybe(draft, 5, () => draft.write(COMMENTS, depth))}`.trim();
}

const PREFIXES: Forms = {
  'assignment before a command': (draft, depth) => `X=${draft.pick(['', '1', 'pa', draft.word(depth)])}`,
  'subscript before a command': (draft, depth) => `X[${writeArithmetic(draft, depth)}]=1`,
  'redirect before a command': (draft, depth) => draft.write(REDIRECTS, depth),
};

const REDIRECTS: Forms = {
  'redirect to a file': (draft) =>
    `${draft.pick(['>', '>>', '>|', '&>', '&>>', '2>', '<>', '>&', '1>', '{fd}>'])}${draft.pick(['', ' ', '\t'])}${draft.pick(['f', '"f"', 'f\\ g', "$'f'", '~/f', '$X', 'f$X', '{f,g}'])}`,
  'redirect of descriptors': (draft) => draft.pick(['2>&1', '>&2', '1>&2-', '2>&-', '<&-', '0<&1', '>&$X']),
  'redirect of input': (draft) => draft.pick(['</dev/null', '< file', '0<file', '<p?']),
  'redirect to what a command gives': (draft, depth) =>
    `${draft.pick(['>', '<', '>>', '2>'])} "$(${draft.command(depth)})"`,
  'redirect to a process': (draft, depth) => `${draft.pick(['> >', '< <', '2> >'])}(${draft.command(depth)})`,
  'here-string': (draft, depth) => `<<<${draft.pick(['', ' '])}${draft.word(depth)}`,
};

const COMMENTS: Forms = {
  comment: (draft) => `# ${draft.pick(['pa', '$(pb)', '`pc`', "'", '"', ') pd', '\\', '<<E'])}\n`,
};

const LISTS: Forms = {
  ';': (draft, depth) => `${draft.command(depth)}${draft.pick([';', '; '])}${draft.command(depth)}`,
  '&&': (draft, depth) =>
    `${draft.command(depth)} &&${draft.pick([' ', '', '\n', ' \\\n', '\n\n'])}${draft.command(depth)}`,
  '||': (draft, depth) => `${draft.command(depth)} ||${draft.pick([' ', '', '\n'])}${draft.command(depth)}`,
  pipeline: (draft, depth) =>
    `${draft.command(depth)} |${draft.pick([' ', '', '\n', ' # x\n'])}${draft.command(depth)}`,
  '|&': (draft, depth) => `${draft.command(depth)} |& ${draft.command(depth)}`,
  background: (draft, depth) =>
    `${draft.command(depth)} & ${draft.command(depth)}${draft.pick([' &', '', ' & wait'])}`,
  newline: (draft, depth) =>
    `${draft.command(depth)}${draft.pick(['\n', '\n\n', ' \n\t', '\n# x\n', '\\\n;'])}${draft.command(depth)}`,
  '!': (draft, depth) => `${draft.pick(['!', '! !', '!\t', '!\\\n '])} ${draft.command(depth)}`,
  time: (draft, depth) => `${draft.pick(['time', 'time -p', 'time\\\n'])} ${draft.command(depth)}`,
};

const COMPOUNDS: Forms = {
  group: (draft, depth) =>
    draft.pick([
      `{ ${draft.command(depth)}; }`,
      `{ ${draft.command(depth)}\n}`,
      `{\n${draft.command(depth)} & }`,
    ]),
  subshell: (draft, depth) =>
    draft.pick([
      `(${draft.command(depth)})`,
      `( (${draft.command(depth)}) )`,
      `((${draft.command(depth)}); pa)`,
      `(${draft.command(depth)}\n)`,
    ]),
  if: (draft, depth) =>
    `if ${draft.command(depth)}${draft.pick([';', '\n'])} then ${draft.command(depth)}; ${draft.pick(['', `else ${draft.command(depth)}; `, `elif ${draft.command(depth)}; then ${draft.command(depth)}; `])}fi`,
  for: (draft, depth) =>
    `for V ${draft.pick(['in', '\nin', 'in\\\n'])} ${draft.word(depth)} ${draft.word(depth)}${draft.pick([';', '\n'])} do ${draft.command(depth)}; done`,
  'for without a list': (draft, depth) =>
    `set -- a; for V${draft.pick([' ', '; ', '\n'])}do ${draft.command(depth)}; done`,
  'for with a group': (draft, depth) => `for V in a; { ${draft.command(depth)}; }`,
  'for ((…))': (draft, depth) =>
    `for ((i=0; i<1; i++${draft.pick(['', `, ${writeArithmetic(draft, depth)}`])}))${draft.pick([';', '', '\n'])} do ${draft.command(depth)}; done`,
  while: (draft, depth) => `while ${draft.command(depth)}; do ${draft.command(depth)}; break; done`,
  until: (draft, depth) => `until ${draft.command(depth)}; do ${draft.command(depth)}; break; done`,
  case: (draft, depth) =>
    `case ${draft.word(depth)} in ${writeClause(draft, depth)} ${draft.pick(['', `${writeClause(draft, depth)} `])}*) ${draft.command(depth)}${draft.pick([' ;;', '', '\n;;\n'])} esac`.replace(
      /([^;\s])\s+esac$/,
      '$1\nesac',
    ),
  select: (draft, depth) =>
    `select V in a ${draft.word(depth)}; do ${draft.command(depth)}; break; done <<< 1`,
  coproc: (draft, depth) =>
    `coproc ${draft.pick([draft.command(depth), `N { ${draft.command(depth)}; }`, `{ ${draft.command(depth)}; }`, `N (${draft.command(depth)})`])}\nwait`,
};

const writeClause = (draft: Draft, depth: number): string =>
  `${draft.pick(['x)', '(x)', 'x|y)', '[xy])', '"x")', 'esac\\))', `$(${draft.pick(STUB_NAMES)}))`, '(esac)', '?)', "'*')"])} ${draft.command(depth)}${draft.pick([' ;;', ' ;&', ' ;;&', '\n;;'])}`;

const FUNCTIONS: Forms = {
  'function, called': (draft, depth) =>
    `${draft.pick(['f()', 'f ()', 'function f', 'function f ()', 'f()\n'])} { ${draft.command(depth)}; }${maybe(draft, 15, () => draft.write(REDIRECTS, depth))}; f ${draft.word(depth)}`,
  'function, not called': (draft, depth) => `g() { ${draft.command(depth)}; }`,
  'function with another body': (draft, depth) =>
    `h() ${draft.pick([`(${draft.command(depth)})`, `if ${draft.command(depth)}; then :; fi`, `for V in a; do ${draft.command(depth)}; done`, `[[ -n $(${draft.command(depth)}) ]]`])}\nh`,
  'function in the place of a program': (draft, depth) =>
    `${draft.pick(['pb', 'env', 'echo', 'true', 'command', 'ls'])}() { ${draft.pick([draft.command(depth), '"$@"', '$1'])}; }; ${draft.pick(['pb', 'env', 'echo', 'true', 'ls'])} pa`,
};

const ASSIGNMENTS: Forms = {
  assignment: (draft, depth) => `X=${draft.word(depth)}${draft.pick(['', ` Y=${draft.word(depth)}`])}`,
  'assignment of an array': (draft, depth) =>
    `X${draft.pick(['', '+'])}=(${draft.pick(['', '\n'])}a ${draft.word(depth)}${draft.pick(['', ` [1]=${draft.word(depth)}`, ' # pa )\n'])})`,
  'assignment to a subscript': (draft, depth) =>
    `X[${writeArithmetic(draft, depth)}]${draft.pick(['', '+'])}=${draft.word(depth)}`,
  'assignment by a builtin': (draft, depth) =>
    `${draft.pick(['export', 'declare', 'readonly', 'declare -a', 'typeset'])} ${draft.pick(['Y', 'X'])}=${draft.pick([draft.word(depth), `(a ${draft.word(depth)})`])}`,
};

const TESTS: Forms = {
  '[[ … ]]': (draft, depth) =>
    `[[ ${draft.pick(['-n', '! -z', '-f', '( -n', '-v'])} ${draft.word(depth)} ]]`.replace(
      /^(\[\[ \(.*) ]]$/s,
      '$1 ) ]]',
    ),
  '[[ … == … ]]': (draft, depth) =>
    `[[ ${draft.word(depth)} ${draft.pick(['==', '!=', '<', '=', '=~'])} ${draft.pick([draft.word(depth), '(a|b)+', '@(a|b)', '*$(pa)*', '"$(pb)"', '[[:alpha:]]'])} ]]`,
  '[[ … -eq … ]]': (draft, depth) =>
    `[[ ${writeArithmetic(draft, depth).replace(/\s/g, '')} ${draft.pick(['-eq', '-lt'])} 1 && -n ${draft.word(depth)} ]]`,
  '((…))': (draft, depth) => `((${draft.pick(['', ' '])}${writeArithmetic(draft, depth)} ))`,
};

export const COMMAND_FORMS: readonly Forms[] = [
  ...[LISTS, COMPOUNDS, FUNCTIONS, ASSIGNMENTS, TESTS, PREFIXES, REDIRECTS, COMMENTS],
  ...[HERE_DOCUMENTS, EVALUATIONS],
];
