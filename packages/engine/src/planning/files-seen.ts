import type { Session } from '@countersign/kernel';
import type { Event } from '@countersign/protocol';

/** More files than a session reads. Beyond it the oldest are forgotten, which only adds a needless note to a question. */
const FILES_MAX = 10_000;

/** The files that a session has read or written: a question about a change of another one notes that it was not read. */
export class FilesSeen {
  readonly #paths = new Set<string>();

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  forget(): void {
    this.#paths.clear();
  }

  observe(event: Event, session: Session): void {
    if (event.type !== 'call.succeeded') return;
    const call = session.calls.get(event.callId);
    if (call?.status !== 'success') return;
    for (const resource of call.plan.resources) {
      if (!('path' in resource) || resource.scope !== 'file' || this.#paths.has(resource.path)) continue;
      this.#paths.add(resource.path);
      if (this.#paths.size > FILES_MAX) this.#forgetOldest();
    }
  }

  #forgetOldest(): void {
    for (const path of this.#paths) {
      this.#paths.delete(path);
      return;
    }
  }
}
