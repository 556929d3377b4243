import type { AwaitingCall, JsonObject } from '@countersign/protocol';
import type { AgentHooks } from './agent-hooks.js';

/** Lets hooks know that something waits for a person. Nobody waits for them, but who leaves gives them a moment. */
export class Notifications {
  readonly #hooks: AgentHooks;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(hooks: AgentHooks) {
    this.#hooks = hooks;
  }

  asked({ request, plan, question }: AwaitingCall): void {
    if (!this.#hooks.listens('Notification')) return;
    const { name: tool_name } = request;
    const payload = {
      notification_type: 'ToolPermission' as const,
      message: `${tool_name} waits for approval: ${plan.title}`,
      details: { ...(JSON.parse(JSON.stringify(question.confirmation)) as JsonObject), tool_name },
    };
    const running = this.#hooks.run('Notification', payload, this.#stop.signal);
    this.#running.add(running);
    const over = () => this.#running.delete(running);
    running.then(over, over);
  }

  async end(withinMs: number): Promise<void> {
    if (this.#running.size === 0) return;
    const timer = setTimeout(() => this.#stop.abort(), withinMs);
    await Promise.allSettled(this.#running);
    clearTimeout(timer);
  }
}
