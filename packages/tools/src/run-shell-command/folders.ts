import { ToolFailure } from '@countersign/engine';
import { resolvePathSync } from '../paths/resolve-path.js';
import { withHome } from './home-of.js';

const FOLDERS_MAX = 16; // beyond, a line goes through more places than anybody follows

/**
 * What paths may be relative to: where a command begins, and where it goes. Of
 * several moves each may be taken or not, so that every way through them counts.
 */
export function foldersOf(moves: readonly string[], directory: string): readonly string[] {
  const folders = new Set([directory]);
  for (const move of moves) {
    for (const from of [...folders]) {
      const to = onwardFrom(from, move);
      if (to !== null && folders.size < FOLDERS_MAX) folders.add(to);
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
