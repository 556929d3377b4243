import type { Writable } from 'node:stream';

/** What was to be read by a person went nowhere. */
export class WriteFailed extends Error {
  constructor(readonly reason: Error) {
    super(`The terminal cannot be written to: ${reason.message}`);
    this.name = 'WriteFailed';
  }
}

/** Writes a text, and waits until the terminal has taken it. */
export const writeFully = (stream: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(new WriteFailed(error)) : resolve()));
  });
