import type { Token } from '../options.js';

/** How a program reads whole directories; `fromHere`: it begins where it runs if it is given none. */
export type FoundSearch = { readonly links: boolean; readonly hidden: boolean; readonly fromHere: boolean };

/** null for what reads only the files that it is given. Programs that print names alone are no searches. */
export function searchOf(program: string, tokens: readonly Token[]): FoundSearch | null {
  const has = (pattern: RegExp): boolean =>
    tokens.some((token) => token.type === 'option' && pattern.test(token.name));
  switch (program) {
    case 'grep':
    case 'egrep':
    case 'fgrep':
    case 'zgrep': {
      const follows = has(/^(?:-R|--de.*)$/);
      const recurses = tokens.some(
        (token) =>
          token.type === 'option' &&
          /^(?:-d|--di.*)$/.test(token.name) &&
          token.value?.text !== 'skip' &&
          token.value?.text !== 'read',
      );
      return follows || recurses || has(/^(?:-r|--rec.*)$/)
        ? { links: follows, hidden: true, fromHere: true }
        : null;
    }
    case 'rg': {
      if (has(/^--(?:files|type-list)$/)) return null;
      const unrestricted = tokens.filter(
        (token) => token.type === 'option' && /^(?:-u|--unrestricted)$/.test(token.name),
      ).length;
      return {
        links: has(/^(?:-L|--follow)$/),
        hidden: unrestricted > 1 || has(/^(?:-\.|--hidden)$/),
        fromHere: true,
      };
    }
    case 'diff':
      return { links: !has(/^--no-dereference$/), hidden: true, fromHere: false };
    default:
      return null;
  }
}
