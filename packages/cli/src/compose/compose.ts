import { statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  type CallHooks,
  DEFAULT_POLICY_SOURCE,
  type FrontEnd,
  type Journal,
  JournalError,
  loadPolicy,
  memoryJournal,
  type OnExample,
  type OpenOptions,
  type PolicySource,
  type SharedPolicies,
  Toolbox,
} from '@countersign/engine';
import { classifierFor, removeUnfinished } from '@countersign/host';
import type { Policy } from '@countersign/kernel';
import { type Failure, type JsonObject, PLANS_DIRECTORY } from '@countersign/protocol';
import { sqliteJournal } from '@countersign/store-sqlite';
import {
  activateSkill,
  builtInTools,
  googleWebSearch,
  type MemoryPlaces,
  type ShellOptions,
  type SkillPlaces,
  saveMemory,
  unfinishedIn,
} from '@countersign/tools';
import { CommandFailure, messageOf } from '../io/failure-text.js';
import { isKept } from '../options/options.js';
import {
  ADMIN_DIRECTORY,
  configDirectory,
  homeOf,
  POLICIES,
  policyFilesIn,
  realPathOf,
  storeDirectory,
} from '../options/places.js';
import { expectOwnStore } from '../options/settle-environment.js';
import { keyPathsOf } from '../settings/model-keys.js';
import type { Flags, Settings } from '../settings/settings.js';
import type { SettingsNotice } from '../settings/settings-file.js';
import { toolsFrom } from '../tool-modules/load-tools.js';
import { registerDiscovered } from './discovered-tools.js';
import { type HooksInForce, type InForce, inForce } from './in-force.js';
import { portsInUse } from './own-ports.js';
import type { SessionServers } from './session-servers.js';
import { setupOf } from './setup.js';
import { webSearch } from './web-search.js';

/** The only file that knows every package: it turns options into the parts a command works with. */

const STORE_FILE = 'countersign.db';

export const storePath = (store: string | undefined, env: NodeJS.ProcessEnv) =>
  join(resolve(store ?? storeDirectory(env)), STORE_FILE);

/** The directory of a store; null if it is kept in memory. */
export const keptIn = (store: string | undefined, env: NodeJS.ProcessEnv): string | null =>
  isKept(store) ? dirname(storePath(store, env)) : null;

/** The path of a store that does not exist yet: reading must not create one. */
export function missingStore(store: string | undefined, env: NodeJS.ProcessEnv): string | null {
  const path = storePath(store, env);
  if (!isKept(store)) return null;
  try {
    // A directory that the user may not enter is not a missing one, and an unreadable store is not an empty one.
    return statSync(path, { throwIfNoEntry: false }) ? null : path;
  } catch (thrown) {
    throw new CommandFailure({ code: 'journal_unavailable', path, detail: messageOf(thrown) });
  }
}

/** `onReadOnly`: for a command that only reads; others refuse a store that cannot be written. */
export async function openJournal(
  store: string | undefined,
  env: NodeJS.ProcessEnv,
  onReadOnly?: () => void,
): Promise<Journal> {
  if (!isKept(store)) return memoryJournal();
  try {
    return await sqliteJournal(storePath(store, env), { onReadOnly });
  } catch (thrown) {
    if (thrown instanceof JournalError) throw new CommandFailure(thrown.failure);
    throw thrown;
  }
}

export type SessionConfig = {
  readonly frontEnd: FrontEnd;
  /** Of a server: see `server-id.ts`. */
  readonly serverId?: string;
  /** As given on the command line. */
  readonly store: string | undefined;
  readonly workspace: string;
  readonly policyFiles: readonly string[];
  readonly toolModules: readonly string[];
  /** 'known': resumed, in its recorded mode. */
  readonly session: 'new' | 'known';
  readonly flags: Flags;
  readonly env: NodeJS.ProcessEnv;
  readonly onNotice: (notice: SettingsNotice) => void;
  /** Receives messages of hooks, and what in the workspace has no effect. */
  readonly onMessage: (text: string) => void;
  readonly onTrouble: (failure: Failure) => void;
  /** Called when a journal that failed works again. */
  readonly onTroubleOver?: () => void;
  /** MCP servers in addition to those of the settings; 'none' for no servers at all. */
  readonly servers?: { readonly besides: JsonObject } | 'none';
  /** A cache for a process with many sessions. */
  readonly policies?: SharedPolicies;
};

