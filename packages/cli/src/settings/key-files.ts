import { realpathSync } from 'node:fs';
import type { KeyFiles } from '@countersign/models';
import { classify } from '@countersign/tools';
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

/** As `classify`, and a key file is protected wherever it is and whatever it is called. */
export const classifyWith =
  (keyPaths: readonly string[]): typeof classify =>
  (workspace, path) => {
    const { place, guarded } = classify(workspace, path);
    return { place, guarded: guarded ?? (keyPaths.includes(path) ? 'it holds the key of a model' : null) };
  };

/** Itself where there is no such file. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
