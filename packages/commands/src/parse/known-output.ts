import type { WordPart } from './bash.js';

/**
 * What `$(cat <<'EOF' … EOF)` gives: the way in which models write messages
 * of several lines. null for every other substitution.
 */
export function knownOutput(part: WordPart): string | null {
  if (part.type !== 'CommandExpansion' || !part.text.startsWith('$(cat <<')) return null;
  const { script } = part;
  const [statement, ...others] = script?.commands ?? [];
  if (statement === undefined || others.length > 0 || script?.errors?.length) return null;
  const { command } = statement;
  if (command.type !== 'Command' || command.name?.text !== 'cat' || command.prefix.length > 0) return null;
  const [document, ...more] = command.suffix;
  if (document?.type !== 'HereDoc' || more.length > 0) return null;
  if (document.operator !== '<<' || !document.delimiter?.quoted || document.closing === undefined)
    return null;
  return document.body.text.replace(/\n+$/, '');
}

/** Whether `cat` means the program everywhere in a text: nothing in it could give the name another meaning. */
export const catIsPlain = (text: string): boolean =>
  !/(?:cat|['"\\])\s*\(\s*\)|\b(?:function|alias|hash|enable|eval|PATH)\b/.test(text);
