import { ToolFailure } from '@countersign/protocol';
import { errnoOf } from './file-failure.js';
import { type HeldDirectory, type Holding, hold } from './open-inside.js';

const HELD_MAX = 64; // a search goes from one directory to the next, in a few places at once

/** Directories that are looked into again and again: each is opened once, and stays the same one while it is held. */
export class HeldDirectories {
  readonly #held = new Map<string, Holding | null>();

  /** The directory at this real path; null if there is none that can be reached without a symlink. */
  at(realPath: string): HeldDirectory | null {
    const known = this.#held.get(realPath);
    if (known !== undefined) return known;
    const [oldest] = this.#held.keys();
    if (oldest !== undefined && this.#held.size === HELD_MAX) this.#release(oldest);
    const opened = holdIfThere(realPath);
    this.#held.set(realPath, opened);
    return opened;
  }

  release(): void {
    for (const path of [...this.#held.keys()]) this.#release(path);
  }

  #release(path: string): void {
    this.#held.get(path)?.release();
    this.#held.delete(path);
  }
}

/** The same for one look, of a caller that cannot wait. */
export function lookInside<T>(realPath: string, look: (directory: HeldDirectory) => T): T | null {
  const directory = holdIfThere(realPath);
  if (directory === null) return null;
  try {
    const seen = look(directory);
    directory.assertInPlace();
    return seen;
  } catch (error) {
    if (isExpected(error)) return null;
    throw error;
  } finally {
    directory.release();
  }
}

function holdIfThere(realPath: string): Holding | null {
  try {
    const directory = hold(realPath, 'fail');
    directory.assertInPlace();
    return directory;
  } catch (error) {
    if (isExpected(error)) return null;
    throw error;
  }
}

const isExpected = (error: unknown): boolean => error instanceof ToolFailure || errnoOf(error) !== null;
