import { rm } from 'node:fs/promises';
import { forkSession, type Journal, SessionDirectory, SharedPolicies, Toolbox } from '@countersign/engine';
import { classifierFor } from '@countersign/host';
import { chooseModel } from '@countersign/models';
import type { Failure } from '@countersign/protocol';
import type {
  AgentFound,
  Judge,
  OpenedSession,
  OpenRequest,
  ServerPorts,
  SupposedCall,
} from '@countersign/server';
import { builtInTools, workspaceFiles } from '@countersign/tools';
import { outputsOf, ownThings, policyFor } from '../compose/compose.js';
import { type ModelAgent, openWithoutAgent } from '../compose/compose-agent.js';
import { inForce } from '../compose/in-force.js';
import { originsOf } from '../compose/rule-options.js';
import { CommandFailure, messageHandlers } from '../io/failure-text.js';
import { type Io, say } from '../io/io.js';
import { VERSION } from '../io/version.js';
import { isKept } from '../options/options.js';
import { realWorkspace } from '../options/places.js';
import { CallJudge, type Outcome } from '../policy/call-judge.js';
import { endLeftCommands } from '../sessions/delete-session.js';
import { modelPreferences } from '../settings/model-keys.js';
import { demonstrations, onStage } from './demonstrations.js';
import type { ServeOptions } from './serve-options.js';

/** Files offered for completion: enough for a large repository, within a few megabytes of memory. */
const FILES_MAX = 50_000;
/** Timeout for a local model server, which answers at once or not at all. */
const LOCAL_MODEL_MS_MAX = 1_000;
/** How long the model that was found is cached. */
const MODEL_FRESH_MS = 10_000;

/** The ports of a server, from command line, settings and environment. */
export function serverPorts(
  options: ServeOptions,
  workspaces: readonly string[],
  { journal, serverId }: { readonly journal: Journal; readonly serverId: string },
  io: Io,
): ServerPorts {
  const outputs = isKept(options.store) ? outputsOf(options.store, io.env) : null;
  const policies = new SharedPolicies();
  let model: { readonly name: Promise<string | null>; readonly at: number } | null = null;
  return {
    journal,
    serverId,
    workspaces,
    now: Date.now,
    version: VERSION,
    onTrouble: (text) => void say(io, `countersign: ${text}`),

    openSession: async (request) => {
      try {
        return { ok: true, opened: await openOne(request, { ...options, serverId }, policies, io) };
      } catch (thrown) {
        if (thrown instanceof CommandFailure) return { ok: false, failure: thrown.failure };
        throw thrown;
      }
    },

    forkSession: async (from, to, callId, identity) => {
      const point = callId === null ? ({ type: 'end' } as const) : ({ type: 'call', callId } as const);
      const forked = await forkSession({ journal, outputs, from, to, point, ...(identity && { identity }) });
      if (forked.ok) return null;
      switch (forked.why) {
        case 'unknown':
          return { code: 'unknown_call', callId: callId ?? '' };
        case 'open':
          return { code: 'invalid_request', problem: 'the turn of that call has not ended yet' };
        case 'nothing':
          return { code: 'invalid_request', problem: 'none of its turns has ended yet' };
        case 'failed':
          return forked.failure;
      }
    },

    endCommands: async (sessionId) => {
      const ended = outputs === null ? null : await endLeftCommands(journal, sessionId, outputs);
      return ended === null || ended.ok ? null : ended.failure;
    },

    removeKept: async (sessionId) => {
      if (outputs !== null)
        await rm(new SessionDirectory(outputs, sessionId).path, { recursive: true, force: true });
    },

    model: () => {
      if (!model || Date.now() - model.at > MODEL_FRESH_MS) model = { name: findModel(), at: Date.now() };
      return model.name;
    },

    demonstrations,

    judgeFor: async (workspace, mode) => {
      const origins = await originsOf({ policy: options.policyFiles }, io, workspace, () => {});
      const own = ownThings(origins.settings, { store: options.store, env: io.env });
      const tools = new Toolbox(builtInTools(own));
      const classify = classifierFor(own);
      const inMode = mode ?? options.flags.approvalMode ?? origins.settings.get('approvalMode').value;
      const policy = await policyFor(origins, tools);
      return judgeOf(new CallJudge({ tools, policy, workspace, mode: inMode, shipped: 'all', classify }));
    },

    toolsOf: async () => new Toolbox(builtInTools()).declarations(),

    filesOf: (workspace, signal) => workspaceFiles(workspace, FILES_MAX, signal),
  };

  async function findModel(): Promise<string | null> {
    if (options.fakeResponses !== undefined) return options.modelFlag ?? 'recorded';
    const { env } = io;
    const [workspace = ''] = workspaces;
    const quietly = { onNotice: () => {}, onUntrusted: () => {} };
    const { settings } = await inForce({ workspace, env, flags: options.flags, ...quietly });
    const preferences = modelPreferences(settings, options.modelFlag, env);
    const signal = AbortSignal.timeout(LOCAL_MODEL_MS_MAX);
    const chosen = await chooseModel({ ...preferences, purpose: 'to name it' }, signal).catch(() => null);
    return chosen?.ok ? chosen.choice.model : null;
  }
}

