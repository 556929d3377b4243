import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { isRunning } from '../../packages/hooks/src/testing/hook-place.js';
import { call, FakeModel, ofType, resultOf, says, streaming, text } from './headless-model.js';
import { type Place, type Running, test } from './program.js';

function allowCommands({ home }: Place): void {
  mkdirSync(join(home, 'policies'), { recursive: true });
  const rule = '[[rule]]\ntoolName = "run_shell_command"\ndecision = "allow"\npriority = 900\n';
  writeFileSync(join(home, 'policies', 'allow.toml'), rule);
}

/** A model whose command runs, in a front end that is started with it. */
async function atWork(
  place: Place,
  seconds: string,
  start: (model: FakeModel) => Promise<Running> | Running,
): Promise<{ readonly model: FakeModel; readonly running: Running }> {
  allowCommands(place);
  const command = `echo begun; sleep ${seconds}`;
  const model = await FakeModel.start(
    says(call('run_shell_command', { command }, 'c')),
    says(text('I should not be asked.')),
  );
  const running = await start(model);
  await expect.poll(() => isRunning(seconds), { timeout: 30_000 }).toBe(true);
  return { model, running };
}

for (const [index, signal] of (['SIGTERM', 'SIGHUP', 'SIGINT'] as const).entries())
  test(`-p that ${signal} ends does not ask its model again, and tells the result of the cancelled call [G1] [L5]`, async ({
    place,
  }) => {
    const { model, running } = await atWork(place, `71.${process.pid}${index}`, (fake) => {
      const started = fake.start(place, streaming('go', '--session', 's1'));
      started.end();
      return started;
    });
    running.signal(signal);
    const ran = await running.ended();
    expect(ran.code).toBe(130);
    expect(model.server.received).toHaveLength(1);
    const types = ran.lines.map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['tool_result', 'result']);
    expect(resultOf(ran)).toMatchObject({ status: 'error', stats: { total_tokens: 110, tool_calls: 1 } });
    const [result] = ofType(ran, 'tool_result');
    const words = JSON.stringify([result, resultOf(ran)['error']]);
    if (signal === 'SIGINT') return expect(words).toContain('User cancelled tool execution.');
    expect(words).toContain('was ended by a signal');
    expect(words).toContain(`Ended by ${signal}.`);
    expect(words).not.toMatch(/user/i);
    expect(ran.stderr.trimEnd().split('\n').at(-1)).toBe(
      `Ended by ${signal}. 1 call was cancelled. Left open in s1: the model had not answered. To resume: countersign --resume s1 -p ""`,
    );
    const resumed = await model.run(place, ['--resume', 's1', '-p', '']);
    expect([resumed.code, resumed.stdout]).toEqual([0, 'I should not be asked.\n']);
  });

test('acp that a signal ends does not ask its model again [G1] [L5]', async ({ place }) => {
  const { model, running } = await atWork(place, `72.${process.pid}`, async (fake) => {
    const started = fake.start(place, ['acp']);
    const request = (id: number, method: string, params: object) =>
      started.say({ jsonrpc: '2.0', id, method, params });
    request(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} });
    await started.line({ id: 1 });
    request(2, 'session/new', { cwd: place.workspace, mcpServers: [] });
    const { result } = await started.line({ id: 2 });
    const { sessionId } = result as { readonly sessionId: string };
    request(3, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] });
    return started;
  });
  running.signal('SIGTERM');
  expect((await running.ended()).code).toBe(130);
  expect(model.server.received).toHaveLength(1);
});
