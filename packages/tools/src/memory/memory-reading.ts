import { splitLines, splitPath } from '@countersign/host';
import { codeRanges, isWithin } from './code-ranges.js';
import { withoutInvisible } from './invisible.js';
import { MENTION } from './mention.js';
import { readMemory } from './read-memory.js';

const DEPTH_MAX = 5; // files that import files that import …
const IMPORTS_MAX = 100; // of one reading; more is a web, not a memory
const CHARS_MAX = 100_000; // about 25,000 tokens, which every request carries

export type ReadFile = { readonly path: string; readonly text: string };

/** One reading of memory: each file comes once, and all of them together are limited. */
export class MemoryReading {
  readonly #shown: (path: string) => string;
  readonly #roots: readonly string[];
  readonly #given = new Set<string>();
  readonly #contents = new Set<string>();
  #charsLeft = CHARS_MAX;
  #importsLeft = IMPORTS_MAX;

  /** `roots`: where imports may come from. `shown`: how to name a file. */
  constructor(roots: readonly string[], shown: (path: string) => string) {
    this.#roots = roots;
    this.#shown = shown;
  }

  /**
   * A memory file with what it imports in place; null if it was given before, under another name, as an import or by a
   * file that says the same.
   */
  async read(directory: string, name: string, roots: readonly string[]): Promise<ReadFile | null> {
    const found = await readMemory(directory, name, roots);
    const spelled = `${directory === '/' ? '' : directory}/${name}`;
    if (!found.ok) return { path: spelled, text: `[${this.#shown(spelled)} was not read: ${found.why}]\n` };
    const content = found.text.trim();
    if (content === '' || this.#given.has(found.path) || this.#contents.has(content)) return null;
    this.#contents.add(content);
    // Beside a file of the user's that is kept elsewhere lie those it mentions.
    const own = splitPath(found.path).parent;
    return { path: found.path, text: await this.#complete(found, [], [...this.#roots, own]) };
  }

  async #complete(file: ReadFile, ancestors: readonly string[], roots: readonly string[]): Promise<string> {
    this.#given.add(file.path);
    const text = withoutInvisible(this.#within(file));
    const code = codeRanges(text);
    const complete: string[] = [];
    let start = 0;
    for (const line of splitLines(text)) {
      const mentions =
        this.#importsLeft < 0
          ? []
          : [...line.matchAll(MENTION)].filter(({ index }) => !isWithin(start + index, code));
      start += line.length;
      const [first] = mentions;
      if (first === undefined || line.trim() !== first[0]) complete.push(line);
      for (const [, path = ''] of mentions) {
        if (complete.at(-1)?.endsWith('\n') === false) complete.push('\n');
        complete.push(await this.#import(path, file, ancestors, roots));
      }
    }
    return complete.join('');
  }

  async #import(
    given: string,
    from: ReadFile,
    ancestors: readonly string[],
    roots: readonly string[],
  ): Promise<string> {
    const left = (why: string) => `[@${given} was not imported: ${why}]\n`;
    this.#importsLeft -= 1;
    // Reported once: an unlimited number of notes would be as bad as of files.
    if (this.#importsLeft < 0)
      return this.#importsLeft === -1 ? left(`At most ${IMPORTS_MAX} imports are read.`) : '';
    if (ancestors.length >= DEPTH_MAX) return left(`Imports are followed at most ${DEPTH_MAX} files deep.`);
    const found = await readMemory(splitPath(from.path).parent, given, roots);
    if (!found.ok) return left(found.why);
    const shown = this.#shown(found.path);
    const around = [...ancestors, from.path];
    if (around.includes(found.path)) return left(`It is ${shown}, which imports this file.`);
    if (this.#given.has(found.path)) return `[@${given}: ${shown} is given above.]\n`;
    const text = await this.#complete(found, around, roots);
    return `[From ${shown}:]\n${text.trimEnd()}\n[End of ${shown}.]\n`;
  }

  /** As much of it as is left for memory, in whole lines. */
  #within({ path, text }: ReadFile): string {
    const lines: string[] = [];
    for (const line of splitLines(text)) {
      if (line.length > this.#charsLeft) {
        this.#charsLeft = 0;
        return `${lines.join('')}[The rest of ${this.#shown(path)} is omitted: the limit of memory is ${CHARS_MAX} characters. Read the file if you need it.]\n`;
      }
      this.#charsLeft -= line.length;
      lines.push(line);
    }
    return lines.join('');
  }
}
