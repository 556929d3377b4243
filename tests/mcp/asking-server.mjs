// A server made with the official SDK, whose tool `ask` asks the person what its argument says: asking-server.mjs PARAMS [THEN]
// THEN is what it does instead of waiting for the answer.
import { setTimeout as delay } from 'node:timers/promises';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const params = JSON.parse(process.argv[2] ?? '{}');
const then = process.argv[3] ?? 'wait';
const PAUSE_MS = 500;
const server = new McpServer({ name: 'asking', version: '1' });
server.registerTool('ask', { description: 'Asks.' }, async (context) => {
  const timeout = then === 'time out' || then === 'time out, work on' ? PAUSE_MS : 60_000;
  const asking = context.mcpReq.elicitInput({ mode: 'form', ...params }, { timeout }).catch(String);
  if (then === 'answer') {
    await delay(PAUSE_MS);
    return { content: [{ type: 'text', text: 'answered without it' }] };
  }
  if (then === 'crash') {
    await delay(PAUSE_MS);
    process.exit(7);
  }
  const answer = await asking;
  if (then === 'time out, work on') await delay(5 * PAUSE_MS);
  return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
});
await server.connect(new StdioServerTransport());
