import { createHash } from 'node:crypto';
import type { Contents, FileChange, HookContent, HookDefinition, HooksRead } from '@countersign/hooks';
import { canonicalJson } from '@countersign/protocol';
import { type CommandKey, filesOfCommands } from './command-files.js';
import type { Project } from './project.js';
import { recordOf } from './records.js';
import { filesOfServers } from './server-files.js';

/** The trust status of a workspace: whether its own rules, hooks and settings take effect. */
export type TrustStatus =
  | { readonly type: 'trusted'; readonly content: ProjectContent }
  | { readonly type: 'never_trusted' }
  | { readonly type: 'changed'; readonly since: number; readonly changes: readonly FileChange[] };

/** The content that trust in a project covers. */
export type ProjectContent = {
  readonly hash: string;
  readonly files: Contents;
  /** Null if its settings have none. */
  readonly hooks: HooksRead | null;
  readonly contentOfHooks: ReadonlyMap<HookDefinition, HookContent>;
  /** The files of the workspace that its MCP servers name, by server. */
  readonly filesOfServers: ReadonlyMap<string, Contents>;
  /** Those that other command lines of its settings name, by setting. */
  readonly filesOfCommands: ReadonlyMap<CommandKey, Contents>;
};

/** `looked`: the content, if it is already read. */
export async function trustStatusOf(
  project: Project,
  env: NodeJS.ProcessEnv,
  looked?: ProjectContent,
): Promise<TrustStatus> {
  const record = recordOf(project.workspace, env);
  if (record === null) return { type: 'never_trusted' };
  const content = looked ?? (await contentOfProject(project));
  if (content.hash === record.hash) return { type: 'trusted', content };
  const { changedFiles } = await import('@countersign/hooks');
  const changes = changedFiles(record.files, content.files);
  // Not written by this program: the hash contradicts the files.
  return changes.length === 0 ? { type: 'never_trusted' } : { type: 'changed', since: record.at, changes };
}

/** Policy files, settings, skills, and the workspace files that hooks, MCP servers and commands for tools run. */
export async function contentOfProject(project: Project): Promise<ProjectContent> {
  const hooks = await readProjectHooks(project);
  const contentOfHooks = new Map<HookDefinition, HookContent>();
  if (hooks) {
    const { contentOf } = await import('@countersign/hooks');
    for (const hook of hooks.hooks) contentOfHooks.set(hook, await contentOf(hook, project.workspace));
  }
  const ofServers = await filesOfServers(project);
  const ofCommands = await filesOfCommands(project);
  const own = [...project.policies, ...project.skills, ...(project.settings ? [project.settings] : [])];
  const hashes = new Map<string, string | null>([
    ...[...contentOfHooks.values()].flatMap(({ files }) =>
      files.map(({ path, hash }) => [path, hash] as const),
    ),
    ...[...ofServers.values(), ...ofCommands.values()].flat().map(({ path, hash }) => [path, hash] as const),
    ...own.map(({ path, bytes }) => [path, bytes && sha256(bytes)] as const),
  ]);
  const files = [...hashes]
    .map(([path, hash]) => ({ path, hash }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const hash = sha256(canonicalJson(files));
  return {
    ...{ hash, files, hooks, contentOfHooks },
    filesOfServers: ofServers,
    filesOfCommands: ofCommands,
  };
}

async function readProjectHooks({ settings }: Project): Promise<HooksRead | null> {
  const { hooks, hooksConfig } = settings?.parsed.values ?? {};
  if (settings === null || (hooks === undefined && hooksConfig === undefined)) return null;
  const { readHooks } = await import('@countersign/hooks');
  return readHooks({ hooks, hooksConfig }, 'project', settings.parsed.file);
}

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');
