/** The beginning of a text, with a sign that it is no more than that. No character is cut in two. */
export function beginning(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const code = text.charCodeAt(charsMax);
  const isSecondHalf = code >= 0xdc00 && code <= 0xdfff;
  return `${text.slice(0, isSecondHalf ? charsMax - 1 : charsMax)}…`;
}