/** Has an agent as soon as a model is configured; without one it still runs calls of users and programs. */
async function openOne(
  request: OpenRequest,
  options: ServeOptions & { readonly serverId: string },
  policies: SharedPolicies,
  io: Io,
): Promise<OpenedSession> {
  const { journal, sessionId, session, mode, identity } = request;
  const { serverId, store, policyFiles, toolModules, modelFlag, fakeResponses, flags } = options;
  const workspace = await realWorkspace(request.workspace);
  const approvalMode = session === 'new' ? (mode ?? flags.approvalMode) : undefined;
  const messages = messageHandlers(io);
  const { live, agentFor, begin, leave } = await openWithoutAgent({
    frontEnd: 'server',
    serverId,
    store,
    workspace,
    policyFiles,
    toolModules,
    session,
    flags: { ...flags, approvalMode },
    env: io.env,
    ...messages,
    journal,
    sessionId,
    ...(identity && { identity }),
    attended: 'somebody',
    modelFlag,
    fakeResponses,
    limits: {},
    policies,
    ...(await onStage(workspace, store, io)),
  });
  return {
    live,
    agent: agentOnceThereIsOne(() => agentFor(modelFlag)),
    begin: (notify) =>
      begin(session === 'new' ? 'startup' : 'resume', (text) => {
        // The client that opened the session may not listen to it yet.
        messages.onMessage(text);
        notify(text);
      }),
    leave: async (reason) => {
      const message = await leave(reason);
      if (message !== null) messages.onMessage(message);
    },
  };
}

function agentOnceThereIsOne(find: () => Promise<ModelAgent>): () => Promise<AgentFound> {
  let found: Promise<AgentFound> | null = null;
  const look = async (): Promise<AgentFound> => {
    try {
      return { ok: true, agent: (await find()).agent };
    } catch (thrown) {
      // The configuration may be fixed at any time, so the next message tries again.
      found = null;
      if (thrown instanceof CommandFailure && isAboutModel(thrown.failure))
        return { ok: false, failure: thrown.failure };
      throw thrown;
    }
  };
  return () => {
    found ??= look();
    return found;
  };
}

const isAboutModel = ({ code }: Failure): boolean => code.startsWith('model_');

function judgeOf(judge: CallJudge): Judge {
  const asked = ({ tool, args, interactive }: SupposedCall) => ({
    tool,
    args,
    attended: interactive,
    rules: null,
    mcpServer: null,
    annotations: null,
    subagent: null,
  });
  return {
    check: async (call) => known(await judge.judge(asked(call))),
    explain: async (call) => known(await judge.explain(asked(call))),
  };
}

/** Only inline rules can be invalid, and these calls have none. */
function known<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new Error(outcome.problem);
}
