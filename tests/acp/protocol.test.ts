import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { methods } from '@agentclientprotocol/sdk';
import { expect } from 'vitest';
import { asLines, type Line, PROGRAM, test as placeTest } from '../cli/program.js';
import { DONE, test } from './editor.js';

const request = (id: number, method: string, params: Line = {}): Line => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const HELLO = request(0, 'initialize', { protocolVersion: 1 });

test('initialize reports exactly the supported capabilities; another version gets ours [M5]', async ({
  editor,
}) => {
  const zed = await editor();
  const response = await zed.agent.request(methods.agent.initialize, { protocolVersion: 99 });
  expect(response).toMatchObject({
    protocolVersion: 1,
    agentInfo: { name: 'countersign' },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      sessionCapabilities: { list: {}, resume: {}, close: {} },
    },
  });
});

placeTest(
  'what is no request gets an error, and the next one is read [M5]',
  async ({ place, onTestFinished }) => {
    const child = spawn(process.execPath, [PROGRAM, 'acp'], { env: place.environment });
    onTestFinished(() => void child.kill('SIGKILL'));
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
    const answer = async (...lines: readonly unknown[]) => {
      child.stdin.write(asLines(...lines));
      const { id, error } = JSON.parse((await answers.next()).value);
      return { id, code: error?.code };
    };
    expect(await answer('garbage')).toEqual({ id: null, code: -32700 });
    for (const nonsense of ['[]', '7', '{}', '{"jsonrpc":"2.0","id":{},"method":"initialize"}'])
      expect(await answer(nonsense)).toEqual({ id: null, code: -32600 });
    const session = (cwd: unknown) => request(1, 'session/new', { cwd, mcpServers: [] });
    expect(await answer(session(place.workspace))).toEqual({ id: 1, code: -32600 });
    expect(await answer(HELLO)).toEqual({ id: 0, code: undefined });
    for (const cwd of [7, 'relative', '/no/such/folder'])
      expect(await answer(session(cwd))).toEqual({ id: 1, code: -32602 });
    expect(await answer(request(2, 'session/dance'))).toEqual({ id: 2, code: -32601 });
    const unheard = [
      { jsonrpc: '2.0', method: 'session/cancel', params: { sessionId: 'none' } },
      { jsonrpc: '2.0', id: 77, result: {} },
    ];
    expect(await answer(...unheard, HELLO)).toEqual({ id: 0, code: undefined });
    child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
  },
);

test('without a model a session is refused with what to set, and so is logging in [M5]', async ({
  place,
  editor,
}) => {
  const zed = await editor({ env: { OLLAMA_HOST: '127.0.0.1:9' } });
  const missing = {
    code: -32000,
    message: expect.stringContaining('GEMINI_API_KEY'),
    data: { type: 'model_not_configured' },
  };
  await expect(zed.newSession()).rejects.toMatchObject(missing);
  const methodId = 'environment';
  await expect(zed.agent.request(methods.agent.authenticate, { methodId })).rejects.toMatchObject(missing);
  const { lines } = await place.run(['approvals', 'list', '--json']);
  expect(lines).toEqual([]);
});

test('what is not supported is refused rather than omitted [M5]', async ({ place, editor }) => {
  const zed = await editor({ model: [DONE] });
  const cwd = place.workspace;
  const more = { cwd, mcpServers: [], additionalDirectories: ['/'] };
  await expect(zed.agent.request(methods.agent.session.new, more)).rejects.toMatchObject({ code: -32602 });
});
