import type { SlashCommand } from '../commands/slash-commands.js';
import type { TextBuffer } from './text-buffer.js';

/** What could be meant by what is being typed. */
export type Completing =
  | { readonly what: 'file'; readonly typed: string; readonly from: number }
  | { readonly what: 'command'; readonly typed: string };

/** A word that begins with `@`, or a command at the very beginning, up to the cursor; null for anything else. */
export function completing({ text, cursor }: TextBuffer): Completing | null {
  const before = text.slice(0, cursor);
  const file = /(?<=^|\s)@((?:\\.|[^\s\\"])*)$/.exec(before);
  if (file) return { what: 'file', typed: (file[1] ?? '').replace(/\\(.)/g, '$1'), from: file.index };
  const command = /^\/([\w.:-]*)$/.exec(before);
  return command && cursor === text.length ? { what: 'command', typed: command[1] ?? '' } : null;
}

/** The text with a completion in its place. A path with blanks is quoted as the agent reads it. */
export function completed({ text, cursor }: TextBuffer, of: Completing, chosen: string): TextBuffer {
  if (of.what === 'command') return { text: `/${chosen} `, cursor: chosen.length + 2 };
  const word = `@${chosen.replace(/[\s\\"']/g, '\\$&')}`;
  const space = chosen.endsWith('/') ? '' : ' ';
  const begin = text.slice(0, of.from) + word + space;
  return { text: begin + text.slice(cursor).replace(/^ /, ''), cursor: begin.length };
}

export const commandMatches = (commands: readonly SlashCommand[], typed: string): readonly SlashCommand[] =>
  commands.filter(({ name }) => name.startsWith(typed));
