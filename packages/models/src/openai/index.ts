export { type OpenAiOptions, openAiProvider } from './openai-provider.js';
