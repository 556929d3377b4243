import type { Why } from './hidden-characters.js';
import type { Found } from './visible-text.js';

/** The description of each kind; null for what is shown as a code and is no reason to worry. */
const WORDS: { readonly [why in Why]: string | null } = {
  control: 'control characters, which could rewrite the screen',
  direction: 'characters that change the text direction',
  invisible: 'invisible characters',
  blank: 'characters that look like a space',
  unknown: 'characters without a known appearance',
  'line ending': null,
  pile: 'marks that could cover other text',
  'look-alike': 'letters that look like others',
  name: 'letters beyond ASCII in a name or host',
  reordering: 'right-to-left text around symbols, which would be displayed in another order',
};

const CODES_NAMED_MAX = 3;

/** Collects what is shown as codes, and says it in a sentence for each kind. */
export class Warnings {
  readonly #found = new Map<Why, Map<string, number>>();

  readonly found: Found = (character, why) => {
    const counts = this.#found.get(why) ?? new Map<string, number>();
    this.#found.set(why, counts.set(character, (counts.get(character) ?? 0) + 1));
  };

  /** For what repeats the same text, such as a title: only what was not seen before counts, and a line break does not. */
  readonly foundAgain: Found = (character, why) => {
    const isKnown = [...this.#found.values()].some((counts) => counts.has(character));
    if (!isKnown && character !== '\n' && character !== '\t') this.found(character, why);
  };

  get sentences(): readonly string[] {
    return [...this.#found].flatMap(([why, counts]) => {
      const words = WORDS[why];
      return words === null ? [] : [`shown as codes: ${words} (${countsText(counts)})`];
    });
  }
}

function countsText(counts: ReadonlyMap<string, number>): string {
  const named = [...counts].slice(0, CODES_NAMED_MAX).map(([character, count]) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return count === 1 ? `U+${code}` : `U+${code}×${count}`;
  });
  const more = counts.size - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}
