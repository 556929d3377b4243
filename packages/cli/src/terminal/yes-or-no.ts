import { usage } from '../failure-text.js';
import type { Io } from '../io.js';

/** Ask a person in the terminal. 'gone': they left without a word. `instead` is what to type where there is no terminal. */
export async function askYesOrNo(question: string, instead: string, io: Io): Promise<'yes' | 'no' | 'gone'> {
  if (io.stdin.isTTY !== true || io.stderr.isTTY !== true)
    throw usage('There is no terminal to ask in', instead);
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: io.stdin, output: io.stderr, terminal: true });
  const gone = new AbortController();
  lines.once('SIGINT', () => gone.abort());
  lines.once('close', () => gone.abort());
  try {
    const answer = await lines.question(`${question} [y/N] `, { signal: gone.signal });
    return /^(?:y|yes)$/i.test(answer.trim()) ? 'yes' : 'no';
  } catch (thrown) {
    if (gone.signal.aborted) return 'gone';
    throw thrown;
  } finally {
    lines.close();
    io.stdin.destroy();
  }
}
