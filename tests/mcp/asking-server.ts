import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@countersign/protocol';

/** What the server does while its question is open. */
export type Then = 'wait' | 'time out' | 'time out, work on' | 'answer' | 'crash';

/** Settings of a server whose tool `ask` asks the user this, and returns the answer that it receives. */
export const startAsking = (params: object, then: Then = 'wait'): JsonObject => ({
  command: process.execPath,
  args: [fileURLToPath(new URL('asking-server.mjs', import.meta.url)), JSON.stringify(params), then],
});
