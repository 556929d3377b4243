import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { PathUse } from '@countersign/commands';
import { type classify, componentsBelow, isSecretPath } from '@countersign/host';
import type { FileUse, Lookup } from './touched-paths.js';

export type WriteContext = Pick<Lookup, 'workspace'> & {
  readonly classify: typeof classify;
  /** The whole command line. */
  readonly text: string;
  readonly isConfined: boolean;
};

const MANIFESTS = ['package.json', 'composer.json'];
const UNSEEN_SCRIPTS = 'its output is known only when it runs; it may add scripts that run automatically';

/**
 * A file as the command would leave it. Of a program that is not known to only look, a protected file that it is given
 * counts as written where nothing confines it. Files that hold secrets do not: they are given to programs to be read.
 */
export function asWritten(file: FileUse, use: PathUse, context: WriteContext): FileUse {
  const { workspace, text, isConfined } = context;
  if (use.replaces && isManifest(file.path, text))
    return { ...file, kind: 'fs.write', guarded: UNSEEN_SCRIPTS };
  if (!use.mayWrite || isConfined || file.kind === 'fs.write') return file;
  const { place, guarded } = context.classify(workspace, file.path);
  const below = componentsBelow(workspace, file.path)?.join('/') ?? '';
  return place === 'workspace' && guarded !== null && !isSecretPath(below)
    ? { ...file, kind: 'fs.write' }
    : file;
}

/** Whether a manifest is what is written, by its own name or by that of its folder. */
const isManifest = (path: string, text: string): boolean =>
  MANIFESTS.some((name) => basename(path) === name || (text.includes(name) && existsSync(`${path}/${name}`)));
