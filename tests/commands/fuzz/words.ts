import type { Draft, Form, Forms } from './draft.js';
import { inAnsiQuotes, inBackquotes, inDoubleQuotes, inSingleQuotes } from './quoting.js';
import { STUB_NAMES } from './stubs.js';

/** Text that would run something if it were read as code. */
const BAIT = [
  '$(pa)',
  '`pb`',
  '; pc',
  '& pd',
  '| pa',
  '\npb\n',
  '$(',
  '${X:-$(pc)}',
  ') pd',
  "'",
  '"',
  '#',
  '\\',
];

/** Characters that mean something without a backslash before them. */
const SPECIAL = ' $\\`(\'";#~{&|<>*?!=\t'.split('');

export const writeWord: Form = (draft, depth) =>
  draft.write(depth > 0 && draft.chance(60) ? NESTING_WORDS : PLAIN_WORDS, depth - 1);

const PLAIN_WORDS: Forms = {
  'plain word': (draft) =>
    draft.pick([
      'x',
      'y1',
      '-f',
      'a.b',
      '=',
      '-',
      '--',
      '1',
      '%',
      'a,b',
      '@',
      ':',
      'é',
      'a\u00a0b',
      '\u3000',
    ]),
  'word that means something elsewhere': (draft) =>
    draft.pick([
      'if',
      'in',
      'do',
      'done',
      'esac',
      'then',
      '{',
      '}',
      '!',
      '[',
      ']]',
      'time',
      'function',
      '{}',
      '+',
    ]),
  'single quotes': (draft) => inSingleQuotes(draft.pick(BAIT)),
  'double quotes': (draft) => inDoubleQuotes(draft.pick(BAIT)),
  "$'…'": (draft) =>
    draft.pick([
      inAnsiQuotes(draft.pick(BAIT)),
      ...[
        "$'\\x41'",
        "$'\\101\\n'",
        "$'\\u0041'",
        "$'\\cA'",
        "$'a\\0b'c",
        "$'\\x'",
        "$'\\''",
        "$'\\e\\\"'",
        "$'\\q\\8'",
      ],
      ...[
        "$'\\u{41}'",
        "$'\\x{41}b'",
        "$'a\\x00b'",
        "$'\\U1F600'",
        "$'\\?'",
        "$'\\0101'",
        "$'\\400'",
        "$'\\c\\\\'",
      ],
    ]),
  '$"…"': (draft) => `$${inDoubleQuotes(draft.pick(BAIT))}`,
  backslash: (draft) => `${draft.pick(['', 'a'])}\\${draft.pick(SPECIAL)}${draft.pick(['', 'z'])}`,
  'line continuation': (draft) =>
    draft.pick([
      ...['a\\\nb', '\\\n', '"a\\\nb"', "'a\\\nb'", '\\\n#x', '${\\\nX}', '`\\\npb`', '"$(\\\npc)"'],
      ...['a\\\n{b,c}', '$\\\nX', '$\\\n(pa)'],
    ]),
  variable: (draft) =>
    draft.pick([
      '$X',
      '"$X"',
      '${X}',
      '$1',
      '"$@"',
      '$*',
      '$#',
      '$?',
      '$$X',
      '${#X}',
      '$_',
      'a$',
      '"$"',
      '"${X}b"',
      '${X[@]}',
    ]),
  'brace expansion': (draft) =>
    draft.pick([
      '{a,b}',
      'x{a,-b}y',
      '{1..3}',
      '{a,{b,c}}',
      '{a}',
      '{a,b',
      '"{a,b}"',
      '{,x}',
      '{a\\,b}',
      "{'a,b',c}",
      '{a,b}{c,d}',
      '${X}{a,b}',
      '{$X,b}',
    ]),
  glob: (draft) =>
    draft.pick([
      '*',
      'p?',
      '[a-p]*',
      'f*e',
      '"*"',
      '\\*',
      '[!x]*',
      '[]a]',
      '*/',
      '[[:alpha:]]b',
      '[$X]',
      "['f']ile",
    ]),
  tilde: (draft) =>
    draft.pick(['~', '~/a', '"~"', '\\~', 'a~', '~+', 'X=~/a', 'X=a:~', '~nobody-here/x', "~'/a'"]),
  'number sign in a word': (draft) => draft.pick(['a#b', '\\#x', '"#"', '$#', '${#}', "''#x"]),
};

