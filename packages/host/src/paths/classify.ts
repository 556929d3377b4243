import { PLANS_DIRECTORY, type Place } from '@countersign/protocol';
import { componentsBelow, componentsOf } from './components.js';
import { isAmongOurs } from './own-files.js';
import { PROTECTED, type ProtectedGroup } from './protected-names.js';

export type Classified = {
  readonly place: Place;
  /** Why a silent write here would be dangerous; null for ordinary paths. */
  readonly guarded: string | null;
  /** Whether reading asks as well. */
  readonly guardsReading: boolean;
  /** Whether it is a file of this program's own. */
  readonly ours: boolean;
};

/**
 * Where a real path lies, and whether it is protected. Inside the workspace
 * only the names below its root count: a session in `~/.claude/worktrees/x`
 * chose that place.
 */
export const classifierFor =
  ({ ours, steering }: Surrounding) =>
  (workspaceReal: string, realPath: string): Classified => {
    const below = componentsBelow(workspaceReal, realPath);
    const names = below === null ? componentsOf(realPath) : namesThatCount(below);
    const found = protectedAmong(names) ?? steeringAmong(names, steering);
    return {
      place: below === null ? 'outside' : 'workspace',
      guarded: found && `"${found.name}" is protected: ${found.group.why}`,
      guardsReading: found?.group.reading === 'asks',
      ours: isAmongOurs(realPath, ours, workspaceReal),
    };
  };

/** The same by names alone. */
export const classify = classifierFor({ ours: [], steering: [] });

/** What the composing program knows besides names. */
export type Surrounding = {
  /** Directories of our own (store, settings, tokens): real paths. */
  readonly ours: readonly string[];
  /** Names of files that this person's agents take instructions from, besides the usual ones. */
  readonly steering: readonly string[];
};

/** Plans are notes for a person to read; what else lies beside them configures the program. */
function namesThatCount(below: readonly string[]): readonly string[] {
  const [directory, folder, name, ...deeper] = below;
  const isPlan = `${directory}/${folder}` === PLANS_DIRECTORY && deeper.length === 0 && name?.endsWith('.md');
  return isPlan && name !== undefined ? [name] : below;
}

/** `.env.example` and its like are made to be shared. */
const SHARED_ENV_SUFFIXES = ['.example', '.sample', '.template'];

const BY_NAME = new Map(PROTECTED.flatMap((group) => group.names.map((name) => [name, group] as const)));
const BY_SUFFIX = PROTECTED.flatMap((group) => (group.suffixes ?? []).map((suffix) => ({ suffix, group })));
const SECRETS = BY_NAME.get('.env');

/** Why reading a file may give away a secret; null for files that are protected for other reasons, or not at all. */
export function secretReason(name: string, kind: 'file' | 'directory'): string | null {
  const group = groupOf(fold(name));
  // Of directories only those where programs keep credentials: `.env` may be one of Python's.
  const isSecret =
    kind === 'file' ? group?.kind === 'holds a secret' : group !== undefined && group === CREDENTIALS;
  return isSecret ? (group?.why ?? null) : null;
}

/** Whether a path leads to, or through, such a name. */
export const isSecretPath = (path: string): boolean =>
  componentsOf(path).some(
    (name, depth, { length }) => secretReason(name, depth === length - 1 ? 'file' : 'directory') !== null,
  );

const CREDENTIALS = BY_NAME.get('.ssh');
const HOLDS_A_SECRET = PROTECTED.filter(({ kind }) => kind === 'holds a secret');

/** Names, and endings of names, that `secretReason` knows. */
export const SECRET_NAMES: readonly string[] = HOLDS_A_SECRET.flatMap((group) => group.names);
export const SECRET_ENDINGS: readonly string[] = HOLDS_A_SECRET.flatMap(({ suffixes = [] }) => suffixes);

type Found = { readonly name: string; readonly group: ProtectedGroup };

/** The first name on the way that is protected; one that also asks when it is read counts before others. */
function protectedAmong(names: readonly string[]): Found | null {
  let first: Found | null = null;
  let above = '';
  for (const name of names) {
    const folded = fold(name);
    const inAbove = BY_NAME.get(`${above}/${folded}`);
    const group = groupOf(folded) ?? inAbove;
    const found = group && { name: inAbove ? `${above}/${name}` : name, group };
    if (found?.group.reading === 'asks') return found;
    first ??= found ?? null;
    above = folded;
  }
  return first;
}

const STEERING = BY_NAME.get('agents.md');

function steeringAmong(names: readonly string[], steering: readonly string[]): Found | null {
  const name = names.at(-1);
  if (name === undefined || STEERING === undefined) return null;
  return steering.some((each) => fold(each) === fold(name)) ? { name, group: STEERING } : null;
}

function groupOf(name: string): ProtectedGroup | undefined {
  const byName = BY_NAME.get(name);
  if (byName !== undefined) return byName;
  if (name.startsWith('.env.') && !SHARED_ENV_SUFFIXES.some((suffix) => name.endsWith(suffix)))
    return SECRETS;
  return BY_SUFFIX.find(({ suffix }) => name.endsWith(suffix))?.group;
}

/**
 * Names that some file system takes for the same get the same spelling:
 * letter case, compatibility forms, characters without appearance, and the
 * trailing dots and blanks that Windows drops.
 */
function fold(name: string): string {
  const plain = PLAIN.test(name)
    ? name.toLowerCase()
    : name
        .normalize('NFKC')
        .replace(/\p{Default_Ignorable_Code_Point}|\p{Cc}/gu, '')
        .toUpperCase()
        .toLowerCase()
        .normalize('NFKC');
  return plain.replace(/[. ]+$/, '');
}

/** Most names; the tables of Unicode take longer to load than a file to read. */
const PLAIN = /^[ -~]*$/;
