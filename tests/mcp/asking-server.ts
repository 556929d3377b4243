import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@countersign/protocol';

/** Settings of a server whose tool `ask` asks the user this, and returns the answer that it receives. */
export const startAsking = (params: object): JsonObject => ({
  command: process.execPath,
  args: [fileURLToPath(new URL('asking-server.mjs', import.meta.url)), JSON.stringify(params)],
});
