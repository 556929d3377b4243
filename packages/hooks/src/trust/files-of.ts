import { realpathSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { HookDefinition } from '../hook/hook.js';

/** What is run: a command line, and variables for it. */
export type RunWords = Pick<HookDefinition, 'command' | 'env'>;

/**
 * The files inside the workspace that a command names: its script, most often. Every word counts that could be a
 * path, also one beneath a directory that another word names (`cd hooks && ./check.sh`). What a script loads in its turn
 * is not looked for.
 */
export function filesOf({ command, env }: RunWords, workspace: string): readonly string[] {
  const root = realpathSync(workspace);
  const words = new Set([command, ...Object.values(env)].flatMap(wordsOf));
  const named = [...words].map((word) => resolve(root, word));
  const bases = new Set([root, ...named.filter(isDirectory)]);
  const paths = new Set([...bases].flatMap((base) => [...words].map((word) => resolve(base, word))));
  return [...paths].filter((path) => isFileWithin(root, path)).sort();
}

const HERE = /\$\{?(?:GEMINI_PROJECT_DIR|GEMINI_CWD|CLAUDE_PROJECT_DIR|PWD)\b\}?/g;
/** A word of a shell, with what it quotes. */
const WORD = /(?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"\\;&|<>()`])+/gs;

/** Every word, and its parts: a quoted script has words of its own, an option a value (`--rules=x`), a path list members. */
const wordsOf = (text: string): readonly string[] =>
  (text.replace(HERE, '.').match(WORD) ?? [])
    .flatMap((word) => {
      const bare = word.replace(/\\(.)|['"]/gs, '$1');
      return [bare, ...bare.split(/[\s=:,;&|<>()`'"]+/)];
    })
    .filter((word) => word !== '');

const isDirectory = (path: string): boolean => tried(() => statSync(path).isDirectory());

const isFileWithin = (root: string, path: string): boolean =>
  tried(
    () =>
      statSync(path).isFile() &&
      [path, realpathSync(path)].some((one) => one.startsWith(root.endsWith(sep) ? root : root + sep)),
  );

/** Most words are no paths at all, and what the system says of them does not matter. */
function tried(look: () => boolean): boolean {
  try {
    return look();
  } catch {
    return false;
  }
}
