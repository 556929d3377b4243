import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { PolicyEngine, type PolicyRule } from './policy-engine.js';

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-paths-')));
afterAll(() => rmSync(workspace, { recursive: true }));
for (const folder of ['secret', 'src', 'db/migrations'])
  mkdirSync(join(workspace, folder), { recursive: true });
for (const file of ['secret/k', 'src/a', 'db/migrations/1.sql', 'b.tmp'])
  writeFileSync(join(workspace, file), 'x\n');
execFileSync('git', ['init', '-q'], { cwd: workspace });

const decisions = async (rule: PolicyRule, lines: readonly string[]) => {
  const engine = new PolicyEngine({ rules: [rule], workspace, approvalMode: 'yolo' });
  const decided: string[] = [];
  for (const command of lines) {
    const { decision, rule: by } = await engine.check({ name: 'run_shell_command', args: { command } });
    decided.push(
      `${by === rule ? decision : decision === 'allow' ? 'allow' : `${decision} otherwise`} ${command}`,
    );
  }
  return decided;
};
const all = (decision: string, lines: readonly string[]) => lines.map((line) => `${decision} ${line}`);

describe('in yolo a rule about paths that denies applies to what a command line names [P1] [P2] [P4]', () => {
  const SECRET = [
    'cat secret/k',
    'cp secret/k src/leak',
    'cp -r secret src/leak',
    'rm secret/k',
    'rm -rf secret',
    'rm secret/*',
    'rm -r ./secret/../secret',
    'echo x > secret/n',
    'echo x >> secret/n',
    'wc < secret/k > src/n',
    'touch secret/new',
    'echo x | tee secret/n',
    'mkdir -p secret/deep/er',
    "sed -i 's/x/y/' secret/k",
    'mv secret/k src/k',
    'mv src/a secret/',
    'ln secret/k src/link',
    'cd src && ln -s ../secret/k link',
    'dd if=secret/k of=src/k',
    'dd if=src/a of=secret/k',
    'sometool --out=secret/new',
    'sometool secret/k',
    'cd src && cp ../secret/k leak',
    'cd secret && rm k',
    'git show :secret/k',
    'git show HEAD:secret/k',
    'git cat-file -p HEAD:./secret/k',
    'git log -L1,2:secret/k',
    'git checkout HEAD -- secret/k',
    'git rm -r secret',
    'grep -r s .',
    'rg s',
    'git grep s',
    'git grep s HEAD',
    'git grep s .',
    'ls -R',
    'ls -lR .',
    'find . -name k',
    'find . -delete',
    'tree',
    'tar czf src/all.tgz .',
    'rsync -a ./ /dev/shm/x',
    'timeout 5 rm secret/k',
    'true && (cp secret/k src/leak)',
    'echo "$(cp secret/k src/leak)"',
  ];
  const OTHER = [
    'cat src/a',
    'cp src/a src/b',
    'rm b.tmp',
    'rm *.tmp',
    'echo x > src/n',
    'echo secret/k',
    'mv src/a .',
    'cp -r src/a .',
    'mkdir -p src/deep',
    'ls',
    'ls -l src',
    'ls -R src',
    'find src -name k',
    'git grep s src',
    'git grep s HEAD src',
    'git status',
    'git show HEAD:src/a',
    'npm test',
    'node -e 1',
    'sometool --out=src/new',
  ];

  test('reading, writing, copying, moving, removing and listing', async () => {
    const rule: PolicyRule = { paths: ['secret'], decision: 'deny' };
    expect(await decisions(rule, SECRET)).toEqual(all('deny', SECRET));
    expect(await decisions(rule, OTHER)).toEqual(all('allow', OTHER));
  });

  test('writing alone, where that is known', async () => {
    const rule: PolicyRule = { paths: ['db/migrations/*.sql'], access: 'write', decision: 'deny' };
    const writes = [
      'echo x > db/migrations/2.sql',
      'touch db/migrations/2.sql',
      'cp src/a db/migrations/2.sql',
      'cp 2.sql db/migrations',
      'mv db/migrations/1.sql src/',
      'rm db/migrations/1.sql',
      'rm -r db',
      "sed -i 's/x/y/' db/migrations/1.sql",
      'sometool db/migrations/1.sql',
      'sometool -o db/migrations/2.sql',
      'git checkout -- db/migrations/1.sql',
    ];
    const reads = [
      'cat db/migrations/1.sql',
      'cp db/migrations/1.sql src/copy.sql',
      'wc < db/migrations/1.sql > src/n',
      'grep -r s .',
      'git show HEAD:db/migrations/1.sql',
      'npm test',
    ];
    expect(await decisions(rule, writes)).toEqual(all('deny', writes));
    expect(await decisions(rule, reads)).toEqual(all('allow', reads));
  });

  test('reading alone, where that is known', async () => {
    const rule: PolicyRule = { paths: ['secret'], access: 'read', decision: 'deny' };
    const reads = ['cp secret/k src/k', 'dd if=secret/k of=src/k', 'mv secret/k src/k', 'sometool secret/k'];
    const writes = ['rm secret/k', 'echo x > secret/n', 'touch secret/k', 'cp src/a secret/k'];
    expect(await decisions(rule, reads)).toEqual(all('deny', reads));
    expect(await decisions(rule, writes)).toEqual(all('allow', writes));
  });

  test('more paths than are looked at one by one', async () => {
    const many = Array.from({ length: 200 }, (_, at) => `src/${at}`).join(' ');
    const lines = [`rm ${many} secret/k`, `cat ${many} secret/k`];
    expect(await decisions({ paths: ['secret'], decision: 'deny' }, lines)).toEqual(all('deny', lines));
  });
});

test('an ask rule about paths asks in manual mode, and is listed as considered [P2] [P7]', async () => {
  const rule: PolicyRule = { name: 'kept', paths: ['secret'], decision: 'ask_user' };
  const engine = new PolicyEngine({ rules: [rule], workspace });
  const about = async (command: string) => engine.explain({ name: 'run_shell_command', args: { command } });
  expect(await about('cat secret/k')).toMatchObject({ decision: 'ask_user', rule });
  const other = await about('cat src/a');
  expect(other.decision).toBe('allow');
  expect(other.trace).toContainEqual(
    expect.objectContaining({ rule: expect.objectContaining({ name: 'kept' }), met: false }),
  );
});

test('a rule about paths that allows is not wider than before [P2]', async () => {
  const engine = new PolicyEngine({ rules: [{ paths: ['src/**'], decision: 'allow' }], workspace });
  const decide = async (command: string) =>
    (await engine.check({ name: 'run_shell_command', args: { command } })).decision;
  expect(await decide('cp src/a src/b')).toBe('ask_user');
  expect(await decide('sometool src/a')).toBe('ask_user');
});
