import { setImmediate } from 'node:timers/promises';
import { decodeText, readFileAt } from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';
import { expandBraces } from '../ignore/braces.js';
import { ignoreRule, isIgnored } from '../ignore/ignore-rules.js';
import { walkFiles } from '../ignore/walk-files.js';
import { LineInProgress } from './found-line.js';
import { compileLinePattern, type LinePattern } from './line-pattern.js';
import type { Matches } from './matches.js';
import type { Search, Searched } from './search.js';

const FILE_BYTES_MAX = 20_000_000; // larger ones are data or logs, and are held whole here
const WORK_MS_MAX = 20; // matching may not block other calls

/** The same search, slower, for where ripgrep cannot run. */
export async function searchWithoutRipgrep(search: Search, matches: Matches): Promise<Searched> {
  const { pattern: source, letterCase, meaning, signal } = search;
  const pattern = await compileLinePattern({ argument: 'pattern', source, letterCase, meaning });
  const isIncluded = includes(search.place.scope === 'file' ? null : search.include);
  const unreadable: string[] = [];
  let files = 0;
  for await (const path of filesOf(search, unreadable)) {
    if (!isIncluded(path)) continue;
    files += 1;
    const read = await readTextAt(`${search.place.path}/${path}`);
    if (read === 'unreadable') unreadable.push(path);
    else if (read !== 'binary') await searchText({ path, text: read.text, pattern, search }, matches);
    // Its beginning was that of a text.
    if (typeof read === 'object' && read.text.includes('\0')) matches.dropBinary(path);
    signal.throwIfAborted();
    if (matches.isEnough) return { files: null, unreadable };
  }
  return { files, unreadable };
}

function filesOf({ place, signal }: Search, unreadable: string[]): Iterable<string> | AsyncIterable<string> {
  if (place.scope === 'file') return [place.name];
  return walkFiles({
    path: place.path,
    hides: (path, type) => place.filter.hides(path, type),
    depthMax: Number.POSITIVE_INFINITY,
    signal,
    unreadable: (directory) => unreadable.push(directory),
  });
}

/** A glob that names files, as ripgrep reads it: like a line of an ignore file, and with `!` the other way round. */
export function includes(glob: string | null): (path: string) => boolean {
  if (glob === null) return () => true;
  const isNegated = glob.startsWith('!');
  const rules = expandBraces(isNegated ? glob.slice(1) : glob)
    .map((alternative) => ignoreRule(alternative, 'ignore'))
    .filter((rule) => rule !== null);
  return (path) => {
    const slash = path.lastIndexOf('/') + 1;
    const files = [{ rules, below: path.slice(0, slash) }];
    return isIgnored(files, path.slice(slash), 'other') !== isNegated;
  };
}

async function readTextAt(path: string): Promise<{ readonly text: string } | 'binary' | 'unreadable'> {
  try {
    const file = await readFileAt(path, path, FILE_BYTES_MAX);
    return file === null ? 'unreadable' : (decodeText(file.bytes) ?? 'binary');
  } catch (error) {
    if (error instanceof ToolFailure) return 'unreadable';
    throw error;
  }
}

type SearchedText = {
  readonly path: string;
  readonly text: string;
  readonly pattern: LinePattern;
  readonly search: Search;
};

async function searchText({ path, text, pattern, search }: SearchedText, matches: Matches): Promise<void> {
  const { before, after, perFile } = search.limits;
  const lines = linesOf(text);
  const report = (index: number, column: number | null) => {
    const line = new LineInProgress(path, index + 1, column);
    line.add(Buffer.from(lines[index] ?? ''), 'lasting');
    matches.add(line.found());
  };
  let reported = -1;
  let matched = 0;
  let lastMatch = Number.NEGATIVE_INFINITY;
  let breathedAt = performance.now();
  for (const [index, line] of lines.entries()) {
    if (performance.now() - breathedAt > WORK_MS_MAX) {
      await setImmediate();
      search.signal.throwIfAborted();
      breathedAt = performance.now();
    }
    const at = matched > perFile ? -1 : pattern(line);
    if (at !== -1) {
      for (let near = Math.max(reported + 1, index - before); near < index; near += 1) report(near, null);
      report(index, Buffer.byteLength(line.slice(0, at)));
      matched += 1;
      lastMatch = index;
      reported = index;
    } else if (index - lastMatch <= after) {
      report(index, null);
      reported = index;
    } else if (matched > perFile) return;
    if (matches.isEnough) return;
  }
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}
