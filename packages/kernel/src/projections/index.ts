export { columnsOf } from './columns.js';
export { type Content, Conversation, MASKED_CHARS_MIN, resultText, type WhereKept } from './conversation.js';
export { decisionText, durationText } from './decision-text.js';
export { type Block, type Display, displayOf } from './display.js';
export { type Excerpt, excerptOf, firstRows, shareRows } from './excerpt.js';
export { commandEnd, convertToFunctionResponse, errorResponse, resultOf } from './function-response.js';
export type { FunctionResponsePart, Part, PartListUnion, PartUnion } from './gemini-part.js';
export { noticeText } from './notice-text.js';
export { type DiffRow, readDiff } from './read-diff.js';
export type { Row } from './rows.js';
export { shellWord } from './shell-word.js';
export {
  type CallItem,
  type Notice,
  type NoticeItem,
  Transcript,
  type TranscriptItem,
  type UserItem,
  type WordsItem,
} from './transcript.js';
export { type Line, lineOf, type Span, textOf, visible, visibleJson, visibleLine } from './visible-text.js';
