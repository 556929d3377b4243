import { resultOf } from '@countersign/kernel';
import { type SettledCall, ToolFailure, type ToolResult } from '@countersign/protocol';
import { openTestSession, run, testTool, until } from '@countersign/testkit';
import { describe, expect, test } from 'vitest';
import { responseInfoOf } from './function-response.js';

type ToolParts = Parameters<typeof testTool>[0];

/** A call that is cancelled while its tool is at work; the tool returns when the test lets it. */
async function cancelledWhile(
  work: (finish: Promise<ToolResult>, signal: () => AbortSignal) => Promise<ToolResult>,
  parts: Partial<ToolParts> = {},
): Promise<SettledCall> {
  let begun = false;
  let finish: (result: ToolResult) => void = () => {};
  const finishing = new Promise<ToolResult>((resolve) => {
    finish = resolve;
  });
  const tool = testTool({
    name: 'slow',
    run: (_args, context) => {
      begun = true;
      return work(finishing, () => context.signal);
    },
    ...parts,
  });
  const { session } = await openTestSession([tool]);
  const running = run(session, [{ callId: 'c', name: 'slow' }]);
  await until(() => begun, 'the call runs');
  await session.send({ type: 'cancel', target: { type: 'all' }, by: 'ann' });
  finish(WHOLE);
  const [call] = await running;
  await session.dispose();
  if (!call) throw new Error('no call ended');
  return call;
}

const WHOLE: ToolResult = { llmContent: 'all of it', returnDisplay: '' };
const responseOf = (call: SettledCall) => resultOf(call).parts[0]?.functionResponse?.response;
const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

describe('a tool that returns its result after the cancellation', () => {
  test('and never looked at its signal has finished: the result is complete [L5] [L4]', async () => {
    const call = await cancelledWhile((finishing) => finishing);
    expect(call).toMatchObject({
      status: 'cancelled',
      partial: { output: 'all of it', mayHaveHappened: true, complete: true },
    });
    expect(responseOf(call)).toMatchObject({
      error: 'User cancelled tool execution.',
      output: expect.stringMatching(/^all of it\n\[.*had finished.*\]$/),
      complete: true,
    });
    expect(responseInfoOf(call)).toMatchObject({ complete: true });
    // Its end is known.
    expect(responseOf(call)).not.toHaveProperty('mayHaveHappened');
    expect(responseInfoOf(call)).not.toHaveProperty('mayHaveHappened');
    expect(JSON.stringify(responseInfoOf(call))).not.toContain('Partial output');
  });

  test('and looked at its signal is complete if the result says so [L5]', async () => {
    const looks = async (finishing: Promise<ToolResult>, signal: () => AbortSignal, more: object = {}) => {
      await aborted(signal());
      return { ...(await finishing), ...more };
    };
    const declared = await cancelledWhile((finishing, signal) =>
      looks(finishing, signal, { complete: true }),
    );
    expect(declared).toMatchObject({ partial: { output: 'all of it', complete: true } });
    const undeclared = await cancelledWhile(looks);
    expect(undeclared).toMatchObject({ partial: { output: 'all of it', mayHaveHappened: true } });
    expect(undeclared).not.toMatchObject({ partial: { complete: true } });
    expect(responseOf(undeclared)).toMatchObject({
      output: expect.stringMatching(
        /^all of it\n\[Partial output: the call did not finish\.\]\n\n\[.*may have taken effect.*\]$/,
      ),
      mayHaveHappened: true,
    });
  });

  test('and looked at its signal is complete if the tool always throws when it stops early [L5]', async () => {
    const call = await cancelledWhile(
      async (finishing, signal) => {
        await aborted(signal());
        return finishing;
      },
      { whenStopped: 'throws' },
    );
    expect(call).toMatchObject({ partial: { output: 'all of it', complete: true } });
  });
});

test('a call that was cancelled and left no output says that it may have happened [L5] [L4]', async () => {
  const call = await cancelledWhile(async (_finishing, signal) => {
    await aborted(signal());
    throw new Error('stopped');
  });
  expect(responseOf(call)).toEqual({
    error: 'User cancelled tool execution.',
    output: expect.stringMatching(/^\[.*may have taken effect.*\]$/),
    mayHaveHappened: true,
  });
  expect(responseInfoOf(call)).toMatchObject({ errorType: 'aborted', mayHaveHappened: true });
});

test.each([
  [
    'a server whose answer was lost',
    { code: 'mcp_outcome_unknown', server: 's', tool: 't', problem: 'it ended' },
  ],
  ['a command that cannot be found again', { code: 'command_lost', evidence: 'its record is gone' }],
] as const)('%s may have done it, and the model is told [L5]', async (_, failure) => {
  const tool = testTool({
    name: 'lost',
    run: () => {
      throw new ToolFailure(failure);
    },
  });
  const { session } = await openTestSession([tool]);
  const [call] = await run(session, [{ callId: 'c', name: 'lost' }]);
  await session.dispose();
  expect(responseOf(call!)).toMatchObject({
    mayHaveHappened: true,
    output: expect.stringContaining('may have'),
  });
});

test('a call that never started says nothing of the kind [L5]', async () => {
  const { session } = await openTestSession([]);
  const [call] = await run(session, [{ callId: 'c', name: 'nothing' }]);
  await session.dispose();
  expect(responseOf(call!)).not.toHaveProperty('mayHaveHappened');
  expect(responseInfoOf(call!)).not.toHaveProperty('mayHaveHappened');
});
