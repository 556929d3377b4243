// Loaded before the program: reports to its parent process how much is left after all garbage is gone.
process.on('message', () => {
  if (!globalThis.gc) throw new Error('start with --expose-gc');
  // What the first leaves to finalizers, the second takes.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  process.send?.({ heapBytes: heapUsed, residentBytes: rss });
});
// The program ends when it is told to, not when nobody asks any more.
process.channel?.unref();
