import type { HookPayloads } from '@countersign/hooks';
import type { AwaitingCall, JsonObject } from '@countersign/protocol';
import type { AgentHooks } from './agent-hooks.js';

/** Closing does not wait for hooks that run at the end of a session. */
const SESSION_END_MS = 2_000;

/** Lets hooks know that a session begins, ends, or waits for a person. */
export class SessionHooks {
  readonly #hooks: AgentHooks;
  readonly #stop = new AbortController();
  readonly #notifying = new Set<Promise<unknown>>();

  constructor(hooks: AgentHooks) {
    this.#hooks = hooks;
  }

  /** Gives what the model is to know from the beginning. */
  async start(source: HookPayloads['SessionStart']['source'], signal: AbortSignal): Promise<string | null> {
    if (!this.#hooks.listens('SessionStart')) return null;
    const { additionalContext } = await this.#hooks.run('SessionStart', { source }, signal);
    return additionalContext;
  }

  /** Not awaited, but closing gives them a moment. */
  asked({ request, plan, question }: AwaitingCall): void {
    if (!this.#hooks.listens('Notification')) return;
    const { name: tool_name } = request;
    const payload = {
      notification_type: 'ToolPermission' as const,
      message: `${tool_name} waits for approval: ${plan.title}`,
      details: { ...(JSON.parse(JSON.stringify(question.confirmation)) as JsonObject), tool_name },
    };
    const running = this.#hooks.run('Notification', payload, this.#stop.signal);
    this.#notifying.add(running);
    const over = () => this.#notifying.delete(running);
    running.then(over, over);
  }

  /** Gives what hooks still have to say. */
  async end(reason: HookPayloads['SessionEnd']['reason']): Promise<string | null> {
    const notified = this.#endNotifying();
    const report = this.#hooks.listens('SessionEnd')
      ? await this.#hooks.run('SessionEnd', { reason }, AbortSignal.timeout(SESSION_END_MS))
      : null;
    await notified;
    return report?.systemMessage ?? null;
  }

  async #endNotifying(): Promise<void> {
    if (this.#notifying.size === 0) return;
    const timer = setTimeout(() => this.#stop.abort(), SESSION_END_MS);
    await Promise.allSettled(this.#notifying);
    clearTimeout(timer);
  }
}
