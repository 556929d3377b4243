export { GeminiAnswer } from './answer.js';
export {
  type Completion,
  type GeminiOptions,
  type GeminiProvider,
  geminiProvider,
} from './gemini-provider.js';
