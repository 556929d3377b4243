import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Reads } from '@countersign/commands';
import { ToolFailure } from '@countersign/engine';
import type { Confirmation, DeclaredResource } from '@countersign/protocol';
import { resolvePath } from '../paths/resolve-path.js';

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

/** The grammar of bash is loaded with the first command: most sessions start without one. */
export async function understand(command: string, directory: string): Promise<Understood> {
  const { analyzeCommand, effectsOf, readsOf, riskOf, rootCommands } = await import('@countersign/commands');
  const analysis = analyzeCommand(command);
  const effects = effectsOf(analysis);
  const risk = () => {
    const { level, reasons } = riskOf(analysis);
    const names = rootCommands(analysis);
    return { rootCommand: names[0] ?? '', rootCommands: names, riskLevel: level, riskReasons: reasons };
  };
  switch (effects.type) {
    case 'none':
      return { resources: [], risk };
    case 'reads':
      return { resources: await readingOf(readsOf(analysis), directory), risk };
    case 'unknown':
      return { resources: [{ kind: 'opaque', why: effects.why }], risk };
  }
}

const PATHS_MAX = 100; // a command that names more is better asked about as a whole

/** Its directory, and all that it names. Not every word is a path, but what is not there can't be read either. */
async function readingOf(reads: Reads, directory: string): Promise<DeclaredResource[]> {
  if (reads.type === 'unknown') return [unnamed(directory, 'what it reads is known only when it runs')];
  const { paths: words, folder } = reads;
  if (words.length > PATHS_MAX) return [unnamed(directory, `it names more than ${PATHS_MAX} paths`)];
  const paths = new Set([directory]);
  for (const from of await foldersOf(folder, directory)) {
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

/** What paths may be relative to: where it begins, and where it goes. */
async function foldersOf(folder: string | null, directory: string): Promise<readonly string[]> {
  const target = folder === null ? null : await meaningOf(folder, directory);
  return target === null ? [directory] : [directory, target];
}

/** null for what is no path, or is not there. */
async function meaningOf(word: string, directory: string): Promise<string | null> {
  // Of a pattern, the directory in which it is looked for.
  const fixed = /[*?[]/.test(word) ? word.slice(0, word.search(/[^/]*[*?[]/)) : word;
  const path = fixed.replace(/^~(?=\/|$)/, homedir());
  const spelled = path.startsWith('/') ? path : `${directory}/${path}`;
  if (path === '' || !existsSync(spelled)) return null;
  try {
    return await resolvePath(directory, path);
  } catch (error) {
    // A door of the kernel is still a path that somebody else's rules may speak of.
    if (error instanceof ToolFailure) return spelled;
    throw error;
  }
}
