import type { Part } from '@countersign/models';

type Words = Part & { readonly text: string };

const isWords = (part: Part): part is Words => typeof part['text'] === 'string' && part['thought'] !== true;

/** What was said aloud. */
export const wordsIn = (parts: readonly Part[]): string =>
  parts
    .filter(isWords)
    .map(({ text }) => text)
    .join('\n');

/** With other words, where the first of them stood. Calls, results and thoughts stay as they are. */
export function withWords(parts: readonly Part[], words: string): readonly Part[] {
  const at = parts.findIndex(isWords);
  const rest = parts.filter((part) => !isWords(part));
  const place = at === -1 ? rest.length : at;
  return [...rest.slice(0, place), ...(words === '' ? [] : [{ text: words }]), ...rest.slice(place)];
}
