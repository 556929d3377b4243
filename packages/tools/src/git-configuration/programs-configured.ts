import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { componentsBelow } from '@countersign/host';
import { findRepository, givenRepository, type Repository, repositoryIn } from './find-repository.js';
import { submodulesIn } from './index-submodules.js';
import { isInert } from './inert-settings.js';
import { LookedAt } from './looked-at.js';
import { parseConfiguration, type Setting } from './parse-configuration.js';

/** A call of git, by where it looks for its repository. */
export type GitPlace = {
  /** Where it runs. */
  readonly directory: string;
  /** The repository that an option or variable names; null for the one that git finds. */
  readonly gitDirectory: string | null;
  readonly command: string | null;
  readonly workspace: string;
};

const PLACES_KEPT_MAX = 64;
const kept = new Map<string, { readonly looked: LookedAt; readonly why: string | null }>();

/**
 * Why a call of git may run a program, or leave the repository, because the
 * repository's own configuration says so; null if it does not. Only looks:
 * git itself is not run. What the person has configured for all of their
 * repositories is their own choice and not looked at.
 */
export function configuredPrograms(place: GitPlace): string | null {
  const { directory, gitDirectory, command, workspace } = place;
  const key = JSON.stringify([directory, gitDirectory, command, workspace]);
  const known = kept.get(key);
  if (known?.looked.isUnchanged()) return known.why;
  const looked = new LookedAt();
  const why = new Inspection(looked, place).reason();
  if (kept.size >= PLACES_KEPT_MAX) kept.clear();
  kept.set(key, { looked, why });
  return why;
}

const INCLUDES_DEEP_MAX = 10; // as git itself
const FILES_MAX = 1_000; // of all submodules together, with what they include
const REPOSITORIES_MAX = 200; // a repository with more submodules is better asked about

class Inspection {
  readonly #looked: LookedAt;
  readonly #place: GitPlace;
  readonly #seen = new Set<string>();
  /** Included files may include each other; each is read once. */
  readonly #read = new Set<string>();
  readonly #tops: string[];

  constructor(looked: LookedAt, place: GitPlace) {
    this.#looked = looked;
    this.#place = place;
    this.#tops = [place.workspace];
  }

  reason(): string | null {
    const { directory, gitDirectory } = this.#place;
    if (gitDirectory !== null)
      return this.#inRepository(givenRepository(resolve(directory, gitDirectory), directory, this.#looked));
    const { repositories, problem } = findRepository(directory, this.#looked);
    return first(repositories, (repository) => this.#inRepository(repository)) ?? problem;
  }

  #inRepository(repository: Repository): string | null {
    const { gitDirectory, commonDirectory, top } = repository;
    if (this.#seen.has(gitDirectory)) return null;
    this.#seen.add(gitDirectory);
    if (this.#seen.size > REPOSITORIES_MAX) return `${top} has more than ${REPOSITORIES_MAX} submodules`;
    if (this.#looked.readText(`${gitDirectory}/commondir`) === 'unreadable')
      return `${gitDirectory}/commondir cannot be read`;
    this.#tops.push(top);
    const settings: Setting[] = [];
    const files = new Set([`${commonDirectory}/config`, `${gitDirectory}/config.worktree`]);
    const why = first([...files], (file) => this.#inFile(file, repository, settings, 0));
    if (why !== null) return why;
    return this.#inHooks(`${commonDirectory}/hooks`) ?? this.#inSubmodules(repository, settings);
  }

  #inFile(file: string, repository: Repository, settings: Setting[], depth: number): string | null {
    const key = `${repository.gitDirectory}\0${file}`;
    if (this.#read.has(key)) return null;
    this.#read.add(key);
    if (this.#read.size > FILES_MAX) return `${file} is one of more than ${FILES_MAX} files of configuration`;
    const read = this.#looked.readText(file);
    if (read === null) return null;
    if (read === 'unreadable') return `${file} cannot be read`;
    const parsed = parseConfiguration(read.text);
    if (!parsed.ok) return `${file} cannot be read as Git configuration (line ${parsed.line})`;
    settings.push(...parsed.settings);
    return first(parsed.settings, (setting) => {
      if (!isInert(setting, this.#settingPlace(repository))) return reasonOf(setting, file);
      const isInclude = /^include(?:if)?$/.test(setting.section) && setting.key === 'path';
      return isInclude ? this.#inIncluded(setting, file, repository, settings, depth) : null;
    });
  }

  #inIncluded(
    setting: Setting,
    file: string,
    repository: Repository,
    settings: Setting[],
    depth: number,
  ): string | null {
    const path = expanded(setting.value);
    // Git gives up at that depth.
    if (path === null || depth >= INCLUDES_DEEP_MAX) return reasonOf(setting, file);
    return this.#inFile(resolve(dirname(file), path), repository, settings, depth + 1);
  }

  /** The one hook that commands which only look run: they may write the index again. */
  #inHooks(directory: string): string | null {
    const hook = `${directory}/${HOOK_OF_READERS}`;
    return this.#looked.isExecutable(hook) ? `${hook} is a program that git runs` : null;
  }

  /** `git status` and `git diff` run git in every submodule, with the configuration that it has. */
  #inSubmodules({ gitDirectory, top }: Repository, settings: readonly Setting[]): string | null {
    const index = this.#looked.read(`${gitDirectory}/index`);
    if (index === null) return null;
    const format = settings.findLast(({ name }) => name === 'extensions.objectformat')?.value;
    const paths = index === 'unreadable' ? null : submodulesIn(index, format === 'sha256' ? 32 : 20);
    if (paths === null) return `${gitDirectory}/index cannot be read, so its submodules are not known`;
    const workTree = settings.findLast(({ name }) => name === 'core.worktree')?.value;
    const root = workTree === undefined ? top : resolve(gitDirectory, workTree);
    return first(paths, (path) => {
      const { repository, problem } = repositoryIn(`${root}/${path}`, this.#looked);
      return problem ?? (repository === null ? null : this.#inRepository(repository));
    });
  }

  #settingPlace({ gitDirectory, top }: Repository) {
    const isInside = (path: string) => this.#tops.some((each) => componentsBelow(each, path) !== null);
    const fromTop = (value: string): string | null => {
      const path = expanded(value);
      return path === null ? null : resolve(top, path);
    };
    return {
      command: this.#place.command,
      isInside: (value: string) => isInside(fromTop(value) ?? '/'),
      isWorkTree: (value: string) => isInside(resolve(gitDirectory, value)),
      hasQuietHooks: (value: string) => {
        const directory = fromTop(value);
        if (directory === null || !isInside(directory) || this.#inHooks(directory) !== null) return false;
        // What tools set up when a project is installed may not be there yet.
        return this.#looked.kind(directory) === 'directory' || /^\.(?:husky|githooks)(?:\/|$)/.test(value);
      },
    };
  }
}

const HOOK_OF_READERS = 'post-index-change';

const reasonOf = ({ name }: Setting, file: string): string =>
  `"${name}" in ${file} can make git run a program or leave the repository (put your own settings in ~/.gitconfig, which does not ask)`;

/** A path as git reads it from a setting; null for what depends on how git was built, or on another person's home. */
function expanded(value: string): string | null {
  if (value.startsWith('%(')) return null;
  if (!value.startsWith('~')) return value;
  return value === '~' || value.startsWith('~/') ? `${homedir()}${value.slice(1)}` : null;
}

function first<T>(items: readonly T[], reasonFor: (item: T) => string | null): string | null {
  for (const item of items) {
    const reason = reasonFor(item);
    if (reason !== null) return reason;
  }
  return null;
}
