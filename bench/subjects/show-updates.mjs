/** A tool that lets others have a turn now and then, as one that waits for a process would. */
const UPDATES_PER_TURN = 16;

/**
 * What a running tool of the live benchmark does.
 * @param {number} updates
 * @param {(output: string) => void} show
 */
export async function showUpdates(updates, show) {
  for (let update = 1; update <= updates; update++) {
    show(`line ${update}`);
    if (update % UPDATES_PER_TURN === 0) await Promise.resolve();
  }
}
