import { ToolFailure } from '@countersign/protocol';
import { configuredSearch, type GeminiGrounding, type WebSearch } from '@countersign/tools';
import { keyPlaces } from '../settings/model-keys.js';
import type { Settings } from '../settings/settings.js';

/** Google's alias for its latest fast model, which is enough for a search. */
const SEARCHING_MODEL = 'gemini-flash-latest';

/** The user's SearXNG server, or else Gemini if there is a key for it; null if there is neither. */
export async function webSearch(settings: Settings, env: NodeJS.ProcessEnv): Promise<WebSearch | null> {
  const searxng = settings.get('searxngUrl').value;
  const apiKey = await geminiKey(settings, env);
  const base = env['GOOGLE_GEMINI_BASE_URL'] || 'https://generativelanguage.googleapis.com';
  return configuredSearch({
    searxng: searxng === null ? null : new URL(searxng),
    gemini: apiKey && URL.canParse(base) ? { base: new URL(base), apiKey, model: SEARCHING_MODEL } : null,
  });
}

/** The models package is loaded only if the key is not in a variable, since most commands do not need it. */
async function geminiKey(
  settings: Settings,
  env: NodeJS.ProcessEnv,
): Promise<GeminiGrounding['apiKey'] | null> {
  const inVariable = env['GEMINI_API_KEY'] || env['GOOGLE_API_KEY'];
  if (inVariable) return inVariable;
  const places = keyPlaces(settings, env);
  const isInFile = Boolean(places.files?.gemini);
  if (!isInFile && !places.keyring?.providers.includes('gemini')) return null;
  const { keyOf } = await import('@countersign/models');
  const read = async (signal: AbortSignal) => (await keyOf('gemini', places, signal)) ?? NO_KEY;
  if (isInFile) {
    const key = await read(new AbortController().signal);
    return key.ok ? key.credential.value : null;
  }
  // The keyring is read only when a search runs.
  return async (signal) => {
    const key = await read(signal);
    if (key.ok) return key.credential.value;
    throw new ToolFailure({ code: 'model_not_configured', problem: key.problem, fix: key.fix });
  };
}

const NO_KEY = {
  ok: false,
  problem: 'No key for gemini is configured.',
  fix: 'Set GEMINI_API_KEY.',
} as const;
