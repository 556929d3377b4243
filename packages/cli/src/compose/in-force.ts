import { join } from 'node:path';
import type { PolicySource } from '@countersign/engine';
import type { HookDefinition, HooksRead, TrustedHooks } from '@countersign/hooks';
import { ADMIN_DIRECTORY, configDirectory, SETTINGS_FILE } from '../options/places.js';
import { expectOwnSettings } from '../options/settle-environment.js';
import { hookNotices } from '../settings/hook-problems.js';
import { type Flags, Settings } from '../settings/settings.js';
import { readSettingsFile, type SettingsFile, type SettingsNotice } from '../settings/settings-file.js';
import { type CommandKey, filesOfCommands } from '../trust/command-files.js';
import { changesInWords, untrustedNotice } from '../trust/notice.js';
import { type Project, readProject } from '../trust/project.js';
import { filesOfServers } from '../trust/server-files.js';
import { type TrustStatus, trustStatusOf } from '../trust/trust-status.js';

/** The settings of a workspace, including its own as far as it is trusted. */
export type InForce = {
  readonly settings: Settings;
  readonly isTrusted: boolean;
  /** The rules of the workspace. */
  readonly policies: readonly PolicySource[];
  /** Read on demand: evaluating calls without running them needs no hooks. */
  readonly hooks: () => Promise<HooksInForce>;
  /** Why an MCP server may not be started now, to continue after "it"; null if it may. */
  readonly doubtAboutServer: (name: string) => Promise<string | null>;
  /** Why the command of a setting may not run now, in a sentence; null if it may. */
  readonly doubtAboutCommand: (key: CommandKey) => Promise<string | null>;
};
export type HooksInForce = { readonly hooks: readonly HookDefinition[]; readonly trusted: TrustedHooks };

export type InForceOptions = {
  /** A real path. */
  readonly workspace: string;
  readonly env: NodeJS.ProcessEnv;
  readonly flags: Flags;
  readonly onNotice: (notice: SettingsNotice) => void;
  /** Receives one text on what in the workspace has no effect, and why. */
  readonly onUntrusted: (text: string) => void;
};

export async function inForce({
  workspace,
  env,
  flags,
  onNotice,
  onUntrusted,
}: InForceOptions): Promise<InForce> {
  expectOwnSettings(workspace, env);
  const [own, project] = await Promise.all([ownSettings(env), readProject(workspace, env)]);
  const trustStatus = await trustStatusOf(project, env);
  const files = project.settings ? [...own, project.settings.parsed] : own;
  const trust = trustStatus.type === 'trusted' ? 'trusted' : 'untrusted';
  const settings = new Settings({ files, env, flags, project: trust });
  for (const { notices } of files) notices.forEach(onNotice);
  const untrusted = untrustedNotice(project, trustStatus, settings);
  if (untrusted !== null) onUntrusted(untrusted);
  return {
    settings,
    isTrusted: trust === 'trusted',
    policies: trustedPolicies(project, trustStatus),
    hooks: () => hooksOf(own, project, trustStatus, onNotice),
    doubtAboutServer: (name) => doubtAboutServer(name, project, trustStatus),
    doubtAboutCommand: async (key) => {
      const ofProject = settings.get(key).origin;
      if (ofProject.type !== 'file' || ofProject.layer !== 'project') return null;
      return doubtAboutCommand(key, project, trustStatus);
    },
  };
}

/** The settings of the machine and the user, without those of the workspace. */
export async function ownSettings(env: NodeJS.ProcessEnv): Promise<readonly SettingsFile[]> {
  const files = await Promise.all([
    readSettingsFile('system', join(ADMIN_DIRECTORY, SETTINGS_FILE)),
    readSettingsFile('user', join(configDirectory(env), SETTINGS_FILE)),
  ]);
  return files.filter((file) => file !== null);
}

const trustedPolicies = ({ policies }: Project, { type }: TrustStatus): readonly PolicySource[] =>
  type === 'trusted' ? policies.flatMap((policy) => (policy.bytes === null ? [] : [policy.source])) : [];

/** The files of a server may change during a session, even by the agent itself. */
async function doubtAboutServer(
  name: string,
  project: Project,
  trustStatus: TrustStatus,
): Promise<string | null> {
  const trusted = trustStatus.type === 'trusted' ? trustStatus.content.filesOfServers.get(name) : undefined;
  if (trusted === undefined) return null;
  const { changedFiles } = await import('@countersign/hooks');
  const now = (await filesOfServers(project)).get(name) ?? [];
  const changes = changedFiles(trusted, now);
  if (changes.length === 0) return null;
  return `changed since it was trusted: ${changesInWords(changes)}. Run countersign trust to review it`;
}

/** As for servers: what was trusted may change during a session. */
async function doubtAboutCommand(
  key: CommandKey,
  project: Project,
  trustStatus: TrustStatus,
): Promise<string | null> {
  const trusted = trustStatus.type === 'trusted' ? trustStatus.content.filesOfCommands.get(key) : undefined;
  if (trusted === undefined) return null;
  const { changedFiles } = await import('@countersign/hooks');
  const changes = changedFiles(trusted, (await filesOfCommands(project)).get(key) ?? []);
  if (changes.length === 0) return null;
  return `The command of ${key} changed since it was trusted: ${changesInWords(changes)}. Run countersign trust to review it.`;
}

async function hooksOf(
  own: readonly SettingsFile[],
  project: Project,
  trustStatus: TrustStatus,
  onNotice: InForceOptions['onNotice'],
): Promise<HooksInForce> {
  const files = own.filter(({ values }) => values.hooks !== undefined || values.hooksConfig !== undefined);
  const content = trustStatus.type === 'trusted' ? trustStatus.content : null;
  if (files.length === 0 && !content?.hooks) return { hooks: [], trusted: new Map() };
  const { hooksInForce, readHooks } = await import('@countersign/hooks');
  const all: HooksRead[] = [];
  for (const settings of files) {
    const { layer, file, values } = settings;
    const { hooks, hooksConfig } = values;
    const read = await readHooks({ hooks, hooksConfig }, layer, file);
    hookNotices(read, settings).forEach(onNotice);
    all.push(read);
  }
  if (content?.hooks && project.settings) {
    hookNotices(content.hooks, project.settings.parsed).forEach(onNotice);
    all.push(content.hooks);
  }
  return { hooks: hooksInForce(all), trusted: content?.contentOfHooks ?? new Map() };
}
