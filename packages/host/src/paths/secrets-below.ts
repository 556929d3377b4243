import { type Dirent, readdirSync } from 'node:fs';
import { orNull } from '../or-null.js';
import { secretReason } from './classify.js';

/** What to look for below a directory that a command searches. */
export type TreeLook = {
  /** Whether symbolic links are listed as well. */
  readonly links: boolean;
  /** Whether hidden names count. */
  readonly hidden: boolean;
  readonly entriesMax: number;
  /** Which names are read; all of them by default. */
  readonly isRead?: (name: string) => boolean;
};

export type BelowTree = {
  /** Secret files, as paths from the directory. */
  readonly secrets: readonly string[];
  readonly links: readonly string[];
  /** Whether a shell or xargs would make several words of the path of one of them. */
  readonly comesApart: boolean;
  /** Whether everything was looked at. */
  readonly isAll: boolean;
};

const LISTED_MAX = 20; // of more the first are enough to name

/**
 * Secret files and symbolic links below a directory. What packages contain
 * is published and no secret, and `.git` holds what is committed anyway.
 */
export function secretsBelow(root: string, look: TreeLook): BelowTree {
  const secrets: string[] = [];
  const links: string[] = [];
  const pending = [''];
  let left = look.entriesMax;
  let comesApart = false;
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const isPublished = /(?:^|\/)node_modules\//.test(at);
    for (const entry of entriesOf(`${root}/${at}`)) {
      left -= 1;
      if (left < 0) return { secrets, links, comesApart, isAll: false };
      const { name } = entry;
      const path = `${at}${name}`;
      if (name === '.git' || (name.startsWith('.') && !look.hidden)) continue;
      const isRead = look.isRead?.(name) ?? true;
      comesApart ||= isRead && COMES_APART.test(path);
      if (entry.isSymbolicLink()) {
        if (look.links && isRead && links.length < LISTED_MAX) links.push(path);
        continue;
      }
      const kind = entry.isDirectory() ? 'directory' : 'file';
      const isSecret = !isPublished && secretReason(name, kind) !== null;
      if (isSecret && (isRead || kind === 'directory') && secrets.length < LISTED_MAX) secrets.push(path);
      const isSearched = name !== 'node_modules' || look.links;
      if (entry.isDirectory() && !isSecret && isSearched) pending.push(`${path}/`);
    }
  }
  return { secrets, links, comesApart, isAll: true };
}

/** Blanks, quotes, and what the shell reads as a pattern. */
const COMES_APART = /[\s'"\\*?[]/;

const entriesOf = (directory: string): Dirent[] =>
  orNull(() => readdirSync(directory, { withFileTypes: true })) ?? [];