export type Composed = {
  /** Everything a session needs besides its journal and id. */
  readonly parts: Omit<OpenOptions, 'journal' | 'sessionId'>;
  readonly settings: Settings;
  /** MCP servers, started when the session is opened. Null if there are none. */
  readonly servers: SessionServers | null;
  /** Whether what the workspace contains takes effect. */
  readonly isTrusted: boolean;
  /** All hooks, including those around calls. */
  readonly hooks: HooksInForce;
  readonly memoryPlaces: Omit<MemoryPlaces, 'workspace'>;
  readonly skillPlaces: SkillPlaces;
};

/** The parts of a session, the same for every front end. */
export async function sessionParts(config: SessionConfig): Promise<Composed> {
  const { frontEnd, serverId, workspace, onTrouble, onTroubleOver, onMessage, store, env, flags } = config;
  expectOwnStore(workspace, store, env);
  const { settings, policies, hooks, isTrusted, doubtAboutServer, doubtAboutCommand } = await inForce({
    ...config,
    onUntrusted: onMessage,
  });
  const { tools, memoryPlaces, skillPlaces } = await toolsFor({ settings, isTrusted }, config);
  await registerDiscovered(tools, { settings, workspace, env, onMessage, doubtAboutCommand });

  const origins = { ...config, ofWorkspace: policies, shared: config.policies };
  const policy = await policyFor(origins, tools);
  const setup = await setupOf(await policySources(origins), config.toolModules, settings);
  const mode = config.session === 'new' ? settings.get('approvalMode').value : flags.approvalMode;
  const kept = keptIn(store, env);
  // The real path, since paths are compared with it. The journal has created the directory.
  const outputs = kept === null ? null : join(await realpath(kept), OUTPUTS);
  // What a process that was killed in the middle of a write has left in this or another workspace.
  if (outputs !== null) removeUnfinished(unfinishedIn(outputs));
  const hooksOfAll = await hooks();
  const around = await hooksAround(hooksOfAll, settings, config, tools);
  const parts = {
    frontEnd,
    ...(serverId !== undefined && { serverId }),
    session: config.session,
    workspace,
    tools,
    policy,
    setup,
    classify: classifierFor(ownThings(settings, config)),
    onTrouble,
    ...(onTroubleOver && { onTroubleOver }),
    ...(around && { hooks: around }),
    ...(mode && { mode }),
    ...(outputs && { outputs }),
  };
  const servers = await serversFor(settings, config, tools, doubtAboutServer);
  return { parts, settings, servers, isTrusted, hooks: hooksOfAll, memoryPlaces, skillPlaces };
}

type ToolsConfig = Pick<SessionConfig, 'workspace' | 'store' | 'env' | 'toolModules'>;

/** The tools of a session without those of MCP servers, for sessions and for calls that are only judged. */
export async function toolsFor(
  { settings, isTrusted }: Pick<InForce, 'settings' | 'isTrusted'>,
  config: ToolsConfig,
): Promise<{ readonly tools: Toolbox } & Pick<Composed, 'memoryPlaces' | 'skillPlaces'>> {
  const { env } = config;
  const tools = new Toolbox(builtInTools(shellOptions(settings, config)));
  const places = placesOf(settings, env, isTrusted);
  tools.register(saveMemory({ ...places.memoryPlaces, userDirectory: configDirectory(env) }));
  tools.register(activateSkill(places.skillPlaces));
  const search = await webSearch(settings, env);
  if (search) tools.register(googleWebSearch(() => search));
  for (const file of config.toolModules) for (const tool of await toolsFrom(file)) tools.register(tool);
  return { tools, ...places };
}

export async function serversFor(
  settings: Settings,
  {
    servers = { besides: {} },
    workspace,
    env,
    store,
    onMessage,
  }: Pick<SessionConfig, 'servers' | 'workspace' | 'env' | 'store' | 'onMessage'>,
  toolbox: Toolbox,
  doubt: (server: string) => Promise<string | null>,
): Promise<SessionServers | null> {
  if (servers === 'none') return null;
  const request = { configured: configuredServers(settings), given: servers.besides };
  if (Object.keys(request.configured).length + Object.keys(request.given).length === 0) return null;
  const { SessionServers } = await import('./session-servers.js');
  const storeDirectory = keptIn(store, env);
  return new SessionServers(request, { toolbox, workspace, env, storeDirectory, doubt, onMessage });
}

/** From all files; for equal names the later file counts. */
export const configuredServers = (settings: Settings): JsonObject =>
  Object.fromEntries(settings.each('mcpServers').flatMap(({ value }) => Object.entries(value)));

