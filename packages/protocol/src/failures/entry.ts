/** Who can act on it. */
export type Audience = 'model' | 'person' | 'operator';

/** The texts and properties of one kind of failure. */
export type Entry<F> = {
  readonly audience: Audience;
  /** An unchanged retry may succeed: the engine retries these and no others. */
  readonly transient?: true;
  readonly when: string;
  readonly message: (failure: F) => string;
  readonly hint: (failure: F) => string;
};

/** One for each code. */
export type Entries<F extends { readonly code: string }> = {
  readonly [C in F['code']]: Entry<Extract<F, { readonly code: C }>>;
};

/** Some lines of a file, the first of which has this number. */
export type Excerpt = { readonly line: number; readonly text: string };

export const nearestNames = (names: readonly string[], ifNone: string) =>
  names.length > 0 ? `Did you mean ${names.map((name) => `"${name}"`).join(', ')}?` : ifNone;

/** Each line with its number, and a line between excerpts, so that a model can tell them apart and quote them. */
export const numbered = (excerpts: readonly Excerpt[]) =>
  excerpts
    .map(({ line, text }) => text.split('\n').map((content, index) => `${line + index}: ${content}`))
    .map((lines) => lines.join('\n'))
    .join('\n--\n');
