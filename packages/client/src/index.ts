export { decisionText, durationText } from './decision-text.js';
export { noticeText } from './notice-text.js';
export {
  type CallItem,
  type Notice,
  type NoticeItem,
  Transcript,
  type TranscriptItem,
  type UserItem,
  type WordsItem,
} from './transcript.js';
