/** A name with a line break in it may not pass for two. */
export const onOneLine = (name: string): string =>
  /[\p{Cc}\u2028\u2029]/u.test(name) ? JSON.stringify(name) : name;
