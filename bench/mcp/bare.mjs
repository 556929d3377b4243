// The least that the same work costs: the official SDK's client.
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ARGS, assertEchoed, ECHO } from './workload.mjs';

/** @import { McpCalls } from './workload.mjs' */

export const name = 'MCP SDK, callTool';
export const version = () => {
  const file = new URL('../../node_modules/@modelcontextprotocol/client/package.json', import.meta.url);
  return String(JSON.parse(readFileSync(file, 'utf8')).version);
};

/**
 * Ours ends a server with all that it started, and so starts it in a session of its own. Linux divides a busy machine
 * among sessions first: a server that shares one with its client would be waited for as long as ours on an idle machine only.
 */
const IN_ITS_OWN_SESSION =
  process.platform === 'linux' ? { command: 'setsid', args: [ECHO.command, ...ECHO.args] } : ECHO;

/** @returns {Promise<Required<McpCalls>>} */
export async function make() {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport(IN_ITS_OWN_SESSION));
  return {
    callTool: async () => assertEchoed(await client.callTool({ name: 'echo', arguments: ARGS })),
    close: () => client.close(),
  };
}
