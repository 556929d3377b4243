/** Where in a text something is from elsewhere: `[2][5]` after this many bytes of its UTF-8 form. */
export type Citation = { readonly endByte: number; readonly numbers: readonly number[] };

/** The text with its citations in it. */
export function citedText(text: string, citations: readonly Citation[]): string {
  const bytes = Buffer.from(text);
  const places = new Map<number, Set<number>>();
  for (const { endByte, numbers } of citations) {
    const at = endOfCharacter(bytes, endByte);
    places.set(at, new Set([...(places.get(at) ?? []), ...numbers]));
  }
  const pieces: string[] = [];
  let from = 0;
  for (const [at, numbers] of [...places].sort(([a], [b]) => a - b)) {
    pieces.push(bytes.toString('utf8', from, at), ...Array.from(numbers, (number) => `[${number}]`));
    from = at;
  }
  return `${pieces.join('')}${bytes.toString('utf8', from)}`;
}

/** An offset within a character would break it in two. */
function endOfCharacter(bytes: Uint8Array, offset: number): number {
  let at = Math.min(Math.max(offset, 0), bytes.length);
  while (at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return at;
}
