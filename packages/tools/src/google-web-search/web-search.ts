export type SearchResult = { readonly title: string; readonly url: string; readonly snippet: string };

export type SearchAnswer = {
  /** What is known already, with `[1]` for the first result and so on; null if there is a list only. */
  readonly answer: string | null;
  readonly results: readonly SearchResult[];
};

/** A service that searches the web. It throws a `ToolFailure` where it cannot. */
export type WebSearch = {
  /** The host that receives the query. */
  readonly host: string;
  readonly search: (query: string, signal: AbortSignal) => Promise<SearchAnswer>;
};
