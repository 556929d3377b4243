import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../../scripts/source/files.mjs';
import { DONE, test, wants } from './editor.js';

const FAULTY = join(root, 'tests/mcp/faulty-server.mjs');

test('servers that the editor gives are used for that session alone, word for word, and still ask [M5] [M1]', async ({
  place,
  editor,
}) => {
  const zed = await editor({
    model: [[wants('mcp_sums_add', { a: 1, b: 2 })], DONE, [wants('mcp_sums_add', { a: 1, b: 2 })], DONE],
    choose: async () => 'proceed_once',
    env: { FAULTY_LOG: join(place.directory, 'expanded') },
  });
  const { agentCapabilities } = await zed.initialize();
  expect(agentCapabilities?.mcpCapabilities).toMatchObject({ http: true, sse: true });
  // As text of the settings this would name a variable.
  const env = [{ name: 'FAULTY_LOG', value: join(place.directory, '$FAULTY_LOG') }];
  const sums = { name: 'sums', command: process.execPath, args: [FAULTY, '{}'], env };
  const { sessionId } = await zed.newSession(place.workspace, [sums]);
  await zed.prompt(sessionId);
  expect(zed.asked).toHaveLength(1);
  expect(zed.calls(sessionId)).toMatchObject([{ status: 'completed' }]);
  expect(place.has('../$FAULTY_LOG')).toBe(true);
  const other = await zed.newSession();
  await zed.prompt(other.sessionId);
  expect(zed.calls(other.sessionId)).toMatchObject([{ status: 'failed' }]);
});
