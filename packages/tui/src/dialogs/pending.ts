import type { AnswerPayload, CallRequest, JsonObject, Outcome } from '@countersign/protocol';
import type { Asked } from './question-drawing.js';

/** A question that waits for this person, here or in another session. */
export type Pending = Asked & {
  /** The same as long as the same is asked. */
  readonly key: string;
  readonly request: Pick<CallRequest, 'callId' | 'name' | 'args'>;
  /** The other session it waits in; null for the one on the screen. */
  readonly where: string | null;
};

/** Its place in the queue. */
export type QueuePlace = {
  /** Counted from 1. */
  readonly number: number;
  readonly count: number;
  /** Whether each of them was on the screen as a whole. */
  readonly isAllSeen: boolean;
};

/** The actions on questions. Each resolves to null, or to the reason why it failed. */
export type QuestionActions = {
  readonly answer: (pending: Pending, outcome: Outcome, payload?: AnswerPayload) => Promise<string | null>;
  readonly modify: (pending: Pending, args: JsonObject) => Promise<string | null>;
  readonly editInEditor: (pending: Pending) => Promise<string | null>;
  readonly agreeToAll: () => Promise<string | null>;
  /** To the next one, or the one before. */
  readonly onTurn: (by: 1 | -1) => void;
  readonly onSeen: (key: string) => void;
  /** Leaves the question open, for another client to answer. */
  readonly onLeave: (pending: Pending) => void;
};

/** What every dialog about a question receives. */
export type DialogProps = {
  readonly pending: Pending;
  readonly place: QueuePlace;
  readonly rowsMax: number;
  readonly actions: QuestionActions;
};
