/**
 * Characters that no reader sees and a model does: tags, zero-width ones, and those that turn the direction of writing.
 * They have no use in instructions but to hide some. Joiners stay, which emoji and scripts need.
 */
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** The text as a person sees it, and a word about what was taken out. */
export function withoutInvisible(text: string): string {
  const found = text.match(INVISIBLE)?.length ?? 0;
  if (found === 0) return text;
  const note = `[${found === 1 ? '1 invisible character is' : `${found} invisible characters are`} omitted here.]`;
  return `${text.replace(INVISIBLE, '').trimEnd()}\n${note}\n`;
}

export const visibleOnly = (text: string): string => text.replace(INVISIBLE, '');
