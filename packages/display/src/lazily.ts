/** Made when first needed: patterns over all of Unicode take a millisecond each, and most programs show plain text only. */
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
