import { changeOf, type FileChange, type Seen } from './file-change.js';
import type { FileEdit } from './file-edit.js';

const KEPT_MAX = 64; // edits planned before the first of them runs are hardly ever more
const KEPT_BYTES_MAX = 20_000_000; // memory for edits that never run

type Kept = { readonly edit: FileEdit; readonly shown: string; readonly change: FileChange };

/**
 * Changes that were planned, for the runs that follow: working one out takes longer than writing it. Only that is
 * saved. The same edit of the same content makes the same change, and what the content is, each side finds out itself.
 */
export class KeptChanges {
  readonly #kept: Kept[] = [];

  plan(present: Seen | null, edit: FileEdit, shown: string): FileChange {
    const change = this.run(present, edit, shown);
    this.#kept.push({ edit, shown, change });
    while (this.#kept.length > KEPT_MAX || this.#bytes() > KEPT_BYTES_MAX) this.#kept.shift();
    return change;
  }

  /** Removes the change from those kept: each edit runs once. */
  run(present: Seen | null, edit: FileEdit, shown: string): FileChange {
    const at = this.#kept.findIndex(
      (kept) =>
        kept.shown === shown &&
        (kept.change.before?.hash ?? null) === (present?.hash ?? null) &&
        isSame(kept.edit, edit),
    );
    const [found] = at === -1 ? [] : this.#kept.splice(at, 1);
    return found?.change ?? changeOf(present, edit, shown);
  }

  #bytes(): number {
    return this.#kept.reduce((sum, { change }) => sum + bytesOf(change), 0);
  }
}

export const KEPT = new KeptChanges();

const isSame = (a: FileEdit, b: FileEdit): boolean =>
  a.verb === b.verb &&
  a.parameters.length === b.parameters.length &&
  a.parameters.every((part, at) => part === b.parameters[at]);

const bytesOf = ({ before, after }: FileChange): number =>
  (before?.text.text.length ?? 0) + after.text.length + after.bytes.length;
