import { type Agent, notingWork, type Spending, spentSince } from '@countersign/agent';
import { explain } from '@countersign/protocol';
import type { AgentPort, AgentStream } from '@countersign/react';
import type { ModelAgent, SessionAtWork } from '../compose/compose-agent.js';
import { CommandFailure } from '../io/failure-text.js';

/** The agent that responds to prompts; there may be none, and it may be replaced. */
export class ModelAgents {
  readonly #atWork: SessionAtWork;
  readonly #by: string;
  #current: ModelAgent | null = null;
  /** Usage by earlier agents. */
  readonly #earlier: Spending[] = [];
  /** Why no model responds, in one line. */
  #noModelReason = '';

  constructor(atWork: SessionAtWork, by: string) {
    this.#atWork = atWork;
    this.#by = by;
  }

  get model(): string | null {
    return this.#current?.model ?? null;
  }

  get noModelReason(): string {
    return this.#noModelReason;
  }

  /** Usage of all agents together; dollars only if all prices are known. */
  get spending(): { readonly tokens: number; readonly dollars: number | null } {
    const current = this.#current?.agent.spent ?? this.#atWork.live.spentBefore;
    const all = [current, ...this.#earlier];
    const dollars = all.some(({ cost }) => cost === null)
      ? null
      : all.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
    return { tokens: all.reduce((sum, each) => sum + each.inputTokens + each.outputTokens, 0), dollars };
  }

  /** Null if no model is set up; then why is in `noModelReason`. Other failures are thrown. */
  async choose(modelFlag: string | undefined): Promise<AgentPort | null> {
    try {
      const next = await this.#atWork.agentFor(modelFlag);
      if (this.#current)
        this.#earlier.push(spentSince(this.#atWork.live.spentBefore, this.#current.agent.spent));
      this.#current = next;
      return this.#portOf(next.agent);
    } catch (thrown) {
      if (!(thrown instanceof CommandFailure) || thrown.failure.code !== 'model_not_configured') throw thrown;
      const { message, hint } = explain(thrown.failure);
      this.#noModelReason = `${message} ${hint}`.replaceAll('\n', ' ');
      return null;
    }
  }

  async compact(stream: AgentStream): Promise<string> {
    const agent = this.#current?.agent;
    if (!agent) return this.#noModelReason;
    if (stream.isWorking) return 'The model is working; stop it first, or wait.';
    let why = 'No summary was created.';
    for await (const event of agent.compact(new AbortController().signal)) {
      if (event.type === 'notice') why = event.value;
      if (event.type === 'chat_compressed')
        return `About ${event.value.originalTokenCount.toLocaleString('en')} tokens became ${event.value.newTokenCount.toLocaleString('en')}.`;
    }
    return why;
  }

  #portOf(agent: Agent): AgentPort {
    const { session } = this.#atWork.live;
    const options = (signal: AbortSignal) => ({ signal, by: this.#by, promptId: this.#promptId() });
    return {
      prompt: (words, typed, signal) => {
        const parts = typeof words === 'string' ? [{ text: words }] : words;
        return notingWork(session, agent.prompt(parts, { ...options(signal), typed }));
      },
      goOn: (signal) => notingWork(session, agent.goOn(options(signal))),
    };
  }

  #promptId(): string {
    const { session, conversation } = this.#atWork.live;
    return `${session.sessionId}#${conversation.messages.length + 1}`;
  }
}
