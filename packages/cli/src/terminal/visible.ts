/**
 * Text from a model, a file or a server, made safe to print: what would move the
 * cursor, change colours, reverse the writing direction or not be seen at all is
 * shown as its code instead. Line feeds and tabs stay.
 */
export function visible(text: string): string {
  let shown = '';
  for (const character of text) shown += isHidden(character) ? escape(character) : character;
  return shown;
}

/** The same for what must stay on its line, such as a file name: a line feed in it could start a line that passes for ours. */
export const visibleLine = (text: string): string => visible(text).replaceAll('\n', '\\x0a');

// Controls, formats (bidirectional marks, tags, BOM), lone surrogates, private use, line and paragraph separators, and
// whatever else Unicode says is drawn as nothing.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

const isHidden = (character: string) => character !== '\n' && character !== '\t' && HIDDEN.test(character);

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}
