import { existsSync } from 'node:fs';
import type { EnteredFolders } from '@countersign/commands';
import { resolvePathSync } from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';
import { withHome } from './home-of.js';

const FOLDERS_MAX = 64; // beyond, a line enters more folders than a user can follow

/**
 * What paths may be relative to: where a command begins, and where it goes. Of several moves each may be taken or not,
 * so that every way through them counts; null if these are too many.
 */
export function foldersOf(
  { moves, mayRepeat }: Pick<EnteredFolders, 'moves' | 'mayRepeat'>,
  directory: string,
): readonly string[] | null {
  const folders = new Set([directory]);
  let before = 0;
  for (let isFirst = true; isFirst || (mayRepeat && folders.size > before); isFirst = false) {
    before = folders.size;
    for (const move of moves) {
      for (const from of [...folders]) {
        const to = onwardFrom(from, move);
        // The first time it may enter what it makes; what is entered again has to be there.
        if (to !== null && (isFirst || existsSync(to))) folders.add(to);
      }
      if (folders.size > FOLDERS_MAX) return null;
    }
  }
  return [...folders];
}

/** Where a change of directory leads; null if that can be nowhere. */
export function onwardFrom(from: string, move: string): string | null {
  if (move === '') return null;
  try {
    return resolvePathSync(from, withHome(move));
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    return error.failure.code === 'target_is_special' ? error.failure.path : null;
  }
}
