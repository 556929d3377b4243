import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { HistoryPort } from '@countersign/tui';

/** The prompts that are kept. */
const ENTRIES_MAX = 1_000;
/** The file is cut when it has this many lines, not with each prompt. */
const LINES_MAX = 2_000;
/** Prompts may contain secrets: the file is readable only by the user. */
const FILE_MODE = 0o600;

/** Earlier prompts of the user, one JSON line each. An unreadable file only means an empty history. */
export async function openHistory(directory: string | null): Promise<HistoryPort> {
  if (directory === null) return { entries: [], add: () => {} };
  const path = join(directory, 'prompts.jsonl');
  const lines = await readFile(path, 'utf8').then(
    (text) => text.split('\n').filter((line) => line !== ''),
    () => [],
  );
  const entries = lines.slice(-ENTRIES_MAX).flatMap(entryOf);
  if (lines.length > LINES_MAX) await rewrite(path, entries).catch(() => {});
  return {
    entries,
    add: (entry) => void keep(path, entry).catch(() => {}),
  };
}

function entryOf(line: string): readonly string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'string' ? [entry] : [];
  } catch {
    return [];
  }
}

async function keep(path: string, entry: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await appendFile(path, `${JSON.stringify(entry)}\n`, { mode: FILE_MODE });
}

async function rewrite(path: string, entries: readonly string[]): Promise<void> {
  const aside = `${path}.${process.pid}`;
  await writeFile(aside, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: FILE_MODE });
  await rename(aside, path);
}
