import type { Resource } from '@countersign/protocol';
import { isAtOrBelow } from './paths.js';

export type Granted = { readonly path: string; readonly scope: 'file' | 'tree' };

/** The protected paths that a person agreed to have written. */
export const guardedWrites = (resources: readonly Resource[]): Granted[] =>
  resources.flatMap((resource) =>
    resource.kind === 'fs.write' && resource.guarded !== null
      ? [{ path: resource.path, scope: resource.scope }]
      : [],
  );

export const covers = ({ path, scope }: Granted, other: string): boolean =>
  scope === 'tree' ? isAtOrBelow(other, path) : other === path;
