import { readSync } from 'node:fs';
import type { RunContext } from '@countersign/engine';
import { type OpenedFile, readFrom } from '@countersign/host';

const BEGINNING_BYTES = 65_536; // all of most files, and enough to recognise the type of the others
const SMALLEST_READ_BYTES = 4_096; // some file systems give a size of 0 to what they make up when it is read
const PIECE_BYTES = 262_144; // large enough that the number of reads does not matter

/** The bytes of an open file, piece by piece, as often as they are asked for. */
export class FileBytes {
  readonly size: number;
  readonly beginning: Buffer;
  /** Whether the beginning is the whole file. */
  readonly isAll: boolean;
  readonly #fd: number;

  /**
   * Reads the beginning at once and without waiting: what was opened a moment ago is a few microseconds away, where a
   * queued read costs more than all the rest of a call.
   */
  constructor(file: OpenedFile) {
    this.#fd = file.fd;
    this.size = Number(file.stats.size);
    // One byte more than there should be: a read that comes back short has met the end.
    const wanted = Math.min(Math.max(this.size + 1, SMALLEST_READ_BYTES), BEGINNING_BYTES);
    const buffer = Buffer.allocUnsafe(wanted);
    const bytesRead = readSync(file.fd, buffer, 0, wanted, 0);
    this.beginning = buffer.subarray(0, bytesRead);
    this.isAll = bytesRead < wanted && bytesRead >= this.size;
  }

  /** Every piece but the first is overwritten by the next one. */
  async *pieces(context: Pick<RunContext, 'signal'>): AsyncGenerator<Uint8Array> {
    yield this.beginning;
    if (this.isAll) return;
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    let position = this.beginning.length;
    for (;;) {
      context.signal.throwIfAborted();
      const { bytesRead } = await readFrom(this.#fd, buffer, 0, PIECE_BYTES, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
}
