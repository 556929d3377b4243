import type { Result } from '@countersign/server/client';

const RETRY_MS = 500;
/** Then a user reloads the page; the state of the connection is shown in the meantime. */
const TRIES_MAX = 600;

/** Repeats a request until the server responds: later events do not contain what a missing list would have. */
export async function untilAnswered<T>(ask: () => Promise<Result<T>>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const answered = await ask();
    if (answered.ok) return answered.value;
    // Signed out: the page starts again after the next sign-in, so no caller needs the result.
    if (answered.error.status === 401) return new Promise(() => {});
    if (tries >= TRIES_MAX) throw new Error(answered.error.message);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