const NESTING_WORDS: Forms = {
  '$(…)': (draft, depth) =>
    `$(${draft.pick(['', ' ', '\n'])}${draft.command(depth)}${draft.pick(['', ' ', '\n'])})`,
  '"$(…)"': (draft, depth) => `"${draft.pick(['', 'a'])}$(${draft.command(depth)})"`,
  backquotes: (draft, depth) => inBackquotes(draft.command(depth)),
  'backquotes in double quotes': (draft, depth) => `"${inBackquotes(draft.command(depth))}"`,
  'comment in $(…)': (draft, depth) =>
    `$(${draft.pick(STUB_NAMES)} # ${draft.pick(BAIT).trim()}\n${draft.command(depth)})`,
  'case in $(…)': (draft, depth) => `$(case x in ${draft.pick(['', '('])}x) ${draft.command(depth)};; esac)`,
  'here-document in $(…)': (draft, depth) => `"$(cat <<E\n$(${draft.command(depth)})\nE\n)"`,
  '<(…)': (draft, depth) => `<(${draft.command(depth)})`,
  '>(…)': (draft, depth) => `>(${draft.command(depth)})`,
  '${x:-…}': (draft, depth) => writeParameter(draft, depth, [':-', '-', ':+', '+', ':=', ':?']),
  '${x#…} and ${x/…}': (draft, depth) =>
    writeParameter(draft, depth, ['#', '##', '%', '%%', '/', '//', '/#', '^', ',,', '/x/']),
  '${x:offset}': (draft, depth) => `\${X:${writeArithmetic(draft, depth)}${draft.pick(['', ':1'])}}`,
  '$((…))': (draft, depth) => `$((${writeArithmetic(draft, depth)}))`,
  '$[…]': (draft, depth) => `$[${writeArithmetic(draft, depth)}]`,
  '$((…) …)': (draft, depth) => `$((${draft.command(depth)}); ${draft.pick(STUB_NAMES)})`,
  'subscript of an array': (draft, depth) =>
    `\${${draft.pick(['X', '#X', '!X'])}[${writeArithmetic(draft, depth)}]}`,
  'brace expansion around $(…)': (draft, depth) => `{${draft.pick(['a', '-'])},$(${draft.command(depth)})}`,
  'parts side by side': (draft, depth) => draft.word(depth) + draft.word(depth),
};

function writeParameter(draft: Draft, depth: number, operators: readonly string[]): string {
  const word = draft.word(depth);
  const expansion = `\${${draft.pick(['X', 'HOME', '1', '@', 'X[0]', '!X'])}${draft.pick(operators)}${word}}`;
  return draft.chance(50) ? expansion : `"${expansion}"`;
}

export function writeArithmetic(draft: Draft, depth: number): string {
  const operand = (): string => draft.write(OPERANDS, depth - 1);
  return draft.chance(60)
    ? operand()
    : `${operand()} ${draft.pick(['+', '<', '==', ',', '&&', '<<', '|', '?1:'])} ${operand()}`;
}

const OPERANDS: Forms = {
  'number or name': (draft) => draft.pick(['1', '0', 'X', '16#f', 'X++', '(1)', 'X = 1', '!X', '1 # 1']),
  '$(…) in arithmetic': (draft, depth) =>
    `$(${depth > 0 ? draft.command(depth) : draft.pick(STUB_NAMES)}; pc)`,
  'backquotes in arithmetic': (draft) => `\`${draft.pick(STUB_NAMES)}; pc\``,
  'subscript in arithmetic': (draft) => draft.pick(['X[0]', 'X[$(pc)]', 'X["$(pc)"]', "X['1']", 'X[`pc`]']),
  'quotes in arithmetic': (draft) => draft.pick(['"1"', '"$(pc)"', '\\1', '${X:-$(pc)}']),
};

export const WORD_FORMS: readonly Forms[] = [PLAIN_WORDS, NESTING_WORDS, OPERANDS];
