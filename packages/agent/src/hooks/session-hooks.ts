import type { SessionEvents } from '@countersign/client';
import type { HookPayloads, HookReport } from '@countersign/hooks';
import type { AwaitingCall, JsonObject } from '@countersign/protocol';
import type { AgentHookEvent, AgentHooks } from './agent-hooks.js';

/** Closing does not wait for hooks that run at the end of a session. */
const SESSION_END_MS = 2_000;

export type StartSource = HookPayloads['SessionStart']['source'];
export type EndReason = HookPayloads['SessionEnd']['reason'];

/** Runs the hooks of a session, whether or not a model works on it: it begins, ends, or waits for the user. */
export class SessionHooks {
  readonly #hooks: AgentHooks;
  readonly #stop = new AbortController();
  readonly #notifying = new Set<Promise<unknown>>();
  #notify: (text: string) => void = () => {};
  #starting: Promise<void> | null = null;
  #context: string | null = null;

  constructor(hooks: AgentHooks) {
    this.#hooks = hooks;
  }

  /** To be called once, when the session is open. `notify` receives messages of hooks for the user, until the end. */
  start(source: StartSource, notify: (text: string) => void, signal?: AbortSignal): Promise<void> {
    this.#notify = notify;
    this.#starting ??= this.#start(source, signal);
    return this.#starting;
  }

  /** Until the hooks for the start have ended. */
  async started(): Promise<void> {
    await this.#starting;
  }

  /** What hooks for the start want the model to know; returned once. */
  takeContext(): string | null {
    const context = this.#context;
    this.#context = null;
    return context;
  }

  /** Lets hooks know of every question, those that are already open included. */
  follow(events: SessionEvents): void {
    if (!this.#hooks.listens('Notification')) return;
    events.subscribe({
      onQuestion: (change) => {
        if (change.type !== 'gone') this.asked(change.call);
      },
    });
    for (const call of events.waiting) this.asked(call);
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
    const running = this.#run('Notification', payload, this.#stop.signal);
    this.#notifying.add(running);
    const over = () => this.#notifying.delete(running);
    running.then(over, over);
  }

  /** Returns the message of hooks for the user. A session whose start no hook saw has no end for them either. */
  async end(reason: EndReason): Promise<string | null> {
    const notified = this.#endNotifying();
    await this.#starting;
    const report =
      this.#starting !== null && this.#hooks.listens('SessionEnd')
        ? await this.#hooks.run('SessionEnd', { reason }, AbortSignal.timeout(SESSION_END_MS))
        : null;
    await notified;
    return report?.systemMessage ?? null;
  }

  async #start(source: StartSource, signal: AbortSignal | undefined): Promise<void> {
    if (!this.#hooks.listens('SessionStart')) return;
    const stop = signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal;
    const { additionalContext } = await this.#run('SessionStart', { source }, stop);
    this.#context = additionalContext;
  }

  async #run<E extends AgentHookEvent>(
    event: E,
    payload: HookPayloads[E],
    signal: AbortSignal,
  ): Promise<HookReport> {
    const report = await this.#hooks.run(event, payload, signal);
    if (report.systemMessage !== null) this.#notify(report.systemMessage);
    return report;
  }

  async #endNotifying(): Promise<void> {
    const timer = setTimeout(() => this.#stop.abort(), SESSION_END_MS);
    await Promise.allSettled([...this.#notifying, this.#starting]);
    clearTimeout(timer);
  }
}
