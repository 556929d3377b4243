import { describe, expect, test } from 'vitest';
import { analyzeCommand } from '../analyze-command.js';
import { effectsOf, readsOf } from './effects.js';

const effects = (text: string) => effectsOf(analyzeCommand(text)).type;
const reads = (text: string) => {
  const found = readsOf(analyzeCommand(text));
  return found.type === 'known' ? found.paths : found.type;
};

describe('effects', () => {
  test.each([
    'sleep 1',
    'echo a; true',
    'pwd && date',
    'timeout 5 sleep 1 & wait',
    'cd x',
    'node --version',
    'n=$((1+2)); echo $n',
  ])('%j has none [S2]', (text) => {
    expect(effects(text)).toBe('none');
  });

  test.each([
    ...[
      'ls -la',
      'cat a | grep b | sort | uniq -c',
      'git log --oneline -5',
      'git status',
      'git -P diff HEAD~1',
      'git branch -a',
    ],
    ...[
      'rg foo src',
      'find . -name "*.ts"',
      'find . -exec wc -l {} +',
      'git stash list',
      'git config --get user.name',
    ],
    ...[
      "sed -n '1,5p' f",
      "awk '{print $1}' f",
      'npm ls',
      'tar tzf a.tgz',
      'wc -l < f',
      'ls 2>/dev/null',
      "bash -c 'ls | head'",
    ],
    ...[
      'diff <(sort a) <(sort b)',
      'for f in *; do wc -l "$f"; done',
      'git tag',
      'git remote -v',
      'ls | xargs wc -l',
    ],
  ])('%j reads [S2]', (text) => {
    expect(effects(text)).toBe('reads');
  });

  test.each([
    ...[
      'rm x',
      'npm test',
      './ls',
      'ls > f',
      'echo $(npm test)',
      'FOO=1 ls',
      'PATH=x; ls',
      'sort -o f f',
      'uniq a b',
      'find . -delete',
    ],
    ...[
      'find . -exec rm {} +',
      'git commit -m x',
      'git branch x',
      'git tag v1',
      'git stash',
      'git config a b',
      'git -c a=b log',
      'git push',
    ],
    ...[
      'sed -i s/a/b/ f',
      'awk \'{print > "x"}\' f',
      '$X',
      'eval "$X"',
      'echo "a',
      'date -s 1',
      'hostname x',
      'tree -o f',
      'xxd a b',
      'yq -i .a f',
    ],
    ...[
      'curl -s a.example',
      'tar xf a.tar',
      'tar cf a.tar b',
      'bash',
      'sudo ls',
      "[[ 'a[$(id)]' -eq 0 ]]",
      'cat < /dev/tcp/a/1',
      'tee f',
      'git worktree add x',
    ],
  ])('%j may change something [S2]', (text) => {
    expect(effects(text)).toBe('unknown');
  });
});

describe('paths that a reading command names', () => {
  test.each([
    ['cat a.txt ../b /etc/passwd', ['a.txt', '../b', '/etc/passwd']],
    ['ls', []],
    ['echo /etc/passwd', []],
    ['cat unknown', ['unknown']],
    ['cat < /etc/passwd', ['/etc/passwd']],
    ['cat src/*.ts /etc/*', ['src/*.ts', '/etc/*']],
    ['ls ~ ~/x "~/y"', ['~', '~/x', './~/y']],
    ['cat ~root/x ~root', ['~root/x', '~root']],
    ['cat ~+/../x', 'unknown'],
    ['cat $HOME/x "${HOME}" "$HOME/a b"', ['~/x', '~', '~/a b']],
    ['for HOME in /etc; do cat $HOME/passwd; done', 'unknown'],
    ['cat ${HOME:-/etc}/passwd', 'unknown'],
    ['cat $HOMES/x', 'unknown'],
    ['grep -f/etc/x --file=../y p', ['/etc/x', '../y', 'p']],
    ['cd .. && cat x', ['..', 'x']],
    ['cd', ['~']],
    ['cat "$X"', 'unknown'],
    ['cat {/etc/passwd,a}', ['/etc/passwd', 'a']],
    ['cat {/etc/passwd,$X}', 'unknown'],
    ['cd - && ls', 'unknown'],
    ['rm x', 'unknown'],
  ])('%j: %j [P5]', (text, expected) => {
    expect(reads(text)).toEqual(expected);
  });
});
