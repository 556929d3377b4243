import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  DEFAULT_POLICY_SOURCE,
  type Journal,
  JournalError,
  loadPolicy,
  memoryJournal,
  type OnExample,
  type OpenOptions,
  type PolicyNotice,
  type PolicySource,
  sqliteJournal,
  type Tool,
  Toolbox,
} from '@countersign/engine';
import type { Policy } from '@countersign/kernel';
import type { ApprovalMode, Failure } from '@countersign/protocol';
import { builtInTools, classify } from '@countersign/tools';
import { CommandFailure } from './failure-text.js';
import { ADMIN_POLICY_DIRECTORY, policyFilesIn, storeDirectory, userPolicyDirectory } from './places.js';

/** The only file that knows every package: it turns options into the parts a command works with. */

const STORE_FILE = 'countersign.db';

const storePath = (store: string | undefined, env: NodeJS.ProcessEnv) =>
  join(resolve(store ?? storeDirectory(env)), STORE_FILE);

/** Where there is no store yet: looking into it must not make one. */
export function missingStore(store: string | undefined, env: NodeJS.ProcessEnv): string | null {
  const path = storePath(store, env);
  return store === ':memory:' || existsSync(path) ? null : path;
}

export async function openJournal(store: string | undefined, env: NodeJS.ProcessEnv): Promise<Journal> {
  if (store === ':memory:') return memoryJournal();
  try {
    return await sqliteJournal(storePath(store, env));
  } catch (thrown) {
    if (thrown instanceof JournalError) throw new CommandFailure(thrown.failure);
    throw thrown;
  }
}

export type Surroundings = {
  /** As given: what calls leave is kept beside the journal. */
  readonly store: string | undefined;
  readonly workspace: string;
  readonly policyFiles: readonly string[];
  readonly toolModules: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly onNotice: (notice: PolicyNotice) => void;
  readonly onTrouble: (failure: Failure) => void;
};

/** Everything a session needs besides its journal and id. */
export async function sessionParts(
  surroundings: Surroundings,
  mode: ApprovalMode | undefined,
): Promise<Omit<OpenOptions, 'journal' | 'sessionId'>> {
  const { workspace, onTrouble } = surroundings;
  const tools = new Toolbox(builtInTools());
  for (const file of surroundings.toolModules) for (const tool of await toolsFrom(file)) tools.register(tool);

  const policy = await policyFor(surroundings, tools);
  const { store, env } = surroundings;
  const outputs = store === ':memory:' ? null : await outputsDirectory(dirname(storePath(store, env)));
  return {
    workspace,
    tools,
    policy,
    classify,
    onTrouble,
    ...(mode && { mode }),
    ...(outputs && { outputs }),
  };
}

/** The real path, since what is read is compared with it. The journal has made the directory. */
const outputsDirectory = async (directory: string) => join(await realpath(directory), 'outputs');

/** Where rules come from. */
export type RuleOrigins = Pick<Surroundings, 'policyFiles' | 'env' | 'onNotice'> & {
  /** 'none': the rules that ship with the program do not apply. */
  readonly shipped?: 'all' | 'none';
};

/** The rules in force for calls of these tools. */
export async function policyFor(
  origins: RuleOrigins,
  tools: Toolbox,
  onExample?: OnExample,
): Promise<Policy> {
  const loaded = await loadPolicy(await policySources(origins), {
    knownTools: tools.all().map(({ name }) => name),
    canonicalTool: (name) => tools.get(name)?.name ?? name,
    ...(onExample && { onExample }),
  });
  if (!loaded.ok) throw new CommandFailure(loaded.failure);
  for (const notice of loaded.notices) origins.onNotice(notice);
  return loaded.policy;
}

async function policySources({ policyFiles, env, shipped = 'all' }: RuleOrigins): Promise<PolicySource[]> {
  const inTier = (tier: PolicySource['tier']) => (file: string) => ({ file, tier });
  return [
    ...(shipped === 'all' ? [DEFAULT_POLICY_SOURCE] : []),
    ...(await policyFilesIn(userPolicyDirectory(env))).map(inTier('user')),
    ...policyFiles.map((file) => resolve(file)).map(inTier('user')),
    ...(await policyFilesIn(ADMIN_POLICY_DIRECTORY)).map(inTier('admin')),
  ];
}

async function toolsFrom(file: string): Promise<readonly Tool[]> {
  const invalid = (problem: string) => new CommandFailure({ code: 'tool_module_invalid', file, problem });
  if (!existsSync(file)) throw invalid('there is no such file');
  let exported: unknown;
  try {
    exported = ((await import(pathToFileURL(resolve(file)).href)) as { readonly default?: unknown }).default;
  } catch (thrown) {
    throw invalid(thrown instanceof Error ? thrown.message : String(thrown));
  }
  if (exported === undefined) throw invalid('it has no default export');
  const tools: unknown[] = Array.isArray(exported) ? exported : [exported];
  for (const tool of tools) {
    const missing = missingParts(tool);
    if (missing.length > 0) throw invalid(`a tool lacks ${missing.join(', ')}`);
  }
  return tools as Tool[];
}

function missingParts(tool: unknown): string[] {
  if (typeof tool !== 'object' || tool === null) return ['everything, since it is not an object'];
  const parts: { readonly [name: string]: unknown } = { ...tool };
  const needed = {
    name: 'string',
    description: 'string',
    kind: 'string',
    inputSchema: 'object',
    check: 'function',
    plan: 'function',
    run: 'function',
  };
  return Object.entries(needed).flatMap(([name, type]) =>
    typeof parts[name] === type ? [] : [`${name} (${type})`],
  );
}
