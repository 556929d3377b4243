import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  Agent,
  type AgentHooks,
  type AgentLimits,
  type LiveSession,
  openLiveSession,
  systemPrompt,
} from '@countersign/agent';
import type { Journal, Toolbox } from '@countersign/engine';
import { chooseModel, ModelError, openModel, type Provider, replayFile, retrying } from '@countersign/models';
import { activateSkill, findSkills, loadMemory, saveMemory, skillsText } from '@countersign/tools';
import { type Composed, type Surroundings, sessionParts } from './compose.js';
import { CommandFailure } from './failure-text.js';
import { configDirectory, plansDirectory } from './places.js';

export type AgentWishes = Surroundings & {
  readonly journal: Journal;
  readonly sessionId: string;
  readonly attended: 'somebody' | 'nobody';
  readonly modelFlag: string | undefined;
  readonly limits: Partial<AgentLimits>;
  /** A file of recorded answers that stand in for a model. */
  readonly fakeResponses: string | undefined;
};

export type AgentAtWork = {
  readonly agent: Agent;
  readonly live: LiveSession;
  readonly model: string;
  readonly tools: Toolbox;
  readonly settings: Composed['settings'];
  /** Ends the session here; gives what hooks still have to say. */
  readonly leave: () => Promise<string | null>;
};

/** A session with an agent that works on it. */
export async function openAgent(wishes: AgentWishes): Promise<AgentAtWork> {
  const { journal, sessionId, workspace, env, attended, limits } = wishes;
  const composed = await sessionParts(wishes);
  const { parts, settings, isTrusted } = composed;
  const { tools, policy } = parts;
  const userDirectories = [join(homedir(), '.gemini'), configDirectory(env)];
  const names = settings.get('contextFileName').value;
  const places = {
    userDirectories,
    workspaceSkills: isTrusted ? ('trusted' as const) : ('left out' as const),
  };
  tools.register(saveMemory({ userDirectory: configDirectory(env), ...(names && { names }) }));
  tools.register(activateSkill(places));
  // The session last: without a model there is nothing to do, and nothing is to be left behind.
  const [{ provider, model }, memory, { skills }] = await Promise.all([
    modelFor(wishes, settings),
    loadMemory({ workspace, userDirectories, ...(names && { names }) }),
    findSkills(workspace, places),
  ]);
  const opened = await openLiveSession({ ...parts, journal, sessionId });
  if (!opened.ok) throw new CommandFailure(opened.failure);
  const { live } = opened;
  const situation = {
    workspace,
    attended,
    platform: process.platform,
    date: new Date().toISOString().slice(0, 10),
    memory: memory.text,
    skills: skillsText(skills),
  };
  const lingering = new Set<Promise<void>>();
  const agent = new Agent(live, {
    provider,
    model,
    system: () => systemPrompt({ ...situation, mode: live.session.mode }),
    workspace,
    tools,
    policy,
    attended,
    limits,
    hooks: await hooksOfAgent(composed, wishes, (work) => void lingering.add(work)),
  });
  const leave = async () => {
    await live.session.dispose();
    const said = await agent.end('exit');
    await Promise.allSettled(lingering);
    return said;
  };
  return { agent, live, model, tools, settings, leave };
}

async function modelFor(
  { modelFlag, env, fakeResponses }: AgentWishes,
  settings: Composed['settings'],
): Promise<{ readonly provider: Provider; readonly model: string }> {
  try {
    if (fakeResponses !== undefined)
      return { provider: await replayFile(fakeResponses), model: modelFlag ?? 'recorded' };
    const chosen = await chooseModel(
      { flag: modelFlag ?? null, settings: { model: settings.get('model').value }, environment: env },
      new AbortController().signal,
    );
    if (!chosen.ok) throw new CommandFailure(chosen.failure);
    return { provider: retrying(await openModel(chosen.choice)), model: chosen.choice.model };
  } catch (thrown) {
    if (thrown instanceof ModelError) throw new CommandFailure(thrown.failure);
    throw thrown;
  }
}

/** The hooks of settings that are about the agent; null where there are none. */
async function hooksOfAgent(
  { hooks: { hooks, trusted }, settings }: Composed,
  { env, workspace, sessionId }: AgentWishes,
  lingering: (work: Promise<void>) => void,
): Promise<AgentHooks | null> {
  const events = new Set(hooks.map(({ event }) => event));
  events.delete('BeforeTool');
  events.delete('AfterTool');
  if (events.size === 0) return null;
  const { runHooks } = await import('@countersign/hooks');
  const context = {
    hooks,
    trusted,
    sessionId,
    workspace,
    // No file holds the conversation: what happened is in the journal.
    transcriptPath: '',
    plansDirectory: plansDirectory(env),
    environment: env,
    pass: settings.get('passEnvironment').value,
    lingering,
  };
  return {
    listens: (event) => events.has(event),
    run: (event, payload, signal) => runHooks(event, payload, { ...context, signal }),
  };
}
