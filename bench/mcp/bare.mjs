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

/** @returns {Promise<Required<McpCalls>>} */
export async function make() {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StdioClientTransport(ECHO));
  return {
    callTool: async () => assertEchoed(await client.callTool({ name: 'echo', arguments: ARGS })),
    close: () => client.close(),
  };
}
