import type { Journal } from '@countersign/engine';
import type { AgentPort } from '@countersign/react';
import type { NextSession } from '@countersign/tui';
import { openWithoutAgent, type SessionAtWork } from '../compose/compose-agent.js';
import { type ChosenSession, chooseSession } from '../headless/choose-session.js';
import { CommandFailure, failureText, messageHandlers } from '../io/failure-text.js';
import type { Io } from '../io/io.js';
import type { InteractiveOptions } from './interactive-options.js';
import { ModelAgents } from './model-agents.js';

/** A session that is open; its screen, and its MCP servers, are not started yet. */
export type OpenedSession = {
  readonly chosen: ChosenSession;
  readonly atWork: SessionAtWork;
  readonly agents: ModelAgents;
  readonly port: AgentPort | null;
  /** Messages about it, until `print` shows them. */
  readonly messages: { readonly early: readonly string[]; print: (text: string) => unknown };
  readonly by: string;
};

/** Opens the session that the options choose. Nothing is left open if that fails. */
export async function openForTerminal(
  options: InteractiveOptions,
  journal: Journal,
  io: Io,
): Promise<OpenedSession> {
  const early: string[] = [];
  const messages: OpenedSession['messages'] = { early, print: (text) => early.push(text) };
  const chosen = await chooseSession(options, journal);
  const by = io.env['USER'] ?? 'terminal';
  const atWork = await openWithoutAgent({
    ...options,
    ...messageHandlers(io, (text) => messages.print(text)),
    ...chosen,
    frontEnd: 'terminal',
    journal,
    env: io.env,
    attended: 'somebody',
    modelFlag: options.model,
    startServers: 'later',
  });
  try {
    const agents = new ModelAgents(atWork, by);
    return { chosen, atWork, agents, port: await agents.choose(options.model), messages, by };
  } catch (thrown) {
    await atWork.leave('exit');
    throw thrown;
  }
}

/** Opens the session that follows the one on the screen, which stays as it is until the next one is open. */
export class NextOpener {
  readonly #currentId: string;
  readonly #open: (next: NextSession) => Promise<OpenedSession>;
  #opening: Promise<OpenedSession> | null = null;

  constructor(currentId: string, open: (next: NextSession) => Promise<OpenedSession>) {
    this.#currentId = currentId;
    this.#open = open;
  }

  /** Null if it is open; else the reason why not. */
  async open(next: NextSession): Promise<string | null> {
    if (this.#opening !== null) return 'Another session is being opened.';
    if (next.type === 'resume' && next.sessionId === this.#currentId)
      return `This is the session ${next.sessionId} already.`;
    try {
      this.#opening = this.#open(next);
      await this.#opening;
      return null;
    } catch (thrown) {
      this.#opening = null;
      if (thrown instanceof CommandFailure) return failureText(thrown.failure);
      throw thrown;
    }
  }

  /** The session that was opened; null if there is none. */
  async opened(): Promise<OpenedSession | null> {
    return this.#opening?.catch(() => null) ?? null;
  }
}
