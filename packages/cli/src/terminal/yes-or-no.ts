import { WriteFailed, writeFully } from '@countersign/channels';
import { usage } from '../io/failure-text.js';
import type { Io } from '../io/io.js';
import { canAsk } from '../io/same-terminal.js';

/** Asks the user in the terminal. 'closed': the user closed it without an answer. `instead` is the command for use without a terminal. */
export async function askYesOrNo(
  question: string,
  instead: string,
  io: Io,
): Promise<'yes' | 'no' | 'closed'> {
  if (!canAsk(io)) throw usage('There is no terminal to ask in', instead);
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: io.stdin, output: io.stderr, terminal: true });
  const closed = new AbortController();
  lines.once('SIGINT', () => closed.abort());
  lines.once('close', () => closed.abort());
  try {
    // Keys typed before the whole question is on the screen are ignored. The last line is the input prompt.
    const above = question.split('\n');
    const last = above.pop() ?? '';
    await writeFully(io.stderr, above.map((line) => `${line}\n`).join(''));
    const answer = await lines.question(`${last} [y/N] `, { signal: closed.signal });
    return /^(?:y|yes)$/i.test(answer.trim()) ? 'yes' : 'no';
  } catch (thrown) {
    if (closed.signal.aborted || thrown instanceof WriteFailed) return 'closed';
    throw thrown;
  } finally {
    lines.close();
    io.stdin.destroy();
  }
}
