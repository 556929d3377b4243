import { describe, expect, test } from 'vitest';
import { classifierFor, classify } from './classify.js';

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

const AGENT_AND_LATER = [
  '.github/workflows/ci.yml',
  '.github/workflows',
  'sub/.github/workflows/ci.yml',
  '.GitHub/Workflows/CI.yml',
  '.gitlab-ci.yml',
  '.circleci/config.yml',
  'Jenkinsfile',
  'azure-pipelines.yml',
  'AGENTS.md',
  'agents.md',
  'docs/CLAUDE.md',
  'GEMINI.md',
  '.cursorrules',
  '.windsurfrules',
  '.github/copilot-instructions.md',
  '.github/instructions/ts.instructions.md',
  'opencode.json',
  'skills/x/SKILL.md',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  '.gitattributes',
  '.cargo/config.toml',
  'sitecustomize.py',
  'lib/usercustomize.py',
  'x.pth',
  '.devcontainer.json',
  'bunfig.toml',
  '.gdbinit',
  '.Rprofile',
  'AGENTS.md.',
  'AGENTS\u200d.md',
];

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
    ...AGENT_AND_LATER,
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
    '.env.example',
    '.env.sample',
    '.env.template',
    'environment.ts',
    'id_rsa.pub',
    'monkey',
    'profile',
    '.editorconfig',
    '.github/CODEOWNERS',
    '.github/ISSUE_TEMPLATE/bug.md',
    'workflows/x.yml',
    'Makefile',
    'build.rs',
    'conftest.py',
    'vite.config.ts',
    'Dockerfile',
    'package.json',
    'docs/agents-guide.md',
    '.cargo/registry',
  ])('%s is an ordinary file', (path) => {
    expect(classify('/ws', `/ws/${path}`).guarded).toBe(null);
  });

  test('a workspace that lies in a protected place is judged by what is below it', () => {
    expect(classify('/home/u/.claude/worktrees/x', '/home/u/.claude/worktrees/x/src/a.ts').guarded).toBe(
      null,
    );
    expect(classify('/home/u/.claude/worktrees/x', '/home/u/.claude/settings.json').guarded).not.toBe(null);
  });

  test('what runs later or steers an agent may be read without a question; secrets may not [P5]', () => {
    for (const path of ['AGENTS.md', '.github/workflows/ci.yml', '.gitattributes'])
      expect(classify('/ws', `/ws/${path}`).guardsReading).toBe(false);
    for (const path of ['.env', 'server.key', '.git/config', '.npmrc', '.circleci/.env', '.opencode/id_rsa'])
      expect(classify('/ws', `/ws/${path}`).guardsReading).toBe(true);
  });

  test('the reason quotes the name as it is spelled and states the risk', () => {
    expect(classify('/ws', '/ws/.github/Workflows/x.yml').guarded).toMatch(
      /^"\.github\/Workflows" is protected: a build/,
    );
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

describe('our own files', () => {
  const ours = ['/home/u/.config/countersign', '/home/u/.local/state/countersign'];
  const isOurs = (path: string, workspace = '/ws', directories = ours) =>
    classifierFor({ ours: directories, steering: [] })(workspace, path).ours;

  test('are what lies in our directories, but for memory and skills, which agents read [P5]', () => {
    expect(isOurs('/home/u/.local/state/countersign/countersign.db')).toBe(true);
    expect(isOurs('/home/u/.config/countersign/server-tokens.json')).toBe(true);
    expect(isOurs('/home/u/.config/countersign/policies/new.toml')).toBe(true);
    expect(isOurs('/home/u/.config/countersign')).toBe(true);
    expect(isOurs('/home/u/.config/countersign/GEMINI.md')).toBe(false);
    expect(isOurs('/home/u/.config/countersign/skills/x/SKILL.md')).toBe(false);
    expect(isOurs('/home/u/.config/countersign-evil/x')).toBe(false);
    expect(isOurs('/ws/countersign.db')).toBe(false);
  });

  test('are recognised by name where the workspace lies in the same directory [P5]', () => {
    expect(isOurs('/ws/countersign.db-wal', '/ws', ['/ws'])).toBe(true);
    expect(isOurs('/ws/src/a.ts', '/ws', ['/ws'])).toBe(false);
    expect(isOurs('/base/server-tokens.json', '/base/ws', ['/base'])).toBe(true);
    expect(isOurs('/base/ws/a.ts', '/base/ws', ['/base'])).toBe(false);
  });

  test('a name that the person set for instructions is protected like the usual ones [P5]', () => {
    const classified = classifierFor({ ours: [], steering: ['RULES.md'] });
    expect(classified('/ws', '/ws/sub/rules.md').guarded).toMatch(/"rules.md" is protected: agents follow/);
    expect(classified('/ws', '/ws/README.md').guarded).toBeNull();
  });
});

test.each(
  [
    'mise.local.toml .mise.local.toml .config/mise/config.toml mise/config.toml .dir-locals-2.el .jj/repo/config.toml .sl/config',
    '.github/hooks/x.json .dev.vars .readthedocs.yaml .readthedocs.yml bitrise.yml codemagic.yaml .zuul.yaml zuul.d/x.yaml',
    '.eas/workflows/x.yml .harness/x.yaml screwdriver.yaml .onedev-buildspec.yml .cnb.yml .space.kts bamboo-specs/x.yml .vela.yml',
    '.packit.yaml circle.yml .depot/workflows/x.yml .externalToolBuilders/x.launch BUGBOT.md .cursor/BUGBOT.md JULES.md CODEBUDDY.md',
    '.codebuddy/x IFLOW.md .iflow/x .openhands/setup.sh .tabnine/guidelines/x.md .serena/x .bolt/prompt .qoder/x replit.md',
    'binding.gyp native/binding.gyp',
  ].flatMap((line) => line.split(' ')),
)('%s is protected [P5]', (name) => {
  expect(classify('/w', `/w/${name}`).guarded).not.toBeNull();
});

test.each(['config/mise.ts', 'src/mise/index.ts', 'src/workflows/x.yml', 'docs/replit.mdx', 'prompt'])(
  '%s is an ordinary file [P5]',
  (name) => {
    expect(classify('/w', `/w/${name}`).guarded).toBeNull();
  },
);
