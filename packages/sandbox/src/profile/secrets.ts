import { constants } from 'node:fs';
import { join } from 'node:path';
import { isPermitted, namesIn } from './paths.js';

/** Places in a home directory that give access to something else. Whatever mixes settings and secrets is hidden as well. */
const OF_HOME = [
  // keys, and agents that lend them
  '.ssh',
  '.gnupg',
  '.password-store',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.1password',
  '.vault-token',
  '.config/sops',
  '.env',
  // clouds and clusters
  '.aws',
  '.azure',
  '.oci',
  '.kube',
  '.docker',
  '.fly',
  '.terraform.d',
  '.config/gcloud',
  '.config/doctl',
  '.config/rclone',
  '.config/containers/auth.json',
  '.config/hcloud',
  '.config/configstore',
  '.config/.wrangler',
  '.config/netlify',
  '.local/share/com.vercel.cli',
  '.s3cfg',
  '.boto',
  '.databrickscfg',
  '.snowflake',
  // accounts of hosts, package registries and databases
  '.netrc',
  '.git-credentials',
  '.config/git/credentials',
  '.config/gh',
  '.config/glab-cli',
  '.config/op',
  '.config/github-copilot',
  '.config/hub',
  '.subversion/auth',
  '.npmrc',
  '.pypirc',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.composer/auth.json',
  '.config/composer/auth.json',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.nuget/NuGet/NuGet.Config',
  '.cache/huggingface/token',
  '.huggingface/token',
  '.kaggle',
  '.pgpass',
  '.my.cnf',
  '.mylogin.cnf',
  // agents like this one
  '.claude.json',
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.gemini/oauth_creds.json',
  '.gemini/mcp-oauth-tokens.json',
  '.gemini/.env',
  '.qwen/oauth_creds.json',
  '.local/share/opencode/auth.json',
  '.config/goose',
  '.ollama/id_ed25519',
  // browsers and mail
  '.mozilla',
  '.thunderbird',
  '.config/google-chrome',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/microsoft-edge',
  '.config/vivaldi',
  '.config/opera',
  '.var/app',
  'snap',
  // what was typed once, passwords among it
  '.bash_history',
  '.zsh_history',
  '.local/share/fish/fish_history',
  '.python_history',
  '.node_repl_history',
  '.psql_history',
  '.mysql_history',
];

export const secretsIn = (home: string): string[] => OF_HOME.map((name) => join(home, name));

/** Secrets of the machine that this user, most likely root, could read. */
export function systemSecrets(): string[] {
  const hostKeys = namesIn('/etc/ssh').filter((name) => name.endsWith('_key'));
  const all = [
    '/etc/shadow',
    '/etc/gshadow',
    '/etc/ssl/private',
    ...hostKeys.map((name) => `/etc/ssh/${name}`),
  ];
  return all.filter((path) => isPermitted(path, constants.R_OK));
}
