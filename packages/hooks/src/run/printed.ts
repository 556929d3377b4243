import type { ChildProcess } from 'node:child_process';

const STDERR_BYTES_KEPT = 16_384; // logs: the beginning shows what went wrong

/** What a process prints: stdout as far as it may, of stderr the beginning. */
export class Printed {
  readonly #child: ChildProcess;
  readonly #stdout: Buffer[] = [];
  readonly #stderr: Buffer[] = [];

  constructor(child: ChildProcess, stdoutBytesMax: number, onTooMuch: () => void) {
    this.#child = child;
    child.stdout?.on('data', collect(this.#stdout, stdoutBytesMax, onTooMuch));
    child.stderr?.on(
      'data',
      collect(this.#stderr, STDERR_BYTES_KEPT, () => {}),
    );
  }

  /** Until no process holds the other ends open. */
  async closed(): Promise<void> {
    const { stdout, stderr } = this.#child;
    await Promise.all(
      [stdout, stderr].map(
        (stream) =>
          new Promise<void>((resolve) => {
            if (stream === null || stream.closed) resolve();
            else stream.once('close', resolve);
          }),
      ),
    );
  }

  get stdout(): Buffer {
    return Buffer.concat(this.#stdout);
  }

  get stderr(): string {
    return Buffer.concat(this.#stderr).toString('utf8');
  }

  /** Stops reading, even if a process may still print. */
  release(): void {
    for (const stream of this.#child.stdio) stream?.destroy();
  }
}

function collect(chunks: Buffer[], bytesMax: number, onTooMuch: () => void): (chunk: Buffer) => void {
  let room = bytesMax;
  return (chunk) => {
    if (room > 0) chunks.push(chunk.subarray(0, room));
    room -= chunk.length;
    if (room < 0) onTooMuch();
  };
}
