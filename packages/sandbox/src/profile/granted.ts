import type { Need } from '@countersign/protocol';
import { isAtOrBelow } from './paths.js';

export type Granted = { readonly path: string; readonly scope: 'file' | 'tree' };

/**
 * The protected paths of the workspace that a person agreed to have written. To
 * agree to a directory that happens to hold the workspace is not to agree to these.
 */
export const guardedWrites = (needs: readonly Need[], workspace: string): Granted[] =>
  needs.flatMap((need) =>
    need.needs === 'write' && need.path !== workspace && isAtOrBelow(need.path, workspace)
      ? [{ path: need.path, scope: need.scope }]
      : [],
  );

export const covers = ({ path, scope }: Granted, other: string): boolean =>
  scope === 'tree' ? isAtOrBelow(other, path) : other === path;
