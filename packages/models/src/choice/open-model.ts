import type { GeminiProvider } from '../gemini/index.js';
import { factsOf } from '../models-known.js';
import type { Provider } from '../provider.js';
import type { ModelChoice } from './choose-model.js';

/** The provider of a choice. Only the wire that is spoken is loaded. */
export async function openModel(choice: ModelChoice): Promise<Provider | GeminiProvider> {
  const { baseUrl, credential } = choice;
  switch (choice.provider) {
    case 'gemini': {
      const { geminiProvider } = await import('../gemini/index.js');
      return geminiProvider({ baseUrl, credential });
    }
    case 'anthropic': {
      const { anthropicProvider } = await import('../anthropic/anthropic-provider.js');
      const maxOutputTokens = (model: string) => factsOf(model).outputTokensMax;
      return anthropicProvider({ name: 'Anthropic', baseUrl, credential, maxOutputTokens });
    }
    case 'openai':
    case 'ollama': {
      const { openAiProvider } = await import('../openai/openai-provider.js');
      const name = choice.provider === 'ollama' ? 'Ollama' : nameOf(baseUrl);
      return openAiProvider({ name, baseUrl, credential });
    }
  }
}

/** A server that merely supports OpenAI's protocol is called by its address. */
function nameOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return 'The model server';
  const { host } = new URL(baseUrl);
  return host === 'api.openai.com' ? 'OpenAI' : host;
}
