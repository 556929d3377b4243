import { type SettledCall, ToolFailure } from '@countersign/protocol';
import { openTestSession, questionOf, run, testTool, until } from '@countersign/testkit';
import { expect, test } from 'vitest';
import { responseInfoOf, ToolCallError } from './function-response.js';
import { toOpenAiToolMessage } from './other-wires.js';

const DOUBT =
  '[The call had started and may have taken effect, in whole or in part. Check before repeating it.]';

const look = testTool({
  name: 'look',
  aliases: [{ name: 'see' }],
  run: ({ at }) => ({ llmContent: `seen ${String(at)}`, returnDisplay: { shown: at ?? null } }),
});
const change = testTool({
  name: 'change',
  kind: 'edit',
  run: ({ to }) => ({ llmContent: `now ${String(to)}` }),
});

const onlyResponse = (call: SettledCall) => {
  const { responseParts } = responseInfoOf(call);
  expect(responseParts).toHaveLength(1);
  return responseParts[0]?.functionResponse;
};

/** Have a call asked about and answered. */
async function answered(outcome: 'proceed_once' | 'cancel', payload: object): Promise<SettledCall> {
  const { session } = await openTestSession([change]);
  const running = run(session, [{ callId: 'c', name: 'change', args: { to: 'red' } }]);
  await session.idle();
  const { digest } = questionOf(session, 'c');
  await session.send({ type: 'answer', callId: 'c', digest, outcome, payload, by: 'ann' });
  const [call] = await running;
  await session.dispose();
  return call!;
}

test('what the model sees and what people see of a success are two things [L4]', async () => {
  const { session } = await openTestSession([look]);
  const [call] = await run(session, [{ callId: 'c', name: 'look', args: { at: 'sky' } }]);
  await session.dispose();
  expect(responseInfoOf(call!)).toEqual({
    callId: 'c',
    responseParts: [{ functionResponse: { id: 'c', name: 'look', response: { output: 'seen sky' } } }],
    resultDisplay: { shown: 'sky' },
    error: undefined,
    errorType: undefined,
  });
});

test('the answer goes back under the name the model used', async () => {
  const { session } = await openTestSession([look]);
  const [call] = await run(session, [{ callId: 'c', name: 'see', args: { at: 'sea' } }]);
  await session.dispose();
  expect(onlyResponse(call!)).toEqual({ id: 'c', name: 'see', response: { output: 'seen sea' } });
});

test('an unknown tool and a failing one report the same to the model, the display and the error [L3] [L4]', async () => {
  const broken = testTool({
    name: 'broken',
    run: () => {
      throw new Error('no light');
    },
  });
  const { session } = await openTestSession([look, broken]);
  const calls = await run(session, [
    { callId: 'a', name: 'lock' },
    { callId: 'b', name: 'broken' },
  ]);
  await session.dispose();
  const messages = calls.map((call) => {
    const { resultDisplay, error } = responseInfoOf(call);
    expect(onlyResponse(call)?.response).toEqual({ error: resultDisplay });
    expect(error).toBeInstanceOf(Error);
    expect(error?.message).toBe(resultDisplay);
    return resultDisplay;
  });
  expect(messages).toEqual([
    'Tool "lock" not found in registry. Did you mean "look"?',
    'The tool failed unexpectedly: no light',
  ]);
  expect(calls.map((call) => responseInfoOf(call).errorType)).toEqual([
    'tool_not_registered',
    'unhandled_exception',
  ]);
});

test('the error of a call keeps its words, its code and its advice in JSON', () => {
  const error = new ToolCallError({ code: 'temporary', message: 'busy' });
  expect(JSON.parse(JSON.stringify({ error }))).toEqual({
    error: {
      name: 'ToolCallError',
      message: 'A temporary error: busy',
      code: 'temporary',
      hint: 'Try again later.',
    },
  });
});

test('a declined call reports that to the model, with the feedback if there is any [L5]', async () => {
  const plain = await answered('cancel', {});
  expect(onlyResponse(plain)?.response).toEqual({ error: 'User did not allow tool call' });
  const response = responseInfoOf(await answered('cancel', { feedback: 'use blue' }));
  expect(response).toEqual({
    callId: 'c',
    responseParts: [
      {
        functionResponse: {
          id: 'c',
          name: 'change',
          response: { error: 'User did not allow tool call: use blue' },
        },
      },
    ],
    resultDisplay: 'User did not allow tool call: use blue',
    error: undefined,
    errorType: 'declined',
  });
});

