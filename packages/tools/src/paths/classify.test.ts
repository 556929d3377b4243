import { describe, expect, test } from 'vitest';
import { classify } from './classify.js';

describe('place', () => {
  test.each([
    ['/ws', '/ws', 'workspace'],
    ['/ws', '/ws/a/b', 'workspace'],
    ['/ws', '/ws-evil/a', 'outside'],
    ['/ws', '/w', 'outside'],
    ['/ws', '/', 'outside'],
    ['/ws/a', '/ws', 'outside'],
    ['/', '/etc/hosts', 'workspace'],
    ['/ws/', '/ws/a', 'workspace'],
  ])('from %s, %s is %s: by whole names, not by letters [P5]', (workspace, path, place) => {
    expect(classify(workspace, path).place).toBe(place);
  });
});

describe('guarded', () => {
  test.each([
    '.git',
    '.git/config',
    '.git/hooks/pre-commit',
    'deep/in/.git/hooks/pre-commit',
    'mirror.git/hooks/post-receive',
    '.env',
    '.env.production',
    '.env.local',
    'id_rsa',
    'keys/id_ed25519',
    'cert.pem',
    'server.key',
    '.ssh/config',
    '.gnupg/x',
    '.aws/credentials',
    '.npmrc',
    '.netrc',
    '.vscode/tasks.json',
    '.idea/workspace.xml',
    '.envrc',
    '.bashrc',
    '.zshrc',
    '.profile',
    '.countersign/policy.toml',
    '.gemini/settings.json',
    '.claude/settings.json',
  ])('%s is guarded inside and outside [P5]', (path) => {
    expect(classify('/ws', `/ws/${path}`).guarded).toMatch(/ is protected: /);
    expect(classify('/ws', `/home/${path}`).guarded).toMatch(/ is protected: /);
  });

  test.each([
    ['letter case', '.GIT/hooks/pre-commit'],
    ['a fullwidth letter', '.\uff47it/config'],
    ['a long s', '.\u017fsh/config'],
    ['a zero-width joiner', '.g\u200dit/config'],
    ['a soft hyphen', '.e\u00adnv'],
    ['a byte order mark', '\ufeff.git/config'],
    ['a trailing blank', '.git /config'],
    ['a trailing dot', '.git./config'],
    ['the short name of a Windows drive', 'GIT~1/config'],
    ['a one-dot leader for the dot', '\u2024git/config'],
  ])('%s does not hide a protected name [P5]', (_, path) => {
    expect(classify('/ws', `/ws/${path}`).guarded).not.toBe(null);
  });

  test.each([
    'src/main.ts',
    '.gitignore',
    '.github/workflows/ci.yml',
    '.env.example',
    '.env.sample',
    '.env.template',
    'environment.ts',
    'id_rsa.pub',
    'monkey',
    'profile',
    'AGENTS.md',
    'GEMINI.md',
    '.editorconfig',
  ])('%s is an ordinary file', (path) => {
    expect(classify('/ws', `/ws/${path}`).guarded).toBe(null);
  });

  test('a workspace that lies in a protected place is judged by what is below it', () => {
    expect(classify('/home/u/.claude/worktrees/x', '/home/u/.claude/worktrees/x/src/a.ts').guarded).toBe(
      null,
    );
    expect(classify('/home/u/.claude/worktrees/x', '/home/u/.claude/settings.json').guarded).not.toBe(null);
  });

  test('the reason names the name as it is spelled and says what is at stake', () => {
    expect(classify('/ws', '/ws/.GIT/config').guarded).toBe(
      '".GIT" is protected: Git configuration and hooks can run programs',
    );
  });
});

describe('plans', () => {
  test('are ordinary files, and nothing beside them is [P1] [P5]', () => {
    expect(classify('/ws', '/ws/.countersign/plans/a.md').guarded).toBeNull();
    for (const path of [
      '.countersign/plans',
      '.countersign/plans/a.toml',
      '.countersign/plans/deep/a.md',
      '.countersign/plans/.env.md',
      '.countersign/plan/a.md',
      '.COUNTERSIGN/plans/a.md',
      'sub/.countersign/plans/a.md',
    ])
      expect(classify('/ws', `/ws/${path}`).guarded).toMatch(/ is protected: /);
    expect(classify('/ws', '/home/.countersign/plans/a.md').guarded).toMatch(/ is protected: /);
  });
});
