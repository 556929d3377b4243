import { baseName } from '@countersign/kernel';
import type { CommandUnit } from '@countersign/protocol';
import { looksOnly } from './read-only.js';

/** Programs whose arguments may hold statements with files in them. */
const DATABASES = /^(?:sqlite3?|duckdb|psql|mysql|mariadb)$/;

/** An address of a file, whatever host it names. */
const FILE_URL = /\bfile:\/{0,2}(?:[\w.-]*(?=\/))?(\/[^\s'"#?]*)/gi;
/** What stands in quotes within a word and has at least two names: `'/etc/hosts'`. */
const QUOTED = /(['"`])((?:~|\.\.)?\/[^'"`\s/]+\/[^'"`\n]*)\1/g;
/** `.output file` and its like. */
const DOT_COMMAND =
  /^\s*\.(?:output|once|read|open|backup|save|restore|log|load|import|archive|excel)\s+(?:-\S+\s+)*['"]?([^\s'"]+)/gm;
/** `@file`, `name=@file`, `name=<file` and `name@file` of curl. */
const TAKEN_FROM = /^(?:-[a-zA-Z]|--[\w-]+=)?(?:[^\s=@]*=)?[^\s=@]*[@<]([^;]+)/g;

/** Paths within words that are no paths themselves. */
export function embeddedPaths({ words, program, role }: CommandUnit): readonly string[] {
  const name = baseName(program ?? '');
  if (role.type !== 'command' || name === 'git' || looksOnly(words) !== null) return [];
  const patterns = [FILE_URL, QUOTED, ...(DATABASES.test(name) ? [DOT_COMMAND] : [])];
  return words
    .slice(1)
    .flatMap(({ outline }) => [
      ...patterns.flatMap((pattern) => [...outline.matchAll(pattern)].map((found) => found.at(-1) ?? '')),
      ...(name === 'curl' ? [...outline.matchAll(TAKEN_FROM)].map((found) => found[1] ?? '') : []),
    ]);
}
