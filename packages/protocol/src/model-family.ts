/** Which descriptions and schemas of tools a model is given. */
export const MODEL_FAMILIES = ['gemini-3', 'default-legacy', 'openai', 'anthropic'] as const;
export type ModelFamily = (typeof MODEL_FAMILIES)[number];

/** By its name, with or without its maker's before it. Models that we have no word for get the words written for all. */
export function familyOf(model: string): ModelFamily {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  // Google's rolling names point to its newest generation.
  if (/^gemini-([3-9]|\d\d|(flash|flash-lite|pro)-latest)/.test(name)) return 'gemini-3';
  if (name.startsWith('claude-')) return 'anthropic';
  if (/^(gpt-|chatgpt-|codex-|o\d(-|$))/.test(name)) return 'openai';
  return 'default-legacy';
}
