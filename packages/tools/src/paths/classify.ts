import { PLANS_DIRECTORY, type Place } from '@countersign/protocol';
import { componentsBelow, componentsOf } from './components.js';

export type Classified = {
  readonly place: Place;
  /** Why a silent write here would be dangerous; null for ordinary paths. */
  readonly guarded: string | null;
};

/**
 * Where a real path lies, and whether it is protected. Inside the workspace
 * only the names below its root count: whoever works in `~/.claude/worktrees/x`
 * chose that place.
 */
export function classify(workspaceReal: string, realPath: string): Classified {
  const below = componentsBelow(workspaceReal, realPath);
  return {
    place: below === null ? 'outside' : 'workspace',
    guarded: guardedReason(below === null ? componentsOf(realPath) : namesThatCount(below)),
  };
}

/** Plans are notes for a person to read; what else lies beside them configures the program. */
function namesThatCount(below: readonly string[]): readonly string[] {
  const [directory, folder, name, ...deeper] = below;
  const isPlan = `${directory}/${folder}` === PLANS_DIRECTORY && deeper.length === 0 && name?.endsWith('.md');
  return isPlan && name !== undefined ? [name] : below;
}

const REASONS = {
  git: 'Git configuration and hooks can run programs',
  secrets: 'it usually holds secrets',
  key: 'it usually holds a private key',
  credentials: 'credentials and access settings are kept there',
  packages: 'package manager settings hold tokens and can run programs',
  editor: 'editors run programs named there',
  shell: 'shells and sessions run it when they start',
  agent: 'it configures coding agents: policy, hooks, tool servers',
} as const;
type Reason = keyof typeof REASONS;

/** Folded names (see `fold`). A name protects itself and, if it is a directory, everything in it. */
const NAMES: { readonly [R in Reason]: readonly string[] } = {
  // "git~1" is the short name of ".git" on Windows drives, which Linux can mount.
  git: ['git~1', '.gitconfig', '.gitmodules', '.githooks', '.husky', '.hg'],
  secrets: ['.env'],
  key: ['id_rsa', 'id_dsa', 'id_ecdsa', 'id_ed25519', 'id_ecdsa_sk', 'id_ed25519_sk'],
  credentials: [
    '.ssh',
    '.gnupg',
    '.aws',
    '.azure',
    '.kube',
    '.docker',
    '.netrc',
    '_netrc',
    '.pgpass',
    '.git-credentials',
  ],
  packages: ['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', '.pypirc'],
  editor: [
    '.vscode',
    '.idea',
    '.zed',
    '.fleet',
    '.devcontainer',
    '.vim',
    '.vimrc',
    '.exrc',
    '.nvimrc',
    '.nvim.lua',
    '.emacs',
    '.emacs.d',
    '.dir-locals.el',
  ],
  shell: [
    '.envrc',
    '.bashrc',
    '.bash_profile',
    '.bash_login',
    '.bash_logout',
    '.bash_aliases',
    '.profile',
    '.zshrc',
    '.zshenv',
    '.zprofile',
    '.zlogin',
    '.zlogout',
    '.kshrc',
    '.cshrc',
    '.tcshrc',
    '.login',
    '.logout',
    '.inputrc',
    '.xprofile',
    '.xinitrc',
    '.xsession',
    '.xsessionrc',
    '.pam_environment',
    '.tmux.conf',
    '.screenrc',
    'config.fish',
  ],
  agent: ['.countersign', '.gemini', '.claude', '.codex', '.cursor', '.mcp.json'],
};

const SUFFIXES: { readonly [suffix: string]: Reason } = {
  '.git': 'git', // bare repositories too
  '.pem': 'key',
  '.key': 'key',
  '.p12': 'key',
  '.pfx': 'key',
  '.jks': 'key',
  '.keystore': 'key',
  '.ppk': 'key',
  '.kdbx': 'key',
  '.code-workspace': 'editor',
};

/** `.env.example` and its like are made to be shared. */
const SHARED_ENV_SUFFIXES = ['.example', '.sample', '.template'];

const REASON_BY_NAME = new Map<string, Reason>(
  (['git', 'secrets', 'key', 'credentials', 'packages', 'editor', 'shell', 'agent'] as const).flatMap(
    (reason) => NAMES[reason].map((name) => [name, reason] as const),
  ),
);

/** Why reading a file may give away a secret; null for files that are protected for other reasons, or not at all. */
export function secretReason(name: string, kind: 'file' | 'directory'): string | null {
  const reason = reasonOf(fold(name));
  // Of directories only those where programs keep credentials: `.env` may be one of Python's.
  const secret = kind === 'file' ? SECRET : DIRECTORIES_OF_SECRETS;
  return reason !== null && secret.includes(reason) ? REASONS[reason] : null;
}

/** Whether a path leads to, or through, such a name. */
export const isSecretPath = (path: string): boolean =>
  componentsOf(path).some(
    (name, depth, { length }) => secretReason(name, depth === length - 1 ? 'file' : 'directory') !== null,
  );

/** Settings of package managers are mostly shared, and those that hold a token are kept at home. */
const SECRET: readonly Reason[] = ['secrets', 'key', 'credentials'];
const DIRECTORIES_OF_SECRETS: readonly Reason[] = ['credentials'];

/** Names, and endings of names, that `secretReason` knows. */
export const SECRET_NAMES: readonly string[] = SECRET.flatMap((reason) => NAMES[reason]);
export const SECRET_ENDINGS: readonly string[] = Object.keys(SUFFIXES).filter((suffix) =>
  SECRET.includes(SUFFIXES[suffix] ?? 'git'),
);

function guardedReason(names: readonly string[]): string | null {
  for (const name of names) {
    const reason = reasonOf(fold(name));
    if (reason !== null) return `"${name}" is protected: ${REASONS[reason]}`;
  }
  return null;
}

function reasonOf(name: string): Reason | null {
  const byName = REASON_BY_NAME.get(name);
  if (byName !== undefined) return byName;
  if (name.startsWith('.env.') && !SHARED_ENV_SUFFIXES.some((suffix) => name.endsWith(suffix)))
    return 'secrets';
  const suffix = Object.keys(SUFFIXES).find((candidate) => name.endsWith(candidate));
  return suffix === undefined ? null : (SUFFIXES[suffix] ?? null);
}

/**
 * Names that some file system takes for the same get the same spelling:
 * letter case, compatibility forms, characters without appearance, and the
 * trailing dots and blanks that Windows drops.
 */
function fold(name: string): string {
  const plain = PLAIN.test(name)
    ? name.toLowerCase()
    : name
        .normalize('NFKC')
        .replace(/\p{Default_Ignorable_Code_Point}|\p{Cc}/gu, '')
        .toUpperCase()
        .toLowerCase()
        .normalize('NFKC');
  return plain.replace(/[. ]+$/, '');
}

/** Most names; the tables of Unicode take longer to load than a file to read. */
const PLAIN = /^[ -~]*$/;
