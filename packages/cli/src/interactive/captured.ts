import { Readable, Writable } from 'node:stream';
import { EXIT } from '../io/exit-codes.js';
import { CommandFailure, failureText } from '../io/failure-text.js';
import type { Io } from '../io/io.js';
import type { Command } from '../options/subcommand.js';

/** The output of a command of the program as a text. The command cannot ask questions. */
export async function captured(command: Command, args: readonly string[], io: Io): Promise<string> {
  let text = '';
  const sink = () =>
    Object.assign(
      new Writable({
        write: (chunk: Buffer, _, done) => {
          text += chunk.toString();
          done();
        },
      }),
      { columns: io.stdout.columns ?? 80 },
    );
  try {
    const code = await command(args, { ...io, stdin: Readable.from([]), stdout: sink(), stderr: sink() });
    return text.trimEnd() || (code === EXIT.ok ? 'Done.' : 'The command failed without a message.');
  } catch (thrown) {
    if (thrown instanceof CommandFailure) return failureText(thrown.failure);
    throw thrown;
  }
}
