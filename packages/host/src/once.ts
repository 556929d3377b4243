/** Made when it is first asked for: at the start of the program every schema that nobody needs yet costs time. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
