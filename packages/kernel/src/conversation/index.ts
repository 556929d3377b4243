export { shellWord } from '../policy/shell-word.js';
export { type Content, Conversation, MASKED_CHARS_MIN, resultText, type WhereKept } from './conversation.js';
export { commandEnd, convertToFunctionResponse, errorResponse, resultOf } from './function-response.js';
export type { FunctionResponsePart, Part, PartListUnion, PartUnion } from './gemini-part.js';
export { isUserPart } from './user-part.js';
