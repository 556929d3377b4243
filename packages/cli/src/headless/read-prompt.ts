import { messageOf, usage } from '../io/failure-text.js';
import type { Io } from '../io/io.js';
import type { HeadlessOptions } from './headless-options.js';

/** The prompt of a run. */
export type Prompt = {
  /** The piped input, then the typed prompt. Empty if there is neither. */
  readonly text: string;
  /** The typed prompt alone: `@` mentions files only there. */
  readonly typed: string;
};

const PIPED_CHARS_MAX = 8_000_000; // as much as Gemini CLI takes
/**
 * Timeout for the first byte of piped input, if there is also a typed prompt: many programs start others with an open
 * standard input and never write to it.
 */
const FIRST_BYTE_MS = 3_000;

export async function readPrompt(
  { prompt: typed, approvals }: HeadlessOptions,
  { stdin }: Io,
  warn: (text: string) => void,
): Promise<Prompt> {
  const isPiped = stdin.isTTY !== true && approvals !== 'stdio';
  const piped = isPiped ? await readPiped(stdin, typed.trim() === '' ? null : FIRST_BYTE_MS) : '';
  if (piped === null)
    warn(
      `No standard input arrived within ${FIRST_BYTE_MS / 1_000} s; continuing without it. Use "< /dev/null" if there is none.`,
    );
  const text = [piped?.trimEnd() ?? '', typed].filter((part) => part.trim() !== '').join('\n\n');
  return { text, typed };
}

/** Null if no input arrives in time. */
async function readPiped(stdin: Io['stdin'], timeoutMs: number | null): Promise<string | null> {
  let text = '';
  let hasTimedOut = false;
  const giveUp = () => {
    hasTimedOut = true;
    stdin.destroy();
  };
  const timer = timeoutMs === null ? undefined : setTimeout(giveUp, timeoutMs);
  try {
    stdin.setEncoding('utf8');
    for await (const chunk of stdin) {
      clearTimeout(timer);
      text += String(chunk);
      if (text.length > PIPED_CHARS_MAX) break;
    }
  } catch (thrown) {
    if (hasTimedOut) return null;
    throw usage(`Standard input cannot be read: ${messageOf(thrown)}`, 'countersign -p "…" < FILE');
  } finally {
    clearTimeout(timer);
  }
  if (hasTimedOut) return null;
  if (text.length > PIPED_CHARS_MAX)
    throw usage(
      `More than ${PIPED_CHARS_MAX.toLocaleString('en')} characters were piped in`,
      'a file in the workspace, mentioned in the prompt with @',
    );
  return text;
}
