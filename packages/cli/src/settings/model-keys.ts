import type { KeyFiles, KeyPlaces, ModelPreferences } from '@countersign/models';
import { realPathOf } from '../options/places.js';
import type { Settings } from './settings.js';

/** Which model to use, from the command line, the settings and the environment. */
export const modelPreferences = (
  settings: Settings,
  flag: string | undefined,
  environment: NodeJS.ProcessEnv,
): ModelPreferences => ({ flag: flag ?? null, settings: modelSettings(settings), environment });

const modelSettings = (settings: Settings): ModelPreferences['settings'] => ({
  model: settings.get('model').value,
  keyFiles: keyFilesOf(settings),
  keyring: { providers: settings.get('apiKeysInKeyring').value },
});

/** Where keys may come from, for code that needs a key and no model. */
export function keyPlaces(settings: Settings, environment: NodeJS.ProcessEnv): KeyPlaces {
  const { keyFiles: files, keyring } = modelSettings(settings);
  return { environment, files, keyring };
}

const keyFilesOf = (settings: Settings): KeyFiles => ({
  gemini: settings.get('geminiApiKeyFile').value,
  anthropic: settings.get('anthropicApiKeyFile').value,
  openai: settings.get('openaiApiKeyFile').value,
});

/** The key files by their given and their real paths: no tool or command may read them. */
export function keyPathsOf(settings: Settings): readonly string[] {
  const named = Object.values(keyFilesOf(settings)).filter((path) => path !== null && path !== undefined);
  return [...new Set(named.flatMap((path) => [path, realPathOf(path) ?? path]))];
}
