import { type GeminiGrounding, geminiGrounding } from './gemini-grounding.js';
import { searxng } from './searxng.js';
import type { WebSearch } from './web-search.js';

export type SearchSettings = {
  /** The user's own instance; preferred, since the user set it up on purpose. */
  readonly searxng: URL | null;
  readonly gemini: GeminiGrounding | null;
};

/** Google's alias for its latest fast model, which is enough for a search. */
const SEARCHING_MODEL = 'gemini-flash-latest';

/** Gemini with this key, at the address that the environment names; null if that is no address. */
export function geminiSearch(
  apiKey: GeminiGrounding['apiKey'],
  env: { readonly [name: string]: string | undefined },
): GeminiGrounding | null {
  const base = env['GOOGLE_GEMINI_BASE_URL'] || 'https://generativelanguage.googleapis.com';
  return URL.canParse(base) ? { base: new URL(base), apiKey, model: SEARCHING_MODEL } : null;
}

/** The service to search with; null where none is configured, and then there is no tool. */
export function configuredSearch(settings: SearchSettings): WebSearch | null {
  if (settings.searxng !== null) return searxng(settings.searxng);
  return settings.gemini && geminiGrounding(settings.gemini);
}
