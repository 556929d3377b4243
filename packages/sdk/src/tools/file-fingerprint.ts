import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Names what a file holds; null if there is no such file, or none that can be read. */
export async function fileFingerprint(path: string): Promise<string | null> {
  try {
    // Without waiting: opening a pipe would block until another process writes.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!(await file.stat()).isFile()) return null;
      const hash = createHash('sha256');
      for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk as Buffer);
      return hash.digest('hex');
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}
