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
 * Removes variables with an empty or relative value, for this program, the library functions that read them, and every
 * program that it starts. Otherwise all of them would look for the user's files in the workspace.
 */
export function settleEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of DIRECTORIES) if (!isAbsolute(env[name] ?? '')) delete env[name];
  const home = homeDirectory(env);
  if (home === null) delete env['HOME'];
  else env['HOME'] = home;
}

/** A variable must not make the workspace the source of settings and rules. */
export function expectOwnSettings(workspace: string, env: NodeJS.ProcessEnv): void {
  if (env['COUNTERSIGN_HOME']) return;
  expectOutside('Settings and rules', configDirectory(env), configDirectory(onRecord()), workspace);
}

/**
 * Nor of the store with its grants, unless `--store` names it. `COUNTERSIGN_HOME` is an explicit choice of the user: it may
 * be in the workspace, but only where no tool writes without approval.
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

/** The environment with the home directory that the system has on record, and no other variable. */
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

/** A workspace that is the root or the home directory, named explicitly: it always contains our own directories. */
const isNamedWhole = (workspace: string): boolean => tooWide(workspace, onRecord()) !== null;

const isIn = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
