import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { NamedPaths, Reads } from '@countersign/commands';
import { ToolFailure } from '@countersign/engine';
import type { CommandAnalysis, Confirmation, DeclaredResource } from '@countersign/protocol';
import { NODE_EVENTS } from '../edit/runs-by-itself.js';
import { classifierFor } from '../paths/classify.js';
import { resolvePath } from '../paths/resolve-path.js';
import { withHome } from './home-of.js';
import type { ShellOptions } from './options.js';
import { ownReach } from './own-reach.js';

/** What is known of a command before it runs. */
export type Understood = {
  readonly resources: readonly DeclaredResource[];
  /** What a person should know before agreeing, worked out only if one is asked. */
  readonly risk: () => Risk;
};

type Risk = Pick<
  Extract<Confirmation, { type: 'exec' }>,
  'rootCommand' | 'rootCommands' | 'riskLevel' | 'riskReasons'
>;

export type Surroundings = {
  readonly workspace: string;
  /** Where it runs. */
  readonly directory: string;
  /** Whether it would run confined if nobody is asked; finding out may take a moment. */
  readonly isConfined: () => Promise<boolean>;
  readonly options: Pick<ShellOptions, 'ours' | 'program' | 'ownPorts' | 'steering'>;
};

/** The grammar of bash is loaded with the first command: most sessions start without one. */
export async function understand(command: string, surroundings: Surroundings): Promise<Understood> {
  const { analyzeCommand, effectsOf, namedPaths, readsOf, riskOf, rootCommands } = await import(
    '@countersign/commands'
  );
  const analysis = analyzeCommand(command);
  const effects = effectsOf(analysis);
  const risk = () => {
    const { level, reasons } = riskOf(analysis);
    const names = rootCommands(analysis);
    return { rootCommand: names[0] ?? '', rootCommands: names, riskLevel: level, riskReasons: reasons };
  };
  const own = ownReach(analysis, surroundings.directory, surroundings.options);
  switch (effects.type) {
    case 'none':
      return { resources: own, risk };
    case 'reads':
      return { resources: [...own, ...(await readingOf(readsOf(analysis), surroundings.directory))], risk };
    case 'unknown':
      return {
        resources: [
          { kind: 'opaque', why: effects.why },
          ...own,
          ...manifestChange(analysis, surroundings.directory),
          ...(await delicate(namedPaths(analysis), surroundings)),
        ],
        risk,
      };
  }
}

/** `npm pkg set scripts.postinstall=…`: a script that runs by itself, without an edit that shows it. */
function manifestChange({ units }: CommandAnalysis, directory: string): DeclaredResource[] {
  const setsEvent = units.some(({ words }) => {
    const [program = '', ...rest] = words.map(({ outline }) => outline);
    if (!/(?:^|\/)(?:npm|pnpm|yarn|bun)$/.test(program)) return false;
    const isSetting = rest.includes('set-script') || (rest.includes('pkg') && rest.includes('set'));
    return (
      isSetting &&
      rest.some((word) => NODE_EVENTS.has(word.replace(/^scripts[.[]/, '').replace(/\]?(?:=.*)?$/s, '')))
    );
  });
  const guarded = 'npm, yarn or pnpm runs by itself the script that it sets';
  return setsEvent
    ? [{ kind: 'fs.write', path: join(directory, 'package.json'), scope: 'file', guarded }]
    : [];
}

const PATHS_MAX = 100; // a command that names more is better asked about as a whole

/** Its directory, and all that it names. Not every word is a path, but what is not there can't be read either. */
async function readingOf(reads: Reads, directory: string): Promise<DeclaredResource[]> {
  if (reads.type === 'unknown') return [unnamed(directory, 'what it reads is known only when it runs')];
  const { paths: words, folder } = reads;
  if (words.length > PATHS_MAX) return [unnamed(directory, `it names more than ${PATHS_MAX} paths`)];
  const paths = new Set([directory]);
  for (const from of await foldersOf(folder === null ? [] : [folder], directory)) {
    for (const word of words) {
      const path = await meaningOf(word, from);
      if (path !== null) paths.add(path);
    }
  }
  return [...paths].map((path) => ({ kind: 'fs.read', path, scope: 'tree' }));
}

