import { dirname, resolve } from 'node:path';
import type { LookedAt } from './looked-at.js';

/** Where git keeps what it knows of a directory. */
export type Repository = {
  /** Of this work tree: its index, its own configuration. */
  readonly gitDirectory: string;
  /** Shared by all work trees: configuration and hooks. */
  readonly commonDirectory: string;
  /** The work tree, or the repository itself where there is none. */
  readonly top: string;
};

export type Found = { readonly repositories: readonly Repository[]; readonly problem: string | null };

const PARENTS_MAX = 128;

/** The repository that git would find from a directory, and those on the way that it may take for one. */
export function findRepository(directory: string, looked: LookedAt): Found {
  const repositories: Repository[] = [];
  let at = directory;
  for (let step = 0; step < PARENTS_MAX; step += 1) {
    const own = repositoryIn(at, looked);
    if (own.problem !== null) return { repositories, problem: own.problem };
    if (own.repository !== null) {
      repositories.push(own.repository);
      if (own.isWhole) break;
    }
    // A directory that is laid out as a repository is one, whatever it is called.
    if (isRepository(at, looked)) {
      repositories.push({ gitDirectory: at, commonDirectory: commonOf(at, looked), top: at });
      break;
    }
    const parent = dirname(at);
    if (parent === at) break;
    at = parent;
  }
  return { repositories, problem: null };
}

/** The repository that a `.git` in this directory is, or names. */
export function repositoryIn(
  directory: string,
  looked: LookedAt,
): { readonly repository: Repository | null; readonly isWhole: boolean; readonly problem: string | null } {
  const path = `${directory}/.git`;
  const none = { repository: null, isWhole: false, problem: null };
  switch (looked.kind(path)) {
    case null:
      return none;
    case 'other':
      return { ...none, problem: `${path} cannot be read` };
    case 'directory':
      return { ...at(path, directory, looked), problem: null };
    case 'file': {
      const read = looked.readText(path);
      const named =
        typeof read === 'object' ? /^gitdir: (.+?)[\r\n]*$/s.exec(read?.text ?? '')?.[1] : undefined;
      if (named === undefined) return { ...none, problem: `${path} cannot be read` };
      return { ...at(resolve(directory, named), directory, looked), problem: null };
    }
  }
}

function at(gitDirectory: string, top: string, looked: LookedAt) {
  const commonDirectory = commonOf(gitDirectory, looked);
  return {
    repository: { gitDirectory, commonDirectory, top },
    isWhole: isRepository(gitDirectory, looked),
  };
}

export const givenRepository = (gitDirectory: string, top: string, looked: LookedAt): Repository =>
  at(gitDirectory, top, looked).repository;

const isRepository = (directory: string, looked: LookedAt): boolean => {
  if (looked.kind(`${directory}/HEAD`) === null) return false;
  const common = commonOf(directory, looked);
  return looked.kind(`${common}/objects`) !== null && looked.kind(`${common}/refs`) !== null;
};

function commonOf(gitDirectory: string, looked: LookedAt): string {
  const named = looked.readText(`${gitDirectory}/commondir`);
  return named === null || named === 'unreadable'
    ? gitDirectory
    : resolve(gitDirectory, named.text.replace(/[\r\n]+$/, ''));
}
