import type { Draft, Forms } from './draft.js';
import { STUB_NAMES } from './stubs.js';

const index = (draft: Draft): string => `'A[$(${draft.pick(STUB_NAMES)})]'`;

/** Text that bash evaluates once more, where it stands or when it comes out of a variable. */
export const EVALUATIONS: Forms = {
  'text evaluated by a builtin': (draft) =>
    `${draft.pick(['printf -v', 'read', 'unset', 'test -v', 'let', 'declare', 'wait -p', 'getopts a', 'mapfile', 'declare -i', '[ -v', 'export', 'printf -v'])} ${index(draft)}${draft.pick([' x', '', ' <<< 1'])}`,
  'text evaluated in a test': (draft) =>
    `[[ ${draft.pick([`${index(draft)} -eq 1`, `-v ${index(draft)}`, `1 -lt ${index(draft)}`])} ]]`,
  'text evaluated in arithmetic': (draft) =>
    `X=${index(draft)}; ${draft.pick([': $((X))', '(( X ))', ': ${Y:X}', ': ${A[X]}', 'let X', 'A[X]=1', '[[ X -eq 1 ]]', 'for ((X; 0; )); do :; done', ': $[X]', 'declare -i Y; Y=X', 'Y=X; (( Y ))', 'RANDOM=X', ': {1..X}'])}`,
  'text evaluated as a name': (draft) =>
    `X=${index(draft)}; ${draft.pick([': ${!X}', 'declare -n R=X', 'unset "$X"', 'read "$X" <<< 1', 'printf -v "$X" 1', '[[ -v $X ]]', 'test -v "$X"'])}`,
  'text evaluated as a prompt': (draft) =>
    `X='$(${draft.pick(STUB_NAMES)})'; : ${draft.pick(['${X@P}', '"${X@P}"', '${X@E}', '${X@Q}', '${X@A}'])}`,
  'code read from elsewhere': (draft) =>
    draft.pick([
      '. <(echo pb)',
      'source /dev/stdin <<< pb',
      'echo pb | bash',
      'bash <<< pb',
      'bash <<E\npb\nE\n',
      'bash -s <<< pb',
      'sh < <(echo pb)',
      'mapfile -C pb -c 1 A <<< a',
      'echo pb | bash /dev/stdin',
      'bash <(echo pb)',
      'complete -C pb x; compgen -C pb',
      'cat <<< pb | sh -',
    ]),
  'option that changes how lines are read': (draft) =>
    draft.pick([
      'shopt -s extglob\n!(file)',
      'shopt -s expand_aliases; alias pa=pb\npa',
      'set -o posix; pa',
      'shopt -s extglob; shopt -p\n: @(pa|pb)',
      'shopt -s expand_aliases\nalias x="pb;"\nx',
    ]),
};
