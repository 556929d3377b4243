import {
  Agent,
  type AgentLimits,
  type EndReason,
  type LiveSession,
  NO_HOOKS,
  openLiveSession,
  SessionHooks,
  systemPrompt,
} from '@countersign/agent';
import type { Journal, Toolbox } from '@countersign/engine';
import { chooseModel, ModelError, openModel, type Provider, replayFile, retrying } from '@countersign/models';
import type { CommandIdentity } from '@countersign/protocol';
import { findSkills, loadMemory, skillsText } from '@countersign/tools';
import { CommandFailure } from '../io/failure-text.js';
import { modelPreferences } from '../settings/model-keys.js';
import { type Composed, type SessionConfig, sessionParts } from './compose.js';
import { hooksOfAgent } from './hooks-of-agent.js';

export type AgentSetup = SessionConfig & {
  readonly journal: Journal;
  readonly sessionId: string;
  /** Of the command that starts the session, which may be sent again. */
  readonly identity?: CommandIdentity;
  readonly attended: 'somebody' | 'nobody';
  readonly modelFlag: string | undefined;
  readonly limits: Partial<AgentLimits>;
  /** A file of recorded responses that replace a model. */
  readonly fakeResponses: string | undefined;
  /** Used instead of the configured model. */
  readonly modelInUse?: ModelInUse;
  /** 'later': the caller starts the MCP servers, e.g. after those of the session before have ended. */
  readonly startServers?: 'later';
};

/** An open session that agents can work on. */
export type SessionAtWork = {
  readonly live: LiveSession;
  readonly tools: Toolbox;
  readonly settings: Composed['settings'];
  /** Its MCP servers; null if it has none. */
  readonly servers: Composed['servers'];
  /** An agent that asks a model of this name, or the configured one. */
  readonly agentFor: (modelFlag: string | undefined) => Promise<ModelAgent>;
  /** To be called once the front end can show messages of hooks: runs those for the start of the session. */
  readonly begin: SessionHooks['start'];
  /** Closes the session; returns the message of its end hooks. */
  readonly leave: (reason?: EndReason) => Promise<string | null>;
};
export type ModelAgent = { readonly agent: Agent; readonly model: string };

export type AgentAtWork = SessionAtWork & ModelAgent;

/** A session with an agent that works on it. */
export async function openAgent(setup: AgentSetup): Promise<AgentAtWork> {
  const prepared = await prepare(setup);
  // The session is opened last, so that a missing model leaves no session behind.
  const model = await modelFor(setup, prepared.composed.settings);
  const { agentWith, ...atWork } = await openPrepared(setup, prepared);
  return { ...atWork, ...(await agentWith(model)) };
}

/** A session without an agent: tools can still be called. */
export async function openWithoutAgent(setup: AgentSetup): Promise<SessionAtWork> {
  return openPrepared(setup, await prepare(setup));
}

export type ModelInUse = { readonly provider: Provider; readonly model: string };
type Prepared = { readonly composed: Composed; readonly memory: string; readonly skills: string };

async function prepare(setup: AgentSetup): Promise<Prepared> {
  const { workspace } = setup;
  const composed = await sessionParts(setup);
  const { memoryPlaces, skillPlaces } = composed;
  const [memory, { skills }] = await Promise.all([
    loadMemory({ workspace, ...memoryPlaces }),
    findSkills(workspace, skillPlaces),
  ]);
  return { composed, memory: memory.text, skills: skillsText(skills) };
}

async function openPrepared(setup: AgentSetup, { composed, memory, skills }: Prepared) {
  const { journal, sessionId, workspace, attended, limits, identity } = setup;
  const { parts, settings, servers } = composed;
  const { tools, policy } = parts;
  await servers?.readyForOpenCalls(journal, sessionId);
  const opened = await openLiveSession({ ...parts, journal, sessionId, ...(identity && { identity }) });
  if (!opened.ok) {
    await servers?.close();
    throw new CommandFailure(opened.failure);
  }
  if (setup.startServers !== 'later') servers?.start();
  const { live } = opened;
  const situation = {
    workspace,
    attended,
    platform: process.platform,
    date: new Date().toISOString().slice(0, 10),
    memory,
    skills,
  };
  const lingering = new Set<Promise<void>>();
  const hooks = await hooksOfAgent(composed, setup, (work) => void lingering.add(work));
  const sessionHooks = new SessionHooks(hooks ?? NO_HOOKS);
  const begin: SessionAtWork['begin'] = async (source, notify, signal) => {
    sessionHooks.follow(live.events);
    await sessionHooks.start(source, notify, signal);
  };
  const agentWith = async ({ provider, model }: ModelInUse): Promise<ModelAgent> => {
    const agent = new Agent(live, {
      provider,
      model,
      system: () =>
        systemPrompt({ ...situation, mode: live.session.mode, servers: servers?.instructions() ?? '' }),
      workspace,
      tools,
      policy,
      attended,
      limits,
      ...(servers && { toolsReady: servers.readyForModel, resourceFor: servers.resourceFor }),
      hooks,
      sessionHooks,
    });
    return { agent, model };
  };
  const agentFor = async (modelFlag: string | undefined) =>
    agentWith(await modelFor({ ...setup, modelFlag }, settings));
  const leave = async (reason: EndReason = 'exit') => {
    await live.session.dispose();
    await servers?.close();
    const message = await sessionHooks.end(reason);
    await Promise.allSettled(lingering);
    return message;
  };
  return { live, tools, settings, servers, agentFor, agentWith, begin, leave };
}

async function modelFor(
  { modelFlag, env, fakeResponses, modelInUse }: AgentSetup,
  settings: Composed['settings'],
): Promise<ModelInUse> {
  if (modelInUse) return modelInUse;
  try {
    if (fakeResponses !== undefined)
      return { provider: await replayFile(fakeResponses), model: modelFlag ?? 'recorded' };
    const preferences = modelPreferences(settings, modelFlag, env);
    const chosen = await chooseModel(preferences, new AbortController().signal);
    if (!chosen.ok) throw new CommandFailure(chosen.failure);
    return { provider: retrying(await openModel(chosen.choice)), model: chosen.choice.model };
  } catch (thrown) {
    if (thrown instanceof ModelError) throw new CommandFailure(thrown.failure);
    throw thrown;
  }
}
