import { visibleLine } from '@countersign/display';
import type { Fact, Live, ToolCall } from '@countersign/protocol';

/** Clients give up on a request that is silent; the shortest common timeout is a minute. */
const REPORT_EVERY_MS = 5_000;
/** The protocol wants the number to grow each time; so little that a tool's own count soon overtakes it. */
const STEP = 0.001;

export type ProgressNote = {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
};

/** Reports the progress of a call to its client: on every change, and periodically without one. */
export class CallProgress {
  readonly #report: (note: ProgressNote) => void;
  readonly #sessionId: string;
  readonly #timer: NodeJS.Timeout;
  #callId: string | null = null;
  #message = 'Accepted.';
  #reported = 0;

  constructor(sessionId: string, report: (note: ProgressNote) => void) {
    this.#sessionId = sessionId;
    this.#report = report;
    this.#timer = setInterval(() => this.#step(), REPORT_EVERY_MS);
  }

  /** Which call it is about; nothing is reported before that is known. */
  follow(callId: string): void {
    this.#callId = callId;
  }

  onFact({ call }: Fact): void {
    if (!call || this.#callId === null) return;
    const { callId, within, followUp } = call.request;
    if (![callId, within, followUp?.callId].includes(this.#callId)) return;
    const message = this.#messageFor(call);
    if (message === null || message === this.#message) return;
    this.#message = message;
    this.#step();
  }

  /** The progress that a running tool reports. */
  onLive({ callId, progress }: Live): void {
    if (!progress || callId !== this.#callId) return;
    const { done, total, message } = progress;
    if (message !== undefined) this.#message = message;
    if (done <= this.#reported && this.#reported > 0) return this.#step();
    this.#reported = done;
    this.#report({
      progress: done,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    });
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #step(): void {
    this.#reported += STEP;
    this.#report({ progress: this.#reported, message: this.#message });
  }

  /** Null if there is nothing to report. */
  #messageFor(call: ToolCall): string | null {
    switch (call.status) {
      case 'awaiting_approval': {
        const id = `${this.#sessionId}/${call.request.callId}`;
        return `Waiting for approval of ${id}: ${visibleLine(call.plan.title)}`;
      }
      case 'executing':
        return 'Running.';
      case 'validating':
      case 'scheduled':
      case 'success':
      case 'error':
      case 'cancelled':
        return null;
    }
  }
}
