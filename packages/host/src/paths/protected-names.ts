/** Why a silent write is dangerous. */
export type ProtectedKind = 'runs later' | 'steers an agent' | 'holds a secret' | 'configures us';

export type ProtectedGroup = {
  readonly kind: ProtectedKind;
  /** To continue after `"name" is protected: `. */
  readonly why: string;
  /** Whether reading asks as well: secrets, and what lies beside them. */
  readonly reading: 'asks' | 'free';
  /**
   * Folded (see `fold`). A name protects itself and, if it is a directory, everything in it; `a/b` is the name `b`
   * directly in `a`.
   */
  readonly names: readonly string[];
  readonly suffixes?: readonly string[];
};

const names = (...lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(' '));

/**
 * Where the line is drawn: a name is here if something acts on the file without
 * the person having it in mind, because of its name alone. What runs because a
 * person builds, tests or starts the project (`Makefile`, `build.rs`,
 * `conftest.py`, `vite.config.ts`, `Dockerfile`) is source like any other.
 * `docs/PROTECTED.md` lists all of them; a test holds it against this.
 */
export const PROTECTED: readonly ProtectedGroup[] = [
  {
    kind: 'runs later',
    why: 'Git configuration and hooks can run programs',
    reading: 'asks',
    // "git~1" is the short name of ".git" on Windows drives, which Linux can mount.
    names: names('git~1 .gitconfig .gitmodules .githooks .husky .hg .jj .sl'),
    suffixes: ['.git'], // bare repositories too
  },
  {
    kind: 'runs later',
    why: 'it names programs that run with every commit, checkout or merge',
    reading: 'free',
    names: names(
      '.gitattributes .git-hooks .hgrc .svn .pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml',
      'lefthook.yml lefthook.yaml lefthook.toml lefthook.json lefthook-local.yml .lefthook.yml .lefthook.yaml .lefthook',
      'lefthook-local.yaml lefthook-local.toml lefthook-local.json .lefthook.toml .lefthook.json .lefthook-local.yml .lefthook-local.yaml',
      '.huskyrc.yml .huskyrc.yaml husky.config.js simple-git-hooks.js simple-git-hooks.cjs .nano-staged.json nano-staged.js lint-staged.config.mts prek.toml',
      '.huskyrc .huskyrc.json .huskyrc.js .simple-git-hooks.json .simple-git-hooks.js .simple-git-hooks.cjs simple-git-hooks.json',
      '.lintstagedrc .lintstagedrc.json .lintstagedrc.yml .lintstagedrc.yaml .lintstagedrc.js .lintstagedrc.mjs .lintstagedrc.cjs',
      'lint-staged.config.js lint-staged.config.mjs lint-staged.config.cjs lint-staged.config.ts',
      '.overcommit.yml captainhook.json grumphp.yml',
    ),
  },
  {
    kind: 'runs later',
    why: 'a build server runs its commands, with server permissions and secrets',
    reading: 'free',
    names: names(
      '.github/workflows .github/actions .gitea/workflows .gitea/actions .forgejo/workflows .forgejo/actions',
      '.gitlab-ci.yml .gitlab-ci.yaml .gitlab/ci .circleci .travis.yml .travis.yaml .buildkite .teamcity .semaphore .tekton',
      'azure-pipelines.yml azure-pipelines.yaml .azure-pipelines .azuredevops bitbucket-pipelines.yml jenkinsfile',
      '.drone.yml .drone.yaml .drone.star .drone.jsonnet .woodpecker .woodpecker.yml .woodpecker.yaml .cirrus.yml .cirrus.star',
      'appveyor.yml .appveyor.yml .build.yml .builds cloudbuild.yaml cloudbuild.yml buildspec.yml buildspec.yaml codefresh.yml',
      'wercker.yml .vsts-ci.yml .gocd.yaml .rultor.yml .prow.yaml',
      'circle.yml .readthedocs.yaml .readthedocs.yml bitrise.yml codemagic.yaml .zuul.yaml .zuul.d zuul.yaml zuul.d .eas/workflows',
      '.harness screwdriver.yaml .onedev-buildspec.yml .cnb.yml .space.kts bamboo-specs .vela.yml .vela.yaml .packit.yaml .packit.yml',
      '.depot/workflows',
    ),
  },
  {
    kind: 'runs later',
    why: 'package manager settings hold tokens and can run programs',
    reading: 'asks',
    names: names('.npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .pypirc'),
  },
  {
    kind: 'runs later',
    why: 'build tools read from it which programs and sources to use',
    reading: 'free',
    names: names(
      '.pnpmfile.mjs .yarn/releases .yarn/plugins bunfig.toml .bunfig.toml .cargo/config .cargo/config.toml .mvn gradle/wrapper',
      'init.gradle init.gradle.kts pip.conf pip.ini .pydistutils.cfg .condarc .bundle .gemrc nuget.config .mise .mise.toml mise.toml',
      'mise.local.toml .mise.local.toml .config/mise mise/config.toml binding.gyp tools/bazel',
    ),
  },
  {
    kind: 'runs later',
    why: 'interpreters and debuggers run it when they start',
    reading: 'free',
    names: names(
      'sitecustomize.py usercustomize.py .pythonstartup .pdbrc .pdbrc.py .gdbinit .lldbinit .irbrc .pryrc .rprofile .renviron',
      '.ghci .ocamlinit .sqliterc .psqlrc .curlrc .wgetrc .ripgreprc .ackrc .iex.exs .byebugrc .latexmkrc',
    ),
    suffixes: ['.pth'],
  },
  {
    kind: 'runs later',
    why: 'editors run programs named there',
    reading: 'asks',
    names: names(
      '.vscode .idea .zed .fleet .devcontainer .vim .vimrc .exrc .nvimrc .nvim.lua .emacs .emacs.d .dir-locals.el',
      '.dir-locals-2.el .bsp',
    ),
    suffixes: ['.code-workspace'],
  },
  {
    kind: 'runs later',
    why: 'editors and workspaces in a browser run programs named there',
    reading: 'free',
    names: names(
      '.devcontainer.json .gitpod.yml .gitpod.dockerfile devfile.yaml .devfile.yaml .idx .replit .codesandbox .stackblitzrc',
      '.helix .run .vs .nova _vimrc .lvimrc .vimspector.json .theia',
      '.externaltoolbuilders',
    ),
    suffixes: ['.sublime-project', '.sublime-workspace'],
  },
  {
    kind: 'runs later',
    why: 'shells and sessions run it when they start',
    reading: 'asks',
    names: names(
      '.envrc .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout',
      '.kshrc .cshrc .tcshrc .login .logout .inputrc .xprofile .xinitrc .xsession .xsessionrc .pam_environment .tmux.conf',
      '.screenrc config.fish',
    ),
  },
  {
    kind: 'steers an agent',
    why: 'agents follow its instructions, in this session and in later ones',
    reading: 'free',
    names: names(
      'agents.md agents.override.md agent.md claude.md claude.local.md gemini.md qwen.md crush.md warp.md skill.md',
      '.cursorrules .windsurfrules .clinerules .roorules .roomodes .kilocodemodes .rules .goosehints .continuerules',
      '.augment-guidelines copilot-instructions.md .github/copilot-instructions.md .github/instructions .github/prompts',
      '.github/agents .github/chatmodes',
      'bugbot.md jules.md codebuddy.md iflow.md replit.md .bolt/prompt .tabnine/guidelines',
    ),
    suffixes: ['.instructions.md', '.prompt.md', '.chatmode.md', '.agent.md'],
  },
  {
    kind: 'steers an agent',
    why: 'it configures coding agents: instructions, permissions, hooks, tool servers',
    reading: 'free',
    names: names(
      'opencode.json opencode.jsonc .opencode .windsurf .roo .kilocode .cline .continue .kiro .amazonq .junie .trae .qwen',
      '.augment .agents .agent .factory .crush.json crush.json .aider.conf.yml .aider.model.settings.yml .goose mcp.json',
      '.github/hooks .codebuddy .iflow .openhands .serena .qoder',
    ),
  },
  {
    kind: 'configures us',
    why: 'it configures coding agents: policy, hooks, tool servers',
    reading: 'asks',
    names: names('.countersign .gemini .claude .claude.json .codex .cursor .mcp.json'),
  },
  { kind: 'holds a secret', why: 'it usually holds secrets', reading: 'asks', names: ['.env', '.dev.vars'] },
  {
    kind: 'holds a secret',
    why: 'it usually holds a private key',
    reading: 'asks',
    names: names('id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk'),
    suffixes: names('.pem .key .p12 .p8 .pfx .jks .keystore .ppk .kdbx .agekey'),
  },
  {
    kind: 'holds a secret',
    why: 'credentials and access settings are kept there',
    reading: 'asks',
    names: names(
      '.ssh .gnupg .aws .azure .kube .docker .dockercfg .netrc _netrc .pgpass .my.cnf .git-credentials .htpasswd .vault-token',
      '.boto .s3cfg .terraformrc terraform.rc',
    ),
  },
];
