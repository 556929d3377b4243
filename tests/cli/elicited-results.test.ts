import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../../scripts/source/files.mjs';
import { userSettings } from './hook-settings.js';
import { test } from './program.js';

const form = JSON.stringify({
  message: 'Where?',
  requestedSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
});

test('exec prints results only for calls that it was sent, not for the questions of an MCP server [M2] [C3]', async ({
  place,
}) => {
  const program = join(root, 'tests/mcp/asking-server.mjs');
  userSettings(place, { mcpServers: { asking: { command: process.execPath, args: [program, form] } } });
  const exec = place.start(['exec', '--approvals', 'stdio', '--mode', 'yolo']);
  exec.say({ id: 'm', name: 'mcp_asking_ask', args: {} });
  const question = await exec.line({ type: 'approval', kind: 'ask_user' });
  exec.answer(question, 'proceed_once', { payload: { answers: ['Bern'] } });
  await exec.line({ callId: 'm', status: 'success' });
  exec.end();
  const { lines, code } = await exec.ended();
  expect(code).toBe(0);
  expect(lines.filter(({ type, status }) => type === undefined && status !== undefined)).toMatchObject([
    { callId: 'm', status: 'success' },
  ]);
});
