import type { CommandUnit } from '@countersign/protocol';
import { firstOutside } from './continuation.js';
import { lookedAtFor } from './looked-at.js';
import { allowedForms, wordsAreAllowed } from './match-words.js';

/**
 * What of a command that begins with these words is outside of what a grant for
 * them covers: its text, or null if all of it is inside. undefined: it does not
 * begin with them.
 *
 * Grants for other beginnings were made by earlier versions, for whatever
 * follows. Nobody has looked at that, so that they cover the words alone.
 */
export function outsideOf(beginning: readonly string[], unit: CommandUnit): string | null | undefined {
  const form = allowedForms(unit.words).find((words) => wordsAreAllowed(beginning, words, 'prefix'));
  if (form === undefined) return undefined;
  const following = form.slice(beginning.length);
  const looked = lookedAtFor(beginning);
  const outside = looked === null ? following[0] : firstOutside(looked, following);
  return outside?.source ?? null;
}
