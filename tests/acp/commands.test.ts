import { join } from 'node:path';
import { methods, type SessionUpdate } from '@agentclientprotocol/sdk';
import { expect } from 'vitest';
import { root } from '../../scripts/source/files.mjs';
import { DONE, type TestEditor, test } from './editor.js';

const FAULTY = join(root, 'tests/mcp/faulty-server.mjs');
const list = (...names: readonly string[]) => [
  { reply: { prompts: names.map((name) => ({ name, arguments: [{ name: 'file', required: true }] })) } },
];
/** A server with a prompt, which is another after a while. */
const SCRIPT = JSON.stringify({
  initialize: [
    {
      reply: {
        protocolVersion: '2025-06-18',
        capabilities: { prompts: { listChanged: true } },
        serverInfo: { name: 'faulty', version: '1' },
      },
    },
  ],
  'prompts/list': { seq: [list('review'), list('check')] },
  'prompts/get': {
    seq: [
      [{ reply: { messages: [{ role: 'user', content: { type: 'text', text: 'Look at it closely.' } }] } }],
      [{ notify: { method: 'notifications/prompts/list_changed' } }, { reply: { messages: [] } }],
      [],
    ],
  },
});
const commandsIn = (zed: TestEditor) =>
  zed.updates
    .map(({ update }): SessionUpdate => update)
    .flatMap((update) =>
      update.sessionUpdate === 'available_commands_update' ? [update.availableCommands] : [],
    );

test('prompts of MCP servers are commands in the editor, as the server has them now [M5] [M2]', async ({
  place,
  editor,
}) => {
  const zed = await editor({ model: [DONE] });
  const server = { name: 'guide', command: process.execPath, args: [FAULTY, SCRIPT], env: [] };
  const { sessionId } = await zed.newSession(place.workspace, [server]);
  await zed.until(() => commandsIn(zed).length > 0, 'the commands');
  expect(commandsIn(zed).at(-1)).toEqual([
    { name: 'review', description: 'a prompt (guide)', input: { hint: 'file' } },
  ]);

  expect(await zed.prompt(sessionId, '/review')).toMatchObject({ stopReason: 'end_turn' });
  expect(zed.words('agent_message_chunk')).toContain('/review needs "file". Usage: /review file');

  const said = await zed.agent.request(methods.agent.session.prompt, {
    sessionId,
    prompt: [
      { type: 'text', text: '/review a.ts' },
      { type: 'resource', resource: { uri: 'file:///tmp/note.txt', text: 'mind the gap' } },
    ],
  });
  expect(said).toMatchObject({ stopReason: 'end_turn' });
  await zed.load(sessionId);
  expect(zed.words('user_message_chunk')).toContain('Look at it closely.');
  expect(zed.words('user_message_chunk')).toContain('mind the gap');
  expect(zed.words('user_message_chunk')).not.toContain('/review a.ts');

  expect(await zed.prompt(sessionId, '/review b.ts')).toMatchObject({ stopReason: 'end_turn' });
  expect(zed.words('agent_message_chunk')).toContain('is empty: nothing was sent');
  await zed.until(() => commandsIn(zed).at(-1)?.[0]?.name === 'check', 'the new command');

  const waiting = zed.prompt(sessionId, '/check c.ts');
  await zed.cancel(sessionId);
  expect(await waiting).toEqual({ stopReason: 'cancelled' });
});
