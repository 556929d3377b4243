import type { Command, ToolCall } from '@countersign/protocol';
import { JournalError } from '../journal/index.js';
import type { GrantBook } from '../notes/grant-book.js';
import type { JournalTroubles } from '../notes/journal-troubles.js';
import type { Lifetime } from './lifetime.js';
import { type Mail, report } from './mail.js';
import type { OpenOptions } from './open-options.js';

export type OtherProcessesOptions = Pick<OpenOptions, 'journal' | 'sessionId' | 'workspace'> & {
  readonly troubles: JournalTroubles;
  readonly lifetime: Lifetime;
  readonly grants: GrantBook;
  readonly now: () => number;
  /** A command was left for us. */
  readonly accept: (command: Command, inboxId: number) => void;
  /** The grants are to be looked at, as part of the next drain. */
  readonly wake: () => void;
};

/** What others write to the store while the session is ours: commands left in its inbox, grants given and revoked. */
export class OtherProcesses {
  readonly #options: OtherProcessesOptions;
  readonly #taken = new Set<number>();
  #looking = false;
  #lookAgain = false;
  #grantsAreStale = false;
  #unwatch: (() => void) | null = null;

  constructor(options: OtherProcessesOptions) {
    this.#options = options;
  }

  /** Whether the store may know of other grants than we do. */
  get grantsAreStale(): boolean {
    return this.#grantsAreStale;
  }

  watch(): void {
    const { journal, sessionId } = this.#options;
    this.#unwatch = journal.watch(() => void this.#look(), { sessionId });
    void this.#look();
  }

  unwatch(): void {
    this.#unwatch?.();
  }

  /** These commands are not ours any more: answered and removed from the inbox, or to be taken again. */
  forget(inboxIds: readonly number[]): void {
    for (const inboxId of inboxIds) this.#taken.delete(inboxId);
  }

  /** These could not be answered, and are still in the inbox. */
  takeAgain(inboxIds: readonly number[]): void {
    this.forget(inboxIds);
    void this.#look();
  }

  /** Part of the drain, so that it never undoes what a commit beside it did. */
  async refreshGrants(open: readonly ToolCall[]): Promise<Mail | null> {
    const { journal, sessionId, workspace, grants, now } = this.#options;
    // Before looking, so that what changes meanwhile is looked at again; but a look that failed was none.
    this.#grantsAreStale = false;
    let grantIds: readonly string[] = [];
    try {
      grantIds = await this.revokedMeanwhile(open);
      grants.replace(await journal.grants({ sessionId, workspace }));
    } catch (thrown) {
      this.#grantsAreStale = true;
      throw thrown;
    }
    return grantIds.length > 0 ? report({ type: 'grants-gone', grantIds, at: now() }) : null;
  }

  /** Grants that calls about to start rely on, and that were revoked. */
  async revokedMeanwhile(open: readonly ToolCall[]): Promise<readonly string[]> {
    const relied = open.flatMap((call) =>
      call.status === 'scheduled' && call.permit.by.type === 'grant' ? [call.permit.by.grantId] : [],
    );
    return relied.length > 0 ? this.#options.journal.revoked(relied) : [];
  }

  /** Another process wrote to the store: take the commands in the inbox, and see whether grants were revoked. */
  async #look(): Promise<void> {
    const { lifetime, wake } = this.#options;
    this.#lookAgain = true;
    if (this.#looking) return;
    this.#looking = true;
    try {
      while (this.#lookAgain && !lifetime.refusal) {
        this.#lookAgain = false;
        this.#grantsAreStale = true;
        if (!(await this.#takeInbox())) await lifetime.pauseBeforeRetry();
      }
      wake();
    } finally {
      this.#looking = false;
    }
  }

  /** False if the journal could not be read: then it is worth looking again. */
  async #takeInbox(): Promise<boolean> {
    const { journal, sessionId, accept, troubles } = this.#options;
    try {
      for (const { inboxId, command } of await journal.inbox(sessionId)) {
        if (this.#taken.has(inboxId)) continue;
        this.#taken.add(inboxId);
        accept(command, inboxId);
      }
      troubles.works();
      return true;
    } catch (thrown) {
      if (!(thrown instanceof JournalError)) throw thrown;
      troubles.failed(thrown.failure);
      this.#lookAgain = true;
      return false;
    }
  }
}
