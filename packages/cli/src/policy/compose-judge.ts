import { readSession } from '@countersign/attach';
import { type Journal, SessionDirectory } from '@countersign/engine';
import { classifierFor } from '@countersign/host';
import type { ApprovalMode, Grant } from '@countersign/protocol';
import {
  configuredServers,
  outputsOf,
  ownThings,
  policyFor,
  type SessionConfig,
  serversFor,
  toolsFor,
} from '../compose/compose.js';
import { registerDiscovered } from '../compose/discovered-tools.js';
import type { Origins } from '../compose/rule-options.js';
import { isKept } from '../options/options.js';
import { realPathOf } from '../options/places.js';
import { CallJudge, type GrantsRead } from './call-judge.js';
import { ServersAsked } from './servers-asked.js';

export type JudgeConfig = Pick<SessionConfig, 'workspace' | 'store' | 'env' | 'toolModules' | 'onMessage'> & {
  readonly origins: Origins;
  readonly mode: ApprovalMode;
  /** The session whose grants and files count; null for a new one. */
  readonly sessionId: string | null;
  readonly grants: GrantsRead;
  /** 'never': a call of their tools gets a verdict with what is not known. */
  readonly servers: 'started if needed' | 'not started' | 'never';
};

export type ComposedJudge = { readonly judge: CallJudge; readonly close: () => Promise<void> };

/** A judge with the tools, rules, hooks and grants that a session would have, without a session. */
export async function composeJudge(config: JudgeConfig): Promise<ComposedJudge> {
  const { origins, workspace, store, env, mode, sessionId, grants } = config;
  const { settings } = origins;
  const { tools } = await toolsFor(origins, config);
  const { onMessage } = config;
  const { doubtAboutCommand } = origins;
  await registerDiscovered(tools, { settings, workspace, env, onMessage, doubtAboutCommand });
  const policy = await policyFor(origins, tools);
  const started =
    config.servers === 'started if needed'
      ? await serversFor(settings, { workspace, env, store, onMessage }, tools, origins.doubtAboutServer)
      : null;
  const servers = new ServersAsked(Object.keys(configuredServers(settings)), started, config.servers);
  const { hooks } = await origins.hooks();
  const { hooksBefore } = hooks.length > 0 ? await import('@countersign/hooks') : { hooksBefore: () => [] };
  const judge = new CallJudge({
    ...{ tools, policy, workspace, mode, servers, grants },
    shipped: origins.shipped ?? 'all',
    classify: classifierFor(ownThings(settings, { store, env })),
    hooksBefore: (tool) => hooksBefore(tool, { hooks, aliasesOf: (name) => tools.aliasesOf(name) }),
    ...(sessionId !== null &&
      isKept(store) && { kept: new SessionDirectory(realOutputs(store, env), sessionId) }),
  });
  return { judge, close: () => servers.close() };
}

/** By the real path, since paths are compared with it. */
function realOutputs(store: string | undefined, env: NodeJS.ProcessEnv): string {
  const outputs = outputsOf(store, env);
  return realPathOf(outputs) ?? outputs;
}

/** The grants in force for calls of a session, or of a new one in that workspace. */
export async function grantsFor(
  journal: Pick<Journal, 'grants'> | null,
  sessionId: string | null,
  workspace: string,
): Promise<GrantsRead> {
  const none: readonly Grant[] = [];
  const found = journal ? await journal.grants({ sessionId: sessionId ?? NEW_SESSION, workspace }) : none;
  return { ok: true, grants: new Map(found.map((grant) => [grant.id, grant])) };
}

/** No session has it, so only grants of the workspace and the user apply. */
const NEW_SESSION = '';

/** Where and how a recorded session would judge. */
export async function placeOf(
  journal: Journal,
  sessionId: string,
): Promise<{ readonly workspace: string; readonly mode: ApprovalMode } | null> {
  const info = await journal.session(sessionId);
  if (!info || info.seq === 0) return null;
  const { workspace, mode } = await readSession(journal, sessionId);
  return { workspace, mode };
}
