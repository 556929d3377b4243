export type Span = { readonly start: number; readonly end: number };

export type Occurrences = {
  readonly spans: readonly Span[];
  /** Whether there may be more: the search stopped at a limit. */
  readonly more: boolean;
};

const OCCURRENCES_MAX = 10_000; // more is work for a program that rewrites files
const COMPARED_CHARS_MAX = 100_000_000; // a long text that nearly repeats itself is compared whole again and again
const OCCURRENCES_MIN = 10; // that are found in any case

/** Every one, also where they overlap: then it is not clear which was meant. */
export function occurrences(text: string, wanted: string): Occurrences {
  const max = Math.max(
    OCCURRENCES_MIN,
    Math.min(OCCURRENCES_MAX, Math.floor(COMPARED_CHARS_MAX / wanted.length)),
  );
  const spans: Span[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    if (spans.length === max) return { spans, more: true };
    spans.push({ start: at, end: at + wanted.length });
  }
  return { spans, more: false };
}

/** The same from left to right, without those that begin inside the one before. */
export function apart<S extends Span>(spans: readonly S[]): S[] {
  const kept: S[] = [];
  for (const span of spans) if (span.start >= (kept.at(-1)?.end ?? 0)) kept.push(span);
  return kept;
}