const unnamed = (path: string, guarded: string): DeclaredResource => ({
  kind: 'fs.read',
  path,
  scope: 'tree',
  guarded,
});

/**
 * Of what a command that may do anything names, the paths that are not its workspace's ordinary ones. Others are not
 * spoken of: it may touch them all.
 */
async function delicate(
  { written, given, folders }: NamedPaths,
  { workspace, directory, isConfined, options }: Surroundings,
): Promise<DeclaredResource[]> {
  const found = new Map<string, DeclaredResource>();
  const classify = classifierFor(options);
  const words = [
    ...written.map((word) => [word, 'fs.write'] as const),
    ...[...given, ...folders].map((word) => [word, 'fs.read'] as const),
  ];
  if (words.length > PATHS_MAX) words.length = PATHS_MAX;
  for (const from of await foldersOf(folders, directory)) {
    for (const [word, kind] of words) {
      const path =
        (await meaningOf(word, from, 'or made')) ?? (kind === 'fs.write' ? madeIn(word, from) : null);
      if (path === null || found.has(path) || HARMLESS_DEVICES.test(path)) continue;
      if (isNewTemporary(path) && (await isConfined())) continue;
      const { place, guarded, ours } = classify(workspace, path);
      if (place === 'outside' || guarded !== null || ours) found.set(path, { kind, path, scope: 'tree' });
    }
  }
  return [...found.values()];
}

/**
 * Below the folder, where a path would lie if the folders on the way were made first: `mkdir -p .github/workflows` makes
 * both. A word that only looks like a path (a script for sed) is none.
 */
function madeIn(word: string, from: string): string | null {
  const path = normalize(word);
  const isPlain = /^[\w.@+-][\w.@+/-]*$/.test(path) && !/^s\/.*\/.*\/\w*$/.test(word);
  return isPlain && !path.startsWith('..') ? join(from, path) : null;
}

const HARMLESS_DEVICES = /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|tty|fd\/\d+)$/;

/** In the sandbox a command has a /tmp of its own: what is made there touches nothing of this machine. */
const isNewTemporary = (path: string): boolean => dirname(path) === '/tmp' && !existsSync(path);

/** What paths may be relative to: where it begins, and where it goes. */
async function foldersOf(folders: readonly string[], directory: string): Promise<readonly string[]> {
  const targets = await Promise.all(folders.map((folder) => meaningOf(folder, directory)));
  return [directory, ...targets.filter((target) => target !== null)];
}

/** null for what is no path, or is not there; or could not be made there, if that is asked. */
async function meaningOf(
  word: string,
  directory: string,
  wanted: 'there' | 'or made' = 'there',
): Promise<string | null> {
  // Of a pattern, the directory in which it is looked for.
  const fixed = /[*?[]/.test(word) ? word.slice(0, word.search(/[^/]*[*?[]/)) : word;
  const path = withHome(fixed);
  const spelled = path.startsWith('/') ? path : `${directory}/${path}`;
  if (path === '') return null;
  if (!existsSync(spelled) && (wanted === 'there' || !canBeMade(spelled))) return null;
  try {
    return await resolvePath(directory, path);
  } catch (error) {
    // A door of the kernel is still a path that somebody else's rules may speak of.
    if (error instanceof ToolFailure) return spelled;
    throw error;
  }
}

/** Whether there is a folder for it. Right below the root there hardly ever is anything to make: `/x/` is a pattern. */
function canBeMade(path: string): boolean {
  const parent = dirname(path);
  return parent !== '/' && existsSync(parent);
}
