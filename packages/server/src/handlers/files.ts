import type { Handlers, Parts } from './handler.js';

const FILES_SHOWN = 50;
/** Completion sends a request with every key; the tree is not listed for each. */
const FRESH_MS = 5_000;
/** A tree that takes longer is listed in part. */
const LISTING_MS_MAX = 3_000;

type Listing = Awaited<ReturnType<Parts['ports']['filesOf']>>;

export function fileHandlers({ ports }: Parts) {
  const listings = new Map<string, { readonly listing: Promise<Listing>; readonly at: number }>();
  return {
    listFiles: async ({ query: { query = '', limit = FILES_SHOWN }, scope }) => {
      const { files, complete } = await filesOf(scope.workspace);
      return { files: bestMatches(files, query.toLowerCase(), limit), complete };
    },
  } satisfies Partial<Handlers>;

  function filesOf(workspace: string): Promise<Listing> {
    const now = ports.now();
    for (const [key, { at }] of listings) if (now - at > FRESH_MS) listings.delete(key);
    const known = listings.get(workspace);
    if (known) return known.listing;
    const listing = ports.filesOf(workspace, AbortSignal.timeout(LISTING_MS_MAX));
    listings.set(workspace, { listing, at: now });
    listing.catch(() => listings.delete(workspace));
    return listing;
  }
}

/** Names that start with the query, then names that contain it, then paths that do; the shorter first. */
function bestMatches(files: readonly string[], query: string, limit: number): string[] {
  const ranked = files.flatMap((file) => {
    const path = file.toLowerCase();
    const name = path.slice(path.lastIndexOf('/') + 1);
    const rank = name.startsWith(query) ? 0 : name.includes(query) ? 1 : path.includes(query) ? 2 : null;
    return rank === null ? [] : [{ file, rank }];
  });
  return ranked
    .sort((a, b) => a.rank - b.rank || a.file.length - b.file.length || (a.file < b.file ? -1 : 1))
    .slice(0, limit)
    .map(({ file }) => file);
}
