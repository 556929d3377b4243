import { type ClientRequest, request } from 'node:http';

/** An answer that continues: a stream, or a download. */
export type OpenAnswer = {
  readonly status: number;
  readonly ended: Promise<void>;
  /** Whether there was an end to it, and not only no more. */
  readonly isComplete: () => boolean;
  /** For one that was not read from the beginning. */
  readonly read: () => void;
  readonly leave: () => void;
};

/** Resolves with the head of the answer; `ended` when the server has ended or cut it. */
export function openAnswer(
  url: string,
  headers: { readonly [name: string]: string },
  reading: 'reads' | 'does not read' = 'reads',
): Promise<OpenAnswer> {
  return new Promise((resolve, reject) => {
    const sent: ClientRequest = request(url, { headers, agent: false }, (answer) => {
      if (reading === 'reads') answer.resume();
      const ended = new Promise<void>((over) => {
        answer.on('close', over);
        answer.on('error', () => over());
      });
      resolve({
        status: answer.statusCode ?? 0,
        ended,
        isComplete: () => answer.complete,
        read: () => answer.resume(),
        leave: () => sent.destroy(),
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Milliseconds until something happens that is to happen soon. */
export async function timeUntil(happened: Promise<unknown>): Promise<number> {
  const began = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not happen within ${WAIT_MS} ms`)), WAIT_MS);
  });
  await Promise.race([happened, tooLate]).finally(() => clearTimeout(timer));
  return performance.now() - began;
}

const WAIT_MS = 5_000;
