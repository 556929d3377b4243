import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toolName } from './tool-name.js';

test('the name contains server and tool, as in other agents [M1]', () => {
  expect(toolName('files', 'read_file', ['files', 'notes'])).toBe('mcp_files_read_file');
  expect(toolName('my server', 'x.y:z', ['my server'])).toBe('mcp_my_server_x.y:z');
});

test('where two pairs would have one name, only the server that is spelled out has it [M1]', () => {
  const servers = ['a', 'a_b', 'a b'];
  expect(toolName('a_b', 'c', servers)).toBe('mcp_a_b_c');
  expect(toolName('a', 'b_c', servers)).toMatch(/^mcp_a_b_c_[0-9a-f]{8}$/);
  expect(toolName('a b', 'c', servers)).toMatch(/^mcp_a_b_c_[0-9a-f]{8}$/);
  expect(toolName('a', 'b_c', ['a'])).toBe('mcp_a_b_c');
});

test('a name that is too long, or not safe, ends with a hash and stays the same [M1]', () => {
  const long = toolName('server', 'x'.repeat(100), ['server']);
  expect(long).toHaveLength(63);
  expect(long).toBe(toolName('server', 'x'.repeat(100), ['server', 'other']));
  expect(long).not.toBe(toolName('server', 'x'.repeat(101), ['server']));
  expect(toolName('s', 'a/b', ['s'])).not.toBe(toolName('s', 'a_b', ['s']));
});

test('different pairs have different names, which the Gemini API takes [M1]', () => {
  const server = fc.string({ unit: fc.constantFrom('a', 'b', '_', ' ', 'é'), minLength: 1, maxLength: 5 });
  const tool = fc.string({ unit: fc.constantFrom('a', 'b', '_', '/', '.'), minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(server, tool, server, tool, (oneServer, oneTool, otherServer, otherTool) => {
      const servers = [oneServer, otherServer];
      const one = toolName(oneServer, oneTool, servers);
      const other = toolName(otherServer, otherTool, servers);
      expect(one).toMatch(/^[A-Za-z_][\w.:-]{0,62}$/);
      expect(one === other).toBe(oneServer === otherServer && oneTool === otherTool);
    }),
    { numRuns: 3_000 },
  );
});
