// An MCP server made with the official SDK, with one tool that gives its text back.
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const server = new McpServer({ name: 'echo', version: '1' });
server.registerTool(
  'echo',
  { description: 'Says it again.', inputSchema: z.object({ message: z.string() }) },
  ({ message }) => ({
    content: [{ type: 'text', text: message }],
  }),
);
await server.connect(new StdioServerTransport());
