import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} McpCalls
 * @property {() => Promise<void>} callTool one call of a tool of an MCP server over stdio, answered
 * @property {() => Promise<void>} [close]
 */

/** The server, the same for all: it gives the text back. */
export const ECHO = {
  command: process.execPath,
  args: [fileURLToPath(new URL('echo-server.mjs', import.meta.url))],
};
export const ARGS = { message: 'hello' };

/** @param {unknown} result */
export function assertEchoed(result) {
  if (!JSON.stringify(result)?.includes(ARGS.message)) throw new Error('nothing came back');
}