/** The directories of memory and skills: Gemini CLI's first, then ours, which take precedence. */
function placesOf(
  settings: Settings,
  env: NodeJS.ProcessEnv,
  isTrusted: boolean,
): Pick<Composed, 'memoryPlaces' | 'skillPlaces'> {
  const userDirectories = [join(homeOf(env), '.gemini'), configDirectory(env)];
  const names = settings.get('contextFileName').value;
  return {
    memoryPlaces: { userDirectories, ...(names && { names }) },
    skillPlaces: { userDirectories, workspaceSkills: isTrusted ? 'trusted' : 'omitted' },
  };
}

function shellOptions(settings: Settings, { workspace, store, env }: ToolsConfig) {
  const fromHome = (path: string) => path.replace(/^~(?=\/|$)/, () => homeOf(env));
  return {
    sandbox: settings.get('sandbox').value,
    writable: settings.get('sandboxWritable').value.map((path) => resolve(workspace, fromHome(path))),
    passEnvironment: settings.get('passEnvironment').value,
    rememberIn: keptIn(store, env),
    ...ownThings(settings, { store, env }),
  };
}

/** Where this program stores its settings and its data, by the real paths. */
function ownDirectories(store: string | undefined, env: NodeJS.ProcessEnv): readonly string[] {
  const kept = keptIn(store, env) ?? storeDirectory(env);
  const all = [configDirectory(env), storeDirectory(env), ADMIN_DIRECTORY, kept].map((path) => resolve(path));
  return [...new Set(all.map((path) => realPathOf(path) ?? path))];
}

const steeringNames = (settings: Settings): readonly string[] => {
  const names = settings.get('contextFileName').value;
  return names === null ? [] : [names].flat();
};

/** Our own files and ports: hidden from confined commands, and other commands that use them ask. */
export const ownThings = (
  settings: Settings,
  { store, env }: Pick<SessionConfig, 'store' | 'env'>,
): Pick<ShellOptions, 'ours' | 'program' | 'ownPorts' | 'steering'> => ({
  ours: [...ownDirectories(store, env), ...keyPathsOf(settings)],
  program: realPathOf(process.argv[1] ?? ''),
  ownPorts: () => portsInUse(env),
  steering: steeringNames(settings),
});

async function hooksAround(
  { hooks, trusted }: HooksInForce,
  settings: Settings,
  { workspace, env, onMessage }: SessionConfig,
  tools: Toolbox,
): Promise<CallHooks | null> {
  if (hooks.length === 0) return null;
  const { callHooks } = await import('@countersign/hooks');
  const pass = settings.get('passEnvironment').value;
  return callHooks({
    hooks,
    trusted,
    environment: env,
    pass,
    plansDirectory: join(workspace, PLANS_DIRECTORY),
    aliasesOf: (tool) => tools.aliasesOf(tool),
    onMessage,
  });
}

/** The directory for files that calls create. */
export const outputsOf = (store: string | undefined, env: NodeJS.ProcessEnv): string =>
  join(dirname(storePath(store, env)), OUTPUTS);

const OUTPUTS = 'outputs';

/** Where rules come from. */
export type RuleOrigins = Pick<SessionConfig, 'policyFiles' | 'env' | 'onNotice'> & {
  /** The rules of the workspace, where it is trusted. */
  readonly ofWorkspace: readonly PolicySource[];
  /** 'none': the rules that ship with the program do not apply. */
  readonly shipped?: 'all' | 'none';
  readonly shared?: SharedPolicies | undefined;
};

/** The rules in force for calls of these tools. */
export async function policyFor(
  origins: RuleOrigins,
  tools: Toolbox,
  onExample?: OnExample,
): Promise<Policy> {
  const sources = await policySources(origins);
  const known = {
    knownTools: tools.all().map(({ name }) => name),
    aliases: tools.aliases(),
  };
  const loaded =
    origins.shared && !onExample
      ? await origins.shared.load(sources, known)
      : await loadPolicy(sources, { ...known, ...(onExample && { onExample }) });
  if (!loaded.ok) throw new CommandFailure(loaded.failure);
  for (const notice of loaded.notices) origins.onNotice(notice);
  return loaded.policy;
}

export async function policySources({
  policyFiles,
  ofWorkspace,
  env,
  shipped = 'all',
}: RuleOrigins): Promise<PolicySource[]> {
  const inTier = (tier: PolicySource['tier']) => (file: string) => ({ file, tier });
  return [
    ...(shipped === 'all' ? [DEFAULT_POLICY_SOURCE] : []),
    ...ofWorkspace,
    ...(await policyFilesIn(join(configDirectory(env), POLICIES))).map(inTier('user')),
    ...policyFiles.map((file) => resolve(file)).map(inTier('user')),
    ...(await policyFilesIn(join(ADMIN_DIRECTORY, POLICIES))).map(inTier('admin')),
  ];
}
