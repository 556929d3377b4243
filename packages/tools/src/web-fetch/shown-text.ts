import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { countLines, errnoOf } from '@countersign/host';
import { UNTRUSTED_NOTE } from '../web/untrusted.js';

const TAIL_SHARE = 0.25; // pages begin with what they are about

/** As much of a text as may be shown: its head and tail, with a note between them that says where the whole is kept. */
export async function shownText(
  text: string,
  charsMax: number,
  directory: string,
  name: string,
): Promise<string> {
  if (text.length <= charsMax) return text;
  const tailChars = Math.floor(charsMax * TAIL_SHARE);
  const head = text.slice(0, endOfLine(text, charsMax - tailChars));
  const tail = wholeCharacters(text.slice(text.length - tailChars));
  const missing = text.length - head.length - tail.length;
  const where = await keep(`${HEADER}${text}`, join(directory, name), countLines(`${HEADER}${head}`));
  const note = `${missing.toLocaleString('en')} of ${text.length.toLocaleString('en')} characters are omitted here. ${where}`;
  return `${head}${head.endsWith('\n') ? '' : '\n'}[… ${note}]\n${tail}`;
}

const HEADER = `${UNTRUSTED_NOTE}\n\n`;

/** Stores the whole text there, and returns a sentence on how to continue after the lines that were shown. */
async function keep(text: string, path: string, linesShown: number): Promise<string> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, text, { mode: 0o600 });
  } catch (error) {
    return `They could not be stored: ${errnoOf(error) ?? String(error)}.`;
  }
  return `The full text is in ${path}: continue with read_file and start_line ${linesShown + 1}.`;
}

/** Where to cut: after a line, if that gives up little, and never within a character. */
function endOfLine(text: string, at: number): number {
  const afterLine = text.lastIndexOf('\n', at - 1) + 1;
  if (afterLine > at / 2) return afterLine;
  return isSecondHalf(text, at) ? at - 1 : at;
}

const wholeCharacters = (tail: string): string => (isSecondHalf(tail, 0) ? tail.slice(1) : tail);

function isSecondHalf(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
