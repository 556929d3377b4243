import type { HeldDirectory } from '@countersign/host';
import type { TreeFilter } from '../ignore/tree-filter.js';
import type { MatchLimits } from './matches.js';

/** What is looked for, and where. */
export type Search = {
  readonly pattern: string;
  readonly meaning: 'regular expression' | 'literal';
  readonly letterCase: 'matters' | 'ignored';
  /** A glob, as in an ignore file; with `!` before it, what is omitted. */
  readonly include: string | null;
  readonly limits: MatchLimits;
  readonly respectsGitIgnore: boolean;
  readonly place: SearchedPlace;
  readonly signal: AbortSignal;
};

export type SearchedPlace = {
  readonly directory: HeldDirectory;
  /** The real path of that directory. */
  readonly path: string;
} & (
  | { readonly scope: 'tree'; readonly filter: TreeFilter }
  /** Only this file of it, whatever ignore files say. */
  | { readonly scope: 'file'; readonly name: string }
);

/** What became of a search, beside its matches. */
export type Searched = {
  /** null if it ended early. */
  readonly files: number | null;
  readonly unreadable: readonly string[];
};
