import { stripInvisible, untrusted } from '@countersign/tools';
import { shownName } from '../text/in-words.js';

/** A server's own text on how to use it. */
export type Instructions = { readonly server: string; readonly text: string };

const SERVER_CHARS_MAX = 4_000; // they go with every request to the model
const TOTAL_CHARS_MAX = 16_000;

/** The instructions of servers as a model reads them: cut to a limit, and marked as the servers' text; empty if there are none. */
export function instructionsText(all: readonly Instructions[]): string {
  let left = TOTAL_CHARS_MAX;
  const sections: string[] = [];
  for (const { server, text } of all) {
    const whole = stripInvisible(text).trim();
    const shown = whole.slice(0, Math.min(left, SERVER_CHARS_MAX));
    if (shown === '') continue;
    left -= shown.length;
    const cut = shown.length < whole.length ? `\n[${whole.length - shown.length} more characters]` : '';
    sections.push(`Server ${shownName(server)}:\n${untrusted(`${shown}${cut}`)}`);
  }
  return sections.join('\n');
}
