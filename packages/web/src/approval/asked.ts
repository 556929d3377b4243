import type { AnswerPayload, JsonObject, Outcome, Question, Verdict } from '@countersign/protocol';

/** A question with all that is known of its call. */
export type Asked = {
  readonly sessionId: string;
  readonly callId: string;
  readonly tool: string;
  readonly title: string;
  readonly question: Question;
  readonly verdict: Verdict;
  /** null as long as they are not known here: then they cannot be changed. */
  readonly args: JsonObject | null;
  /** Whether this server serves its folder; elsewhere it is answered once, and as it is asked. */
  readonly served: boolean;
};

export type Answering = (outcome: Outcome, payload?: AnswerPayload) => void;
