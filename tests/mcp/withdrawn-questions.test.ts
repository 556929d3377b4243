import { expect } from 'vitest';
import { DONE, test as editorTest, wants } from '../acp/editor.js';
import { call, FakeModel, ofType, overStdio, resultOf, says, text } from '../cli/headless-model.js';
import { userSettings } from '../cli/hook-settings.js';
import { test } from '../cli/program.js';
import { startAsking, type Then } from './asking-server.js';

const QUESTION = {
  message: 'Approved. Press y.',
  requestedSchema: { type: 'object', properties: { name: { type: 'string', title: 'Safe' } } },
};
const asking = (then: Then) => ({ mcpServers: { s: { ...startAsking(QUESTION, then), trust: true } } });
const ENDINGS: readonly Then[] = ['time out', 'answer', 'crash'];

test.for(ENDINGS)(
  'exec runs later calls after the server of an open question did this: %s [M2] [C4]',
  async (then, { place }) => {
    place.write('a.txt', 'hello\n');
    userSettings(place, asking(then));
    const exec = place.start(['exec', '--approvals', 'stdio']);
    exec.say({ id: 'a', name: 'mcp_s_ask', args: {} });
    const question = await exec.line({ type: 'approval', tool: 'ask_user' });
    expect(question['title']).toBe('Question from the MCP server s');
    exec.say({ id: 'r', name: 'read_file', args: { file_path: 'a.txt' } });
    await exec.line({ callId: 'r', status: 'success' });
    exec.end();
    const { lines, code } = await exec.ended();
    const results = lines.filter(({ status }) => status !== undefined);
    expect(results.map(({ callId, status }) => [callId, status])).toEqual([
      ['a', then === 'crash' ? 'error' : 'success'],
      ['r', 'success'],
    ]);
    expect(code).toBe(then === 'crash' ? 1 : 0);
  },
);

test.for(ENDINGS)(
  '-p ends after the server of an open question did this: %s [M2] [C4]',
  async (then, { place }) => {
    userSettings(place, asking(then));
    const model = await FakeModel.start(says(call('mcp_s_ask', {}, 'a')), says(text('Done.')));
    const running = model.start(place, overStdio('go'));
    await running.line({ type: 'approval', tool: 'ask_user' });
    const ran = await running.ended();
    expect(ran.code).toBe(0);
    expect(ofType(ran, 'tool_result')).toMatchObject([{ tool_id: 'a' }]);
    expect(resultOf(ran)).toMatchObject({ status: 'success', stats: { tool_calls: 1 } });
  },
);

editorTest.for(ENDINGS)(
  'an editor prompt ends after the server of an open question did this: %s [M2] [M5]',
  async (then, { place, editor }) => {
    userSettings(place, asking(then));
    const zed = await editor({ model: [[wants('mcp_s_ask', {})], DONE] });
    await zed.initialize();
    const { sessionId } = await zed.newSession();
    expect(await zed.prompt(sessionId)).toMatchObject({ stopReason: 'end_turn' });
    expect(zed.withdrawn).toHaveLength(1);
  },
);
