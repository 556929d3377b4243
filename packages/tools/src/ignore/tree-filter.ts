import { type Dirent, readdirSync } from 'node:fs';
import { lookInside } from '@countersign/host';
import { isIgnored } from './ignore-rules.js';
import { type IgnoreFiles, loadIgnoreFiles, seenFromInside, withIgnoreFilesOf } from './load-ignore-files.js';

/** Git's own data: thousands of generated files. Only a search that starts inside it finds them. */
export const GIT_DIRECTORY = '.git';

type Directory = { readonly hidden: boolean; readonly files: IgnoreFiles };

/**
 * What ignore files omit of a tree, those of the workspace above it and
 * those in its directories. It decides, whichever program lists the files: ripgrep
 * knows only `.gitignore`, and forgets even that for files that a glob names.
 */
export class TreeFilter {
  readonly #root: string;
  readonly #fileNames: readonly string[];
  readonly #directories = new Map<string, Directory>();

  constructor(workspace: string, root: string, fileNames: readonly string[]) {
    this.#root = root;
    this.#fileNames = fileNames;
    this.#directories.set('', { hidden: false, files: loadIgnoreFiles(workspace, root, fileNames) });
  }

  /** `path` leads from the root to a file, or to a directory. */
  hides(path: string, type: 'directory' | 'other'): boolean {
    const { directory, name } = parted(path);
    const parent = this.#directory(directory);
    return parent.hidden || isHiddenIn(parent, name, type);
  }

  /** The names of hidden directories right below one: a program that lists the tree can skip them. */
  hiddenDirectoriesIn(directory: string): string[] {
    const { hidden, files } = this.#directory(directory);
    if (hidden || files.every((ofOneName) => ofOneName.length === 0)) return [];
    const entries = entriesOf(this.#pathOf(directory));
    return entries
      .filter((entry) => entry.isDirectory() && isHiddenIn({ hidden, files }, entry.name, 'directory'))
      .map(({ name }) => name);
  }

  #directory(path: string): Directory {
    const known = this.#directories.get(path);
    if (known !== undefined) return known;
    const { directory, name } = parted(path);
    const made = this.#directoryIn(this.#directory(directory), path, name);
    this.#directories.set(path, made);
    return made;
  }

  #directoryIn(parent: Directory, path: string, name: string): Directory {
    if (parent.hidden || isHiddenIn(parent, name, 'directory')) return { hidden: true, files: [] };
    const files = withIgnoreFilesOf(this.#pathOf(path), this.#fileNames, seenFromInside(parent.files, name));
    return { hidden: false, files };
  }

  #pathOf(directory: string): string {
    return directory === '' ? this.#root : `${this.#root}/${directory}`;
  }
}

function parted(path: string): { readonly directory: string; readonly name: string } {
  const slash = path.lastIndexOf('/');
  return { directory: slash === -1 ? '' : path.slice(0, slash), name: path.slice(slash + 1) };
}

/** Each kind of ignore file decides alone: what one keeps, another may still omit. */
const isHiddenIn = ({ files }: Directory, name: string, type: 'directory' | 'other'): boolean =>
  name === GIT_DIRECTORY || files.some((ofOneName) => isIgnored(ofOneName, name, type));

/** None where it cannot be read: listing the tree reports what is wrong with it. */
const entriesOf = (directory: string): Dirent[] =>
  lookInside(directory, (held) => readdirSync(held.at('.'), { withFileTypes: true })) ?? [];
