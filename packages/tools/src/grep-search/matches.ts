import type { FoundLine } from './found-line.js';

export type MatchLimits = {
  /** How many matches are shown. */
  readonly total: number;
  readonly perFile: number;
  /** How many lines around a match are shown. */
  readonly before: number;
  readonly after: number;
};

export type FileMatches = { readonly path: string; readonly lines: readonly FoundLine[] };

export type Found = {
  /** In order of path, so that the same search gives the same answer. */
  readonly files: readonly FileMatches[];
  readonly shownMatches: number;
  readonly allMatches: number;
  readonly filesWithMatches: number;
  readonly binaryFiles: number;
  /** Whether there were too many even to count. */
  readonly stopped: boolean;
  /** Whether a file has more matches than were wanted of each. */
  readonly moreInFiles: boolean;
};

export const COUNTED_MAX = 20_000; // with more, another pattern helps, not the exact number
const SHOWN_CHARS_MAX = 100_000; // about 25,000 tokens

type FileInProgress = {
  readonly path: string;
  readonly lines: FoundLine[];
  matches: number;
  chars: number;
};

/**
 * Keeps what will be shown of the matches that a search finds in whatever order,
 * and counts the rest. What it holds stays near what is shown.
 */
export class Matches {
  readonly #limits: MatchLimits;
  readonly #isWanted: (path: string) => boolean;
  readonly #isExcluded: (text: string) => boolean;
  #files = new Map<string, FileInProgress>();
  #current: { readonly path: string; readonly file: FileInProgress | null } | null = null;
  #allMatches = 0;
  #keptMatches = 0;
  #keptChars = 0;
  #filesWithMatches = 0;
  #binaryFiles = 0;
  #moreInFiles = false;

  constructor(
    limits: MatchLimits,
    isWanted: (path: string) => boolean,
    isExcluded: (text: string) => boolean,
  ) {
    this.#limits = limits;
    this.#isWanted = isWanted;
    this.#isExcluded = isExcluded;
  }

  get #showsContext(): boolean {
    return this.#limits.before + this.#limits.after > 0;
  }

  get isEnough(): boolean {
    return this.#allMatches >= COUNTED_MAX;
  }

  /** Lines of one file come one after the other. */
  add(line: FoundLine): void {
    const file = this.isEnough ? null : this.#fileOf(line.path);
    if (file === null) return;
    const isMatch = line.isMatch && !this.#isExcluded(line.text);
    if (isMatch && file.matches >= this.#limits.perFile) {
      this.#moreInFiles = true;
      return;
    }
    if (isMatch) this.#count(file);
    if (!isMatch && !this.#showsContext) return;
    if (file.matches > this.#limits.total || file.chars > SHOWN_CHARS_MAX) return;
    file.lines.push({ ...line, isMatch });
    file.chars += line.text.length;
    this.#keptChars += line.text.length;
  }

  /** What looked like text at first: none of it counts. */
  dropBinary(path: string): void {
    const file = this.#fileOf(path);
    if (file === null || file.matches === 0) return;
    this.#binaryFiles += 1;
    this.#files.delete(path);
    this.#allMatches -= file.matches;
    this.#keptMatches -= file.matches;
    this.#filesWithMatches -= 1;
  }

  found(): Found {
    const { files, matches } = this.#firstFiles();
    return {
      files,
      shownMatches: matches,
      allMatches: this.#allMatches,
      filesWithMatches: this.#filesWithMatches,
      binaryFiles: this.#binaryFiles,
      stopped: this.isEnough,
      moreInFiles: this.#moreInFiles,
    };
  }

  #fileOf(path: string): FileInProgress | null {
    if (this.#current?.path === path) return this.#current.file;
    if (this.#keptMatches > 2 * this.#limits.total || this.#keptChars > 2 * SHOWN_CHARS_MAX) this.#prune();
    const file = this.#isWanted(path) ? { path, lines: [], matches: 0, chars: 0 } : null;
    this.#current = { path, file };
    return file;
  }

  #count(file: FileInProgress): void {
    if (file.matches === 0) {
      this.#files.set(file.path, file);
      this.#filesWithMatches += 1;
    }
    file.matches += 1;
    this.#allMatches += 1;
    this.#keptMatches += 1;
  }

  /** Forgets files that come too late in the order of paths to be shown. */
  #prune(): void {
    const kept = new Set(this.#firstFiles().files.map(({ path }) => path));
    this.#files = new Map([...this.#files].filter(([path]) => kept.has(path)));
    const files = [...this.#files.values()];
    this.#keptMatches = files.reduce((sum, { matches }) => sum + matches, 0);
    this.#keptChars = files.reduce((sum, { chars }) => sum + chars, 0);
  }

  #firstFiles(): { readonly files: FileMatches[]; readonly matches: number } {
    const files: FileMatches[] = [];
    let matches = 0;
    let chars = 0;
    for (const [path, file] of [...this.#files].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (matches >= this.#limits.total || chars > SHOWN_CHARS_MAX) break;
      const shown = this.#linesToShow(file.lines, this.#limits.total - matches);
      files.push({ path, lines: shown });
      matches += shown.filter(({ isMatch }) => isMatch).length;
      chars += file.chars;
    }
    return { files, matches };
  }

  /** The first matches and what lies around them; near others there may have been more. */
  #linesToShow(lines: readonly FoundLine[], matchesMax: number): FoundLine[] {
    const { before, after } = this.#limits;
    const matches = lines.filter(({ isMatch }) => isMatch).slice(0, matchesMax);
    const isShown = new Set(matches);
    const shown: FoundLine[] = [];
    let next = 0;
    for (const line of lines) {
      while ((matches[next]?.number ?? Number.POSITIVE_INFINITY) + after < line.number) next += 1;
      const match = matches[next];
      if (match === undefined) break;
      if (line.number < match.number - before) continue;
      shown.push({ ...line, isMatch: isShown.has(line) });
    }
    return shown;
  }
}
