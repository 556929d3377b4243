import { basename, join, resolve } from 'node:path';
import type { PathUse } from '@countersign/commands';
import type { CommandAnalysis } from '@countersign/protocol';
import { withHome } from './home-of.js';
import { matchesOf, type PatternReading, patternReading } from './pattern-matches.js';
import {
  type FileUse,
  HARMLESS_DEVICES,
  isDirectory,
  isInstead,
  isThere,
  type Lookup,
  meaningOf,
} from './touched-paths.js';

const NAMED_MAX = 1_000; // more are recorded as the folders that they lie in

type Place = Pick<Lookup, 'workspace' | 'folders'> & { readonly directory: string };

/**
 * The files that a command line names and may read or write, for rules about paths: those of a program that may do
 * anything as well. A word that may be no path counts if there is such a file, or if it is spelled like one.
 */
export async function namedFiles(
  analysis: CommandAnalysis,
  { workspace, directory, folders }: Place,
): Promise<readonly FileUse[]> {
  const { pathUses } = await import('@countersign/commands');
  const uses = pathUses(analysis);
  const all = { scope: 'tree', searched: true } as const;
  const anywhere = [workspace, directory].flatMap((path): FileUse[] => [
    { kind: 'fs.read', path, ...all },
    { kind: 'fs.write', path, ...all },
  ]);
  if (uses.length > NAMED_MAX) return anywhere;
  const patterns = patternReading(analysis.text);
  const found = new Map<string, FileUse>();
  for (const use of uses) {
    const path = withHome(use.path);
    if (path === '' || isInstead(use, { folders })) continue;
    // Git counts from the root of the repository, which mostly is the workspace.
    for (const from of new Set([...folders, workspace]))
      for (const file of await filesFrom(use, path, from, patterns)) {
        const key = `${file.kind} ${file.path}`;
        if (!found.has(key) || file.searched) found.set(key, file);
      }
    if (found.size > NAMED_MAX) return anywhere;
  }
  return [...found.values()];
}

async function filesFrom(
  use: PathUse,
  path: string,
  from: string,
  patterns: PatternReading,
): Promise<FileUse[]> {
  const { paths, isAll } = use.isPattern
    ? matchesOf(path, from, patterns)
    : { paths: [resolve(from, path)], isAll: true };
  const base = path.slice(0, path.search(/[^/]*(?:[*?[]|[@+!]\()/));
  const spelled = isAll ? paths : [...paths, resolve(from, base)];
  const files = await Promise.all(spelled.map((each) => fileAt(each, isAll ? use : { ...use, below: true })));
  return files.flat();
}

async function fileAt(spelled: string, use: PathUse): Promise<FileUse[]> {
  const counts = use.as === 'path' || isThere(spelled) || /[/.]/.test(use.path);
  if (!counts || HARMLESS_DEVICES.test(spelled)) return [];
  const kinds = ({ reads: ['reads'], writes: ['writes'], both: ['reads', 'writes'] } as const)[use.touch];
  const found = await Promise.all(
    kinds.map(async (access) => {
      const file = await meaningOf(spelled, { access });
      return file === null ? [] : [file];
    }),
  );
  return found.flat().flatMap((file): FileUse[] => {
    const isFolder = isDirectory(file.path);
    const into = isFolder ? use.into.filter((name) => name !== basename(file.path)) : [];
    const placed = into.map((name) => ({ ...file, path: join(file.path, name) }));
    return [use.below && isFolder ? { ...file, searched: true } : file, ...placed];
  });
}
