import { journalContract } from '@countersign/testkit/journal-contract';
import { memoryStore } from './memory.js';

journalContract('memory', () => {
  const store = memoryStore({ keep: 'all' });
  return { open: async () => store.open(), remove: () => {} };
});
