import { type CommandRule, decideCommand, grantPatternsFor } from '@countersign/kernel';
import { expect, test } from 'vitest';
import { analyzeCommand } from '../analyze-command.js';

test.each([
  ['git log -3', { exact: [['git', 'log', '-3']], prefix: [['git', 'log']] }],
  [
    'npm run build -- -w',
    { exact: [['npm', 'run', 'build', '--', '-w']], prefix: [['npm', 'run', 'build']] },
  ],
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
  ['timeout 60 npm test', { exact: [['npm', 'test']], prefix: [['npm', 'test']] }],
  ['ls "$X"', { exact: null, prefix: [['ls']] }],
  ['git -C x log', { exact: [['git', '-C', 'x', 'log']], prefix: null }],
  ['sed -i s/a/b/ f', { exact: [['sed', '-i', 's/a/b/', 'f']], prefix: null }],
  ['./build.sh', { exact: [['./build.sh']], prefix: null }],
  ['curl https://a.example', { exact: [['curl', 'https://a.example']], prefix: null }],
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

test.each([
  'git log -3',
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
