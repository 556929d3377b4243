export { type AnthropicOptions, anthropicProvider } from './anthropic-provider.js';
