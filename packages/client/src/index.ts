/**
 * What every front end needs of a session, without Node, so that the page can import it too.
 *
 * What enters: the events of a session. What leaves: the transcript, and the sentences for decisions and notices.
 *
 * What holds: there is one fold for all front ends; it depends on the events alone, so that each shows the same.
 */
export { type ApprovalChannel, updateChannel } from './approval-channel.js';
export { decisionText, durationText } from './decision-text.js';
export { DECISIONS, factText, momentOf } from './fact-text.js';
export { FollowedSession, followSession } from './follow-session.js';
export { leftText } from './left-text.js';
export { noticeText } from './notice-text.js';
export { isWaiting, OpenQuestions, type QuestionChange } from './open-questions.js';
export type { SessionClient } from './session-client.js';
export { SessionEvents, type SessionListener } from './session-events.js';
export { SessionFold } from './session-fold.js';
export {
  type CallItem,
  type Notice,
  type NoticeItem,
  Transcript,
  type TranscriptItem,
  type UserItem,
  type WordsItem,
} from './transcript.js';
