import type { CommandWord } from '@countersign/protocol';
import { hasOption, type Token } from '../words/options.js';

/** How a program goes through whole directories. */
export type Search = {
  /** Whether it follows the symbolic links that it finds. */
  readonly links: boolean;
  /** Whether it looks at hidden files. */
  readonly hidden: boolean;
  readonly shows: 'content' | 'names';
  /** Of a listing that is handed on as arguments: which names, and whether those with blanks or quotes come apart. */
  readonly names?: { readonly pattern: string | null; readonly splits: boolean };
};

/** `fromHere`: it begins where it runs if it is given no directory. */
export type FoundSearch = Search & { readonly fromHere: boolean };

/** null for what looks only at what it is given, or at names alone without following links. */
export function searchOf(program: string, tokens: readonly Token[]): FoundSearch | null {
  const has = (name: RegExp): boolean => hasOption(tokens, name);
  const namesIf = (links: boolean): FoundSearch | null =>
    links ? { links, hidden: true, shows: 'names', fromHere: true } : null;
  switch (program) {
    case 'grep':
    case 'egrep':
    case 'fgrep':
    case 'zgrep': {
      const links = has(/^(?:-R|--de.*)$/);
      const recurses = links || has(/^(?:-r|--rec.*)$/) || tokens.some(asksToRecurse);
      return recurses ? { links, hidden: true, shows: 'content', fromHere: true } : null;
    }
    case 'rg': {
      const links = has(/^(?:-L|--follow)$/);
      if (has(/^--(?:files|type-list)$/)) return namesIf(links);
      const isUnrestricted = (token: Token) =>
        token.type === 'option' && /^(?:-u|--unrestricted)$/.test(token.name);
      const hidden =
        tokens.filter(isUnrestricted).length > 1 || has(/^(?:-\.|--hidden)$/) || tokens.some(unhides);
      return { links, hidden, shows: 'content', fromHere: true };
    }
    case 'diff':
      return { links: !has(/^--no-dereference$/), hidden: true, shows: 'content', fromHere: false };
    case 'fd':
    case 'fdfind':
      return namesIf(has(/^(?:-L|--follow)$/));
    case 'tree':
      return namesIf(has(/^-l$/));
    case 'du':
      return namesIf(has(/^(?:-L|--dereference)$/));
    case 'ls':
      return namesIf(has(/^(?:-R|--recursive)$/) && has(/^(?:-L|--dereference)$/));
    default:
      return null;
  }
}

/** `-d recurse`, and whatever is not known to be another of its three values. */
const asksToRecurse = (token: Token): boolean =>
  token.type === 'option' &&
  /^(?:-d|--di.*)$/.test(token.name) &&
  !/^(?:skip|read)$/.test(token.value?.text ?? '');

/** A glob that rg is given shows the hidden files that it fits. Names such as `*.ts` fit none that hold secrets. */
function unhides(token: Token): boolean {
  if (token.type !== 'option' || !/^(?:-g|--i?glob|--type-add)$/.test(token.name)) return false;
  const glob = (token.value?.text ?? '').replace(/^\w+:/, '');
  if (glob.startsWith('!')) return false;
  return !/^[\w*/-]*[\w*-]\.(?:\w+|\{[\w,]+\})$/.test(glob) || /env|rc$|pem|key/i.test(glob);
}

/** `find -L`, and the older test that does the same. */
export const findFollowsLinks = (words: readonly CommandWord[]): boolean =>
  words.some(({ text }) => /^-[HPL]*L[HPL]*$|^-follow$/.test(text ?? ''));
