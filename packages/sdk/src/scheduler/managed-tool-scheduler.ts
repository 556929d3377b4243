import type { CompletedToolCall, ToolCallRequestInfo } from '../types/call-types.js';
import { Scheduler } from './core-tool-scheduler.js';
import type { CoreToolSchedulerOptions } from './options.js';

const TIMEOUT_MS = 30_000;

/**
 * A scheduler with a time limit over everything, waiting for people included.
 *
 * @example
 * ```ts
 * const managed = new ManagedToolScheduler({ toolRegistry: registry, config });
 * await managed.scheduleWithTimeout({ callId: 'a', name: 'read_file', args: { file_path: 'a.txt' } }, 10_000);
 * await managed.dispose();
 * ```
 */
export class ManagedToolScheduler {
  readonly #scheduler: Scheduler;

  constructor(options: CoreToolSchedulerOptions) {
    this.#scheduler = new Scheduler({ ...options, resolveWhen: 'completed' });
  }

  /** Run a batch; what is not over after `timeoutMs` is cancelled, and the calls come back as far as they got. */
  async scheduleWithTimeout(
    request: ToolCallRequestInfo | readonly ToolCallRequestInfo[],
    timeoutMs = TIMEOUT_MS,
  ): Promise<CompletedToolCall[]> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), timeoutMs);
    try {
      return await this.#scheduler.schedule(request, abort.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  dispose(): Promise<void> {
    return this.#scheduler.dispose();
  }
}
