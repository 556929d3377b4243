/** The result of a look at the machine; null where the look throws: no such file, no permission, or no such format. */
export function orNull<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