test('a call aborted while running keeps its partial output, marked as partial [L5]', async () => {
  let begun = false;
  const slow = testTool({
    name: 'slow',
    run: (_args, { updateOutput, signal }) =>
      new Promise((resolve) => {
        updateOutput('half of it');
        signal.addEventListener('abort', () => resolve({ llmContent: 'half of it' }));
        begun = true;
      }),
  });
  const { session } = await openTestSession([slow]);
  const running = run(session, [{ callId: 'c', name: 'slow' }]);
  await until(() => begun, 'the call runs');
  await session.send({ type: 'cancel', target: { type: 'all' }, by: 'ann' });
  const [call] = await running;
  await session.dispose();
  const { resultDisplay, error, errorType } = responseInfoOf(call!);
  const kept = 'half of it\n[Partial output: the call did not finish.]';
  expect(onlyResponse(call!)?.response).toEqual({
    error: 'User cancelled tool execution.',
    output: `${kept}\n\n${DOUBT}`,
    mayHaveHappened: true,
  });
  expect({ resultDisplay, error, errorType }).toEqual({
    resultDisplay: `User cancelled tool execution.\n${kept}`,
    error: undefined,
    errorType: 'aborted',
  });
});

test('a failed call keeps what it had put out before', async () => {
  const halfway = testTool({
    name: 'halfway',
    run: (_args, { updateOutput }) => {
      updateOutput('step one');
      throw new Error('step two');
    },
  });
  const { session } = await openTestSession([halfway]);
  const [call] = await run(session, [{ callId: 'c', name: 'halfway' }]);
  await session.dispose();
  expect(onlyResponse(call!)?.response).toEqual({
    error: 'The tool failed unexpectedly: step two',
    output: `step one\n[Partial output: the call did not finish.]\n\n${DOUBT}`,
    mayHaveHappened: true,
  });
});

test('the model learns when a person changed its call, and what ran instead [A4]', async () => {
  const call = await answered('proceed_once', { args: { to: 'green' } });
  expect(onlyResponse(call)?.response).toEqual({
    output:
      'now green\n\nThe user changed the arguments of this call before it ran. The new arguments: {"to":"green"}',
  });
});

test('changed arguments too long for a model are cut, and the cut is reported [A4]', async () => {
  const call = await answered('proceed_once', { args: { to: 'x', more: 'y'.repeat(30_000) } });
  const output = String(onlyResponse(call)?.response?.output);
  expect(output).toMatch(/y \[\d+ more characters omitted\]$/);
  expect(output.length).toBeLessThan(20_500);
});

test('a command that failed gives its output and exit code as a success would, and both as fields [X4]', async () => {
  const ends = (exitCode: number, signal: string | null) =>
    testTool({
      name: `end_${exitCode}`,
      run: () => {
        throw new ToolFailure({ code: 'command_failed', exitCode, signal }, `oh\nExit code: ${exitCode}`);
      },
    });
  const { session } = await openTestSession([ends(3, null), ends(137, 'SIGKILL')]);
  const [failed, killed] = await run(session, [
    { callId: 'a', name: 'end_3', args: {} },
    { callId: 'b', name: 'end_137', args: {} },
  ]);
  await session.dispose();
  expect(responseInfoOf(failed!)).toMatchObject({ errorType: 'command_failed', exitCode: 3 });
  expect(responseInfoOf(failed!)).not.toHaveProperty('signal');
  expect(onlyResponse(failed!)?.response).toEqual({
    error: 'The command ended with exit code 3.',
    output: 'oh\nExit code: 3',
    exitCode: 3,
  });
  expect(responseInfoOf(killed!)).toMatchObject({ exitCode: 137, signal: 'SIGKILL' });
  expect(toOpenAiToolMessage(responseInfoOf(failed!)).content).toBe(
    'Error: The command ended with exit code 3.\noh\nExit code: 3',
  );
});

test('the exit code of a command that succeeded is a field of its response [X4]', async () => {
  const works = testTool({
    name: 'works',
    run: () => ({ llmContent: 'ok', returnDisplay: 'ok', exitCode: 0 }),
  });
  const { session } = await openTestSession([works]);
  const [call] = await run(session, [{ callId: 'a', name: 'works', args: {} }]);
  await session.dispose();
  expect(responseInfoOf(call!)).toMatchObject({ error: undefined, exitCode: 0 });
});
