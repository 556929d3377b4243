// A server made with the official SDK, whose tool `ask` asks the person what its argument says: asking-server.mjs PARAMS
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const params = JSON.parse(process.argv[2] ?? '{}');
const server = new McpServer({ name: 'asking', version: '1' });
server.registerTool('ask', { description: 'Asks.' }, async (context) => {
  const answer = await context.mcpReq.elicitInput({ mode: 'form', ...params });
  return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
});
await server.connect(new StdioServerTransport());
