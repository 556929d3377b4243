import type { ApprovalSummary } from './operations.js';

/** A change that the stream of the inbox sends. */
export type InboxChange =
  | { readonly type: 'approval.asked'; readonly approval: ApprovalSummary }
  | {
      readonly type: 'approval.gone';
      readonly sessionId: string;
      readonly callId: string;
      /** Null: it was not answered, but cancelled, changed or denied in the meantime. */
      readonly answer: { readonly by: string; readonly outcome: string; readonly at: number } | null;
    }
  | { readonly type: 'session.changed'; readonly sessionId: string }
  | { readonly type: 'session.deleted'; readonly sessionId: string };
