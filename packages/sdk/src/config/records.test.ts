import { testTool } from '@countersign/testkit';
import { describe, expect, test } from 'vitest';
import type { CompletedToolCall, ToolCallResponseInfo } from '../types/call-types.js';
import { logToolCall, ToolCallEvent } from './records.js';

type Facts = Pick<CompletedToolCall, 'status'> &
  Partial<Pick<CompletedToolCall, 'outcome' | 'decidedBy' | 'waitedMs' | 'modified' | 'durationMs'>> & {
    readonly errorType?: string;
    readonly error?: Error;
  };

function completed({ errorType, error, ...facts }: Facts): CompletedToolCall {
  const response: ToolCallResponseInfo = {
    callId: 'c1',
    responseParts: [],
    resultDisplay: '',
    error,
    errorType,
  };
  return {
    request: { callId: 'c1', name: 'fetch', args: { url: 'http://a', token: 't' }, prompt_id: 'p1' },
    tool: testTool({ name: 'fetch' }),
    response,
    durationMs: 0,
    ...facts,
  };
}

test('a completed call becomes one record with every documented field [O1]', () => {
  const call = completed({
    status: 'error',
    outcome: 'proceed_once',
    decidedBy: 'ann',
    waitedMs: 900,
    durationMs: 25,
    error: new Error('The network failed: gone'),
    errorType: 'network',
  });
  expect(ToolCallEvent(call, { now: () => 1_700_000_000_000 })).toEqual({
    'event.name': 'tool_call',
    'event.timestamp': '2023-11-14T22:13:20.000Z',
    call_id: 'c1',
    function_name: 'fetch',
    function_args: { url: 'http://a', token: '[redacted]' },
    duration_ms: 25,
    status: 'error',
    success: false,
    prompt_id: 'p1',
    decision: 'accept',
    decided_by: 'ann',
    waiting_ms: 900,
    error: 'The network failed: gone',
    error_type: 'network',
  });
});

test('a record can be made with and without new', () => {
  const now = () => 5;
  const call = completed({ status: 'success' });
  expect(new ToolCallEvent(call, { now })).toEqual(ToolCallEvent(call, { now }));
});

test('the time of a record is the present unless a clock is given', () => {
  const before = Date.now();
  const at = Date.parse(ToolCallEvent(completed({ status: 'success' }))['event.timestamp']);
  expect(at).toBeGreaterThanOrEqual(before);
  expect(at).toBeLessThanOrEqual(Date.now());
});

test("an embedder's own rule of redaction is respected [O1]", () => {
  const record = ToolCallEvent(completed({ status: 'success' }), { redact: (key) => key === 'url' });
  expect(record.function_args).toEqual({ url: '[redacted]', token: '[redacted]' });
});

describe('the decision and its author: a person, a rule, a grant or policy [O1]', () => {
  test.each<[title: string, facts: Facts, decision: string | undefined, by: string | undefined]>([
    ['a yes', { status: 'success', outcome: 'proceed_once', decidedBy: 'ann' }, 'accept', 'ann'],
    ['an "always and save"', { status: 'success', outcome: 'proceed_always_and_save' }, 'accept', 'person'],
    [
      'a yes to changed arguments',
      { status: 'success', outcome: 'proceed_once', modified: true },
      'modify',
      'person',
    ],
    ['an editor', { status: 'success', outcome: 'modify_with_editor', decidedBy: 'ann' }, 'modify', 'ann'],
    [
      'a no',
      { status: 'cancelled', outcome: 'cancel', decidedBy: 'ann', errorType: 'declined' },
      'reject',
      'ann',
    ],
    ['a rule that allows', { status: 'success', decidedBy: 'rules.toml:3' }, 'auto_accept', 'rules.toml:3'],
    ['a default that allows', { status: 'success' }, 'auto_accept', 'policy'],
    ['a run that failed unasked', { status: 'error', errorType: 'network' }, 'auto_accept', 'policy'],
    ['a rule that denies', { status: 'error', errorType: 'policy_violation' }, 'reject', 'policy'],
    ['nobody to ask', { status: 'error', errorType: 'nobody_to_ask' }, 'reject', 'policy'],
    [
      'a denial after a yes',
      { status: 'error', outcome: 'proceed_once', decidedBy: 'ann', errorType: 'policy_violation' },
      'reject',
      'policy',
    ],
    ['an unknown tool', { status: 'error', errorType: 'tool_not_registered' }, undefined, undefined],
    ['bad arguments', { status: 'error', errorType: 'invalid_tool_params' }, undefined, undefined],
    ['an abort before any decision', { status: 'cancelled', errorType: 'aborted' }, undefined, undefined],
  ])('%s', (_title, facts, decision, by) => {
    const record = ToolCallEvent(completed(facts));
    expect([record.decision, record.decided_by]).toEqual([decision, by]);
  });
});

describe('handing a record on', () => {
  const record = ToolCallEvent(completed({ status: 'success' }));

  test('a collector of records gets it; without one nothing happens [O1]', () => {
    const got: unknown[] = [];
    logToolCall({ onToolCallRecord: (event) => void got.push(event) }, record);
    logToolCall({}, record);
    expect(got).toEqual([record]);
  });

  test('a collector may rely on its own `this`', () => {
    const sink = {
      got: 0,
      onToolCallRecord() {
        this.got += 1;
      },
    };
    logToolCall(sink, record);
    expect(sink.got).toBe(1);
  });

  test('a collector that throws or rejects is reported and harms nothing', async () => {
    const broken = new Error('disk full');
    const thrown: Error[] = [];
    logToolCall(
      {
        onToolCallRecord: () => {
          throw broken;
        },
      },
      record,
      (trouble) => thrown.push(trouble),
    );
    const rejected = await new Promise<Error>((resolve) =>
      logToolCall({ onToolCallRecord: () => Promise.reject(broken) }, record, resolve),
    );
    expect([...thrown, rejected].map(({ cause }) => cause)).toEqual([broken, broken]);
  });
});
