import { expect, test } from 'vitest';
import { main } from '../../examples/mcp-servers.js';

test('tools of a server are asked about and run, and one that fails is reported by its calls [E2] [M1] [M2]', async () => {
  const { asked, ended, written, shown, problem, left } = await main();
  expect(asked).toEqual([expect.stringContaining('on the MCP server files')]);
  expect(ended).toEqual([
    ['success', undefined],
    ['error', 'mcp_unavailable'],
  ]);
  expect([written, shown]).toEqual(['hello\n', expect.stringContaining('hello')]);
  expect(problem).toContain('The MCP server "broken"');
  expect(left).toEqual([]);
});
