/** Something in a line that may be a path. In quotes it is one for certain, as far as that goes. */
export type Mention = { readonly path: string; readonly isCertain: boolean };

const LINE_CHARS_MAX = 1_000; // complaints are short, and what is not must not take long to search

/**
 * What may be a path in a complaint: words, and whole parts between colons,
 * since names have blanks in them. The last comes first, as what a complaint is
 * about stands at its end ("/bin/sh: 1: cannot create /etc/x: Read-only file
 * system"), and the longer before the shorter.
 */
export function pathsIn(given: string): readonly Mention[] {
  const line = given.slice(-LINE_CHARS_MAX);
  const mentions = PATTERNS.flatMap(({ pattern, isCertain }) =>
    [...line.matchAll(pattern)].map(({ index, 0: whole, groups }) => ({
      path: groups?.['path'] ?? '',
      isCertain,
      end: index + whole.length,
    })),
  );
  return mentions
    .filter(({ path }) => /[/.]/.test(path))
    .toSorted((one, other) => other.end - one.end || other.path.length - one.path.length);
}

const PATTERNS = [
  { pattern: /'(?<path>[^']+)'/g, isCertain: true },
  { pattern: /"(?<path>[^"]+)"/g, isCertain: true },
  { pattern: /‘(?<path>[^’]+)’/g, isCertain: true },
  // Up to a colon, and from the first slash that begins a word.
  { pattern: /(?:^|: )(?<path>[^:'"‘’]+?)(?= \(|:|$)/g, isCertain: false },
  { pattern: /(?<=^|[\s(])(?<path>\/[^:'"‘’]*?)(?= \(|:|$)/g, isCertain: false },
  {
    pattern: /(?<=^|[\s(<,=])(?:unix:\/\/|file:\/\/)?(?<path>[^\s:'"‘’()<>,;]+?)(?=[.:,;)]*(?:\s|$))/g,
    isCertain: false,
  },
] as const;
