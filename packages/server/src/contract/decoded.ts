/** Decodes a percent-encoded name; empty if it is malformed, since nothing has an empty name. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
