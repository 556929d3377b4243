import type { AwaitingCall } from '@countersign/protocol';
import type { QuestionChange } from './open-questions.js';

/**
 * A way to put questions to a person. The answer is a command that the channel, or anything else, sends to the
 * session: nothing waits for a channel, and a question may be answered elsewhere at any time.
 */
export interface ApprovalChannel {
  /** Show the question. Before another one about the same call is offered, this one is withdrawn. */
  offer(call: AwaitingCall): void;
  /** An answer is no longer accepted. `by`: the person or hook that answered or replaced it, if any. */
  withdraw(callId: string, by: string | null): void;
}

/** Passes a change of a question to a channel. */
export function updateChannel(channel: ApprovalChannel, change: QuestionChange): void {
  if (change.type === 'gone') return channel.withdraw(change.callId, change.by);
  if (change.type === 'changed') channel.withdraw(change.call.request.callId, null);
  channel.offer(change.call);
}
