import type { ApprovalSummary } from './operations.js';

/** What the stream of the inbox tells. */
export type InboxChange =
  | { readonly type: 'approval.asked'; readonly approval: ApprovalSummary }
  | {
      readonly type: 'approval.gone';
      readonly sessionId: string;
      readonly callId: string;
      /** Null: nobody answered; it was cancelled, changed or denied meanwhile. */
      readonly answer: { readonly by: string; readonly outcome: string; readonly at: number } | null;
    }
  | { readonly type: 'session.changed'; readonly sessionId: string }
  | { readonly type: 'session.deleted'; readonly sessionId: string };
