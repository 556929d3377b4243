import { type GeminiGrounding, geminiGrounding } from './gemini-grounding.js';
import { searxng } from './searxng.js';
import type { WebSearch } from './web-search.js';

export type SearchSettings = {
  /** The user's own instance; preferred, since the user set it up on purpose. */
  readonly searxng: URL | null;
  readonly gemini: GeminiGrounding | null;
};

/** The service to search with; null where none is configured, and then there is no tool. */
export function configuredSearch(settings: SearchSettings): WebSearch | null {
  if (settings.searxng !== null) return searxng(settings.searxng);
  return settings.gemini && geminiGrounding(settings.gemini);
}
