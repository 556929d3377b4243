import { isAbsolute, join, sep } from 'node:path';
import { classify, homeDirectory, homeOnRecord, tooWide } from '@countersign/host';
import { usage } from '../io/failure-text.js';
import { configDirectory, PROJECT_DIRECTORY, realPlace, storeDirectory } from './places.js';

/** Variables that name directories. */
const DIRECTORIES = [
  ...['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'XDG_RUNTIME_DIR'],
  ...['TMPDIR', 'TMP', 'TEMP'],
];

/**
 * A variable with an empty or relative value names no directory: for us, for the library functions that read it, and for
 * every program that we start. Else all of these would look in the workspace for what is the user's own.
 */
export function settleEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of DIRECTORIES) if (!isAbsolute(env[name] ?? '')) delete env[name];
  const home = homeDirectory(env);
  if (home === null) delete env['HOME'];
  else env['HOME'] = home;
}

/** Settings and rules may not come from the workspace just because a variable says so. */
export function expectOwnSettings(workspace: string, env: NodeJS.ProcessEnv): void {
  if (env['COUNTERSIGN_HOME']) return;
  expectOutside('Settings and rules', configDirectory(env), configDirectory(onRecord()), workspace);
}

/**
 * Nor may the store, with its grants; `--store` names one. What `COUNTERSIGN_HOME` names, a person chose for us: it may
 * lie in the workspace, but only where no tool writes without a question.
 */
export function expectOwnStore(workspace: string, store: string | undefined, env: NodeJS.ProcessEnv): void {
  if (env['COUNTERSIGN_HOME']) return expectProtected(realPlace(storeDirectory(env)), workspace);
  if (store === undefined)
    expectOutside('The store', storeDirectory(env), storeDirectory(onRecord()), workspace);
}

function expectProtected(place: string, workspace: string): void {
  if (!isIn(place, workspace) || isNamedWhole(workspace) || classify(workspace, place).guarded !== null)
    return;
  throw usage(
    `COUNTERSIGN_HOME is ${place}, in the workspace, where tools may change settings, rules and grants`,
    `COUNTERSIGN_HOME=DIR with a directory elsewhere, or ${join(workspace, PROJECT_DIRECTORY)}`,
  );
}

/** What the environment would say if it said nothing of its own. A home directory may be the workspace, if it is named. */
function onRecord(): NodeJS.ProcessEnv {
  const home = homeOnRecord();
  return home === null ? { HOME: '/' } : { HOME: home };
}

function expectOutside(what: string, place: string, usual: string, workspace: string): void {
  if (place === usual || !isIn(realPlace(place), workspace) || isNamedWhole(workspace)) return;
  throw usage(
    `${what} would be read from ${place}, in the workspace, because of HOME or an XDG variable`,
    'the same with that variable unset, or COUNTERSIGN_HOME=DIR with a directory elsewhere',
  );
}

/** All of a machine or of a home directory holds our own directories, too: the person who named it knows. */
const isNamedWhole = (workspace: string): boolean => tooWide(workspace, onRecord()) !== null;

const isIn = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
