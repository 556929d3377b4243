// Loaded into the program under test before anything of its own. Tools run in a thread; SQLite is used in the main one.
import { existsSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const death = process.env['CRASH_AT'];
const deathsFile = process.env['CRASH_DEATHS'];

if (isMainThread) {
  // SQLite must not be loaded in the thread of the tools.
  await import('./native-calls.mjs');
  if (death && deathsFile) {
    const { dieInMainThread, loadedFile } = await import('./die-at.mjs');
    const loaded = loadedFile(deathsFile);
    dieInMainThread(JSON.parse(death), deathsFile, () => existsSync(loaded));
  }
}
