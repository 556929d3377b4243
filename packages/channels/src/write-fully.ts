import type { Writable } from 'node:stream';

/** A text for the user could not be written. */
export class WriteFailed extends Error {
  constructor(readonly reason: Error) {
    super(`The terminal cannot be written to: ${reason.message}`);
    this.name = 'WriteFailed';
  }
}

/** Resolves when the terminal has accepted the text. */
export const writeFully = (stream: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(new WriteFailed(error)) : resolve()));
  });
