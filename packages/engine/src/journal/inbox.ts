import type { Ack, Command } from '@countersign/protocol';

export type InboxItem = { readonly inboxId: number; readonly command: Command };

/** Commands for the owner of a session. They are consumed by the append that carries the facts they led to. */
export interface JournalInbox {
  /**
   * Leave a command for the owner of a session. It has an effect only while its sender lives and can receive the result.
   * Throws unknown_session.
   */
  post(sessionId: string, command: Command): Promise<number>;
  /** Commands left and not yet consumed, oldest first. */
  inbox(sessionId: string): Promise<readonly InboxItem[]>;
  /** The result of a posted command; null while it has not been consumed. */
  outcomeOf(inboxId: number): Promise<Ack | null>;
  /** Take a posted command back. False if it was consumed already. */
  withdraw(inboxId: number): Promise<boolean>;
}
