import { realpathSync } from 'node:fs';
import type { KeyFiles } from '@countersign/models';
import type { Settings } from './settings.js';

/** Where the keys of providers are, as far as they are in files. */
export const keyFilesOf = (settings: Settings): KeyFiles => ({
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
