import { realpathSync } from 'node:fs';
import type { KeyFiles, KeyPlaces, ModelPreferences } from '@countersign/models';
import type { Settings } from './settings.js';

/** What the settings say of the model to ask, and of where keys are. */
export const modelSettings = (settings: Settings): ModelPreferences['settings'] => ({
  model: settings.get('model').value,
  keyFiles: keyFilesOf(settings),
  keyring: { providers: settings.get('apiKeysInKeyring').value },
});

/** Where keys may come from, for what needs a key and no model. */
export function keyPlaces(settings: Settings, environment: NodeJS.ProcessEnv): KeyPlaces {
  const { keyFiles: files, keyring } = modelSettings(settings);
  return { environment, files, keyring };
}

const keyFilesOf = (settings: Settings): KeyFiles => ({
  gemini: settings.get('geminiApiKeyFile').value,
  anthropic: settings.get('anthropicApiKeyFile').value,
  openai: settings.get('openaiApiKeyFile').value,
});

/** The paths themselves, by all their names: nothing for a tool or a command to look at. */
export function keyPathsOf(settings: Settings): readonly string[] {
  const named = Object.values(keyFilesOf(settings)).filter((path) => path !== null && path !== undefined);
  return [...new Set(named.flatMap((path) => [path, realPathOf(path)]))];
}

/** Itself where there is no such file. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
