// Loaded into the program under test: stands in for a mistake of ours, an error in the main thread that nothing catches.
import { isMainThread } from 'node:worker_threads';

if (isMainThread)
  process.on('SIGUSR2', () => {
    throw new Error('the program broke');
  });
