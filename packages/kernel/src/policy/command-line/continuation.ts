import type { CommandWord } from '@countersign/protocol';
import type { LookedAt } from './looked-at.js';

/** The first word that follows a beginning and is outside of what was looked at; null if all are inside. */
export function firstOutside(
  { flags, valued, operands }: LookedAt,
  following: readonly CommandWord[],
): CommandWord | null {
  if (flags === 'any') return null;
  let onlyOperands = false;
  for (let at = 0; at < following.length; at += 1) {
    const word = following[at];
    if (word === undefined) break;
    const { text } = word;
    // Known only when it runs: it could be any option.
    if (text === null || word.count !== 'one') return word;
    if (!onlyOperands && text === '--') {
      onlyOperands = true;
      continue;
    }
    if (onlyOperands || !text.startsWith('-') || text === '-') {
      if (!isInside(text, operands)) return word;
      continue;
    }
    const takes = optionIn(text, flags, valued);
    if (takes === null) return word;
    if (takes === 'next word') {
      at += 1;
      if (following[at]?.count !== 'one') return following[at] ?? word;
    }
  }
  return null;
}

function isInside(operand: string, operands: LookedAt['operands']): boolean {
  switch (operands) {
    case 'none':
      return false;
    case 'any':
      return operand !== '-';
    case 'below':
      return isBelow(operand);
    case 'dotted':
      return operand.startsWith('.') && isBelow(operand);
  }
}

const isBelow = (path: string): boolean =>
  !/^[/~]/.test(path) && !path.split('/').includes('..') && /^[\w./:[\]-]+$/.test(path);

/** Where the value of an option is; null if the option is not among those looked at. Abbreviations are not. */
function optionIn(
  text: string,
  flags: readonly string[],
  valued: readonly string[],
): 'nowhere' | 'attached' | 'next word' | null {
  if (flags.includes(text)) return 'nowhere';
  if (valued.includes(text)) return 'next word';
  const equals = text.indexOf('=');
  if (equals !== -1) return valued.includes(text.slice(0, equals)) ? 'attached' : null;
  return text.startsWith('--') ? null : clusterIn(text, flags, valued);
}

/** `-am text`: single letters in one word, the last of which may take a value. */
function clusterIn(
  text: string,
  flags: readonly string[],
  valued: readonly string[],
): 'nowhere' | 'attached' | 'next word' | null {
  for (let at = 1; at < text.length; at += 1) {
    const option = `-${text[at] ?? ''}`;
    if (valued.includes(option)) return at === text.length - 1 ? 'next word' : 'attached';
    if (!flags.includes(option)) return null;
  }
  return 'nowhere';
}
