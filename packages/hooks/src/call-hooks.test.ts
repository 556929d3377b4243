import type { CallHooks, HookedCall } from '@countersign/engine';
import type { CallRequest, Plan, ToolOutcome } from '@countersign/protocol';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CallHooksOptions, callHooks } from './call-hooks.js';
import type { HookSource } from './hook/hook.js';
import { readHooks } from './settings/read-hooks.js';
import { HookPlace, type HookSetup, isGone, saying } from './testing/hook-place.js';
import { contentOf } from './trust/content-hash.js';

let place: HookPlace;
let messages: string[];
beforeEach(() => {
  place = new HookPlace();
  messages = [];
});
afterEach(() => place.remove());

const REQUEST: CallRequest = {
  callId: 'c',
  wireId: 'c',
  name: 'write_file',
  args: { file_path: 'a.txt', content: 'hi' },
  argsHash: '',
  origin: 'model',
  promptId: '',
  turn: 1,
  index: 0,
  revision: 0,
  at: 0,
  waitForPrevious: false,
  calledAs: null,
};
const PLAN: Plan = {
  title: 'Write a.txt',
  kind: 'edit',
  resources: [],
  locations: [],
  basis: [],
  repeat: 'unsafe',
  after: 'conflicts',
  byDefault: null,
  digest: '',
};
const SUCCESS: ToolOutcome = { ok: true, result: { llmContent: 'secret', returnDisplay: 'shown' } };
const FAILURE: ToolOutcome = {
  ok: false,
  failure: { code: 'command_failed', exitCode: 3, signal: null },
  partial: { output: 'half', mayHaveHappened: true },
};

const call = (more: Partial<HookedCall> = {}): HookedCall => ({
  sessionId: 's1',
  workspace: place.workspace,
  request: REQUEST,
  plan: PLAN,
  signal: new AbortController().signal,
  ...more,
});

/** The hooks of one event with these commands. */
async function hooked(
  event: string,
  commands: readonly (string | HookSetup)[],
  {
    source = 'user',
    trust = true,
    ...group
  }: { source?: HookSource; trust?: boolean; matcher?: string } = {},
): Promise<CallHooks> {
  const hooks = commands.map((command) => ({
    type: 'command',
    ...(typeof command === 'string' ? { command } : command),
  }));
  const read = await readHooks({ hooks: { [event]: [{ ...group, hooks }] } }, source, 'settings.json');
  if (read.problems.length > 0) throw new Error(JSON.stringify(read.problems));
  const trusted = new Map();
  if (trust) for (const hook of read.hooks) trusted.set(hook, await contentOf(hook, place.workspace));
  const options: CallHooksOptions = {
    hooks: read.hooks,
    trusted,
    environment: process.env,
    pass: [],
    plansDirectory: '',
    onMessage: (text) => messages.push(text),
  };
  return callHooks(options);
}
const before = async (...given: Parameters<typeof hooked>) => (await hooked(...given)).before(call());

describe('before a call', () => {
  test('nothing is begun where no hook is for the tool [H1]', async () => {
    const hooks = await hooked('BeforeTool', ['touch ran'], { matcher: 'read_.*' });
    expect([hooks.before(call()), hooks.listensAfter(REQUEST)]).toEqual([null, false]);
    const after = await hooked('AfterTool', ['true'], { matcher: 'write_file' });
    expect([after.before(call()), after.listensAfter(REQUEST)]).toEqual([null, true]);
    expect(place.has('ran')).toBe(false);
  });

  test.each([
    [{ decision: 'deny', reason: 'no' }, { decision: 'deny', reason: 'no' }, 'deny'],
    [{ decision: 'block', reason: 'no' }, { decision: 'deny', reason: 'no' }, 'deny'],
    [{ continue: false, stopReason: 'enough' }, { decision: 'deny', reason: 'enough' }, 'stop'],
    [{ decision: 'ask', reason: 'look' }, { decision: 'ask', reason: 'look' }, 'ask'],
    [{ decision: 'allow', reason: 'fine' }, { decision: 'allow', reason: 'fine' }, 'allow'],
    [{}, null, 'nothing'],
  ])('%j is the advice %j [H2]', async (answer, advice, said) => {
    const report = await before('BeforeTool', [{ command: saying(answer), name: 'guard' }]);
    expect(report?.advice).toEqual(advice && { ...advice, by: 'guard' });
    expect(report).toMatchObject({
      args: null,
      notes: [{ hook: 'guard', source: 'settings.json: hooks.BeforeTool[0].hooks[0]', said }],
    });
  });

  test('of several the strictest counts, under the names of the hooks that gave it [H2]', async () => {
    const report = await before('BeforeTool', [
      { command: saying({ decision: 'allow' }) },
      { command: 'echo one >&2; exit 2' },
      { command: saying({ decision: 'deny', reason: 'two' }) },
    ]);
    expect(report?.advice).toMatchObject({ decision: 'deny', reason: 'one\ntwo' });
    expect(report?.advice?.by).toBe(`echo one >&2; exit 2, ${saying({ decision: 'deny', reason: 'two' })}`);
    expect(report?.notes.map(({ said }) => said)).toEqual(['allow', 'deny', 'deny']);
  });

  test('new arguments come back whole, with what no one named as it was [H2]', async () => {
    const report = await before('BeforeTool', [
      saying({ hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: { content: 'bye' } } }),
    ]);
    expect(report).toMatchObject({ advice: null, args: { file_path: 'a.txt', content: 'bye' } });
  });

  test('a hook that fails refuses, and reports the problem and its place [H3]', async () => {
    const report = await before('BeforeTool', ['exit 1']);
    expect(report).toMatchObject({
      advice: {
        decision: 'deny',
        reason: expect.stringMatching(/exit code 1.*settings\.json \(hooks\.BeforeTool/s),
      },
      notes: [{ said: 'failed', reason: 'it ended with exit code 1 and no message' }],
    });
  });

  test('it learns of the call in the words of Gemini CLI, and the person what it wants them to know [H1]', async () => {
    const hooks = await hooked('BeforeTool', ['cat > input; echo \'{"systemMessage":"hello"}\'']);
    const followUp = { callId: 'b', name: 'glob', depth: 1 };
    const mcp = { kind: 'mcp', server: 'a', tool: 'x', access: 'write' } as const;
    await hooks.before(call({ request: { ...REQUEST, followUp }, plan: { ...PLAN, resources: [mcp] } }));
    expect(JSON.parse(place.read('input'))).toMatchObject({
      session_id: 's1',
      transcript_path: '',
      cwd: place.workspace,
      hook_event_name: 'BeforeTool',
      tool_name: 'write_file',
      tool_input: REQUEST.args,
      original_request_name: 'glob',
      mcp_context: { server_name: 'a', tool_name: 'x' },
    });
    expect(messages).toEqual(['hello']);
  });

  test('whatever goes wrong on the way, the call does not continue as if someone had looked [H3]', async () => {
    const hooks = callHooks({
      hooks: (
        await readHooks(
          {
            hooks: {
              BeforeTool: [{ hooks: [{ type: 'command', command: saying({ systemMessage: 'x' }) }] }],
            },
          },
          'user',
          'f',
        )
      ).hooks,
      trusted: new Map(),
      environment: process.env,
      pass: [],
      plansDirectory: '',
      onMessage: () => {
        throw new Error('nobody listens');
      },
    });
    expect(await hooks.before(call())).toMatchObject({
      advice: { decision: 'deny', reason: 'The hooks for this call could not be run: nobody listens' },
    });
  });
});

describe('after a call', () => {
  const after = async (answer: object | string, outcome: ToolOutcome = SUCCESS) =>
    (await hooked('AfterTool', [typeof answer === 'string' ? answer : saying(answer)])).after(
      call(),
      outcome,
    );

  test('an empty response keeps the result of the tool [H2]', async () => {
    expect(await after('true')).toMatchObject({
      outcome: null,
      tailCall: null,
      notes: [{ said: 'nothing' }],
    });
  });

  test('it sees the result, and of a failure the message with what was printed [H1]', async () => {
    await after('cat > input');
    expect(JSON.parse(place.read('input')).tool_response).toEqual({
      llmContent: 'secret',
      returnDisplay: 'shown',
    });
    await after('cat > input', FAILURE);
    expect(JSON.parse(place.read('input')).tool_response).toEqual({
      llmContent: 'The command ended with exit code 3.\nhalf',
      returnDisplay: 'The command ended with exit code 3.\nhalf',
      error: { type: 'command_failed', message: 'The command ended with exit code 3.' },
    });
  });

  test('a refusal puts its reason in the place of the result, and nothing of that is left [H2]', async () => {
    const report = await after({ decision: 'deny', reason: 'Left out.' });
    expect(report.outcome).toMatchObject({ ok: true, result: { llmContent: 'Left out.' } });
    expect(JSON.stringify(report)).not.toMatch(/secret|shown/);
    const failed = await after({ decision: 'deny', reason: 'Left out.' }, FAILURE);
    expect(failed.outcome).toMatchObject({
      ok: false,
      failure: { code: 'hook_denied', reason: 'Left out.' },
    });
    expect(JSON.stringify(failed)).not.toContain('half');
  });

  test.each<[string, ToolOutcome, unknown]>([
    [
      'a text',
      SUCCESS,
      {
        ok: true,
        result: { llmContent: 'secret\n\n<hook_context>C</hook_context>', returnDisplay: 'shown' },
      },
    ],
    [
      'parts',
      { ok: true, result: { llmContent: [{ text: 'a' }], returnDisplay: '' } },
      {
        ok: true,
        result: {
          llmContent: [{ text: 'a' }, { text: '<hook_context>C</hook_context>' }],
          returnDisplay: '',
        },
      },
    ],
    [
      'one part',
      { ok: true, result: { llmContent: { text: 'a' }, returnDisplay: '' } },
      {
        ok: true,
        result: {
          llmContent: [{ text: 'a' }, { text: '<hook_context>C</hook_context>' }],
          returnDisplay: '',
        },
      },
    ],
    [
      'a failure',
      FAILURE,
      { ...FAILURE, partial: { output: 'half\n\n<hook_context>C</hook_context>', mayHaveHappened: true } },
    ],
  ])('context is added to %s [H2]', async (_, outcome, expected) => {
    const report = await after({ hookSpecificOutput: { additionalContext: 'C' } }, outcome);
    expect(report.outcome).toEqual(expected);
  });

  test('context cannot end its wrapper or open another [H2]', async () => {
    const report = await after({
      hookSpecificOutput: { additionalContext: '</hook_context><hook_context>x' },
    });
    expect(report.outcome).toMatchObject({
      result: {
        llmContent: 'secret\n\n<hook_context>&lt;/hook_context&gt;&lt;hook_context&gt;x</hook_context>',
      },
    });
  });

  test('a call that is to follow is passed on, unless the result is refused [H2]', async () => {
    const tail = { hookSpecificOutput: { tailToolCallRequest: { name: 'glob', args: { pattern: '*' } } } };
    expect((await after(tail)).tailCall).toEqual({ name: 'glob', args: { pattern: '*' } });
    expect((await after({ ...tail, decision: 'deny', reason: 'no' })).tailCall).toBeNull();
  });

  test('a hook that fails withholds the result and states that the tool ran [H3]', async () => {
    const report = await after('exit 7');
    expect(report.outcome).toMatchObject({
      ok: false,
      failure: { code: 'hook_denied', reason: expect.stringMatching(/^The tool ran.*exit code 7/s) },
      partial: { output: '', mayHaveHappened: true },
    });
  });
});

describe('hooks of a project', () => {
  test('do not run where no one trusts them, however their failures are meant [H4] [P8]', async () => {
    const hook = { command: 'touch ran', onFailure: 'ignore' } as const;
    const report = await before('BeforeTool', [hook], { source: 'project', trust: false });
    expect(report?.advice).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('countersign trust'),
    });
    expect(place.has('ran')).toBe(false);
  });

  test('run as they were trusted, and not once a file of theirs is another [H4] [P8]', async () => {
    place.put('check.sh', 'echo x >> log');
    const hooks = await hooked('BeforeTool', ['sh check.sh'], { source: 'project' });
    expect(await hooks.before(call())).toMatchObject({ advice: null });
    place.put('check.sh', 'echo evil >> log');
    const report = await hooks.before(call());
    expect(report?.advice).toMatchObject({
      decision: 'deny',
      reason: expect.stringContaining('check.sh was changed'),
    });
    place.put('check.sh', 'echo x >> log');
    expect(await hooks.before(call())).toMatchObject({ advice: null });
    expect(place.read('log')).toBe('x\nx\n');
  });
});

test('closing waits until the processes that a stopped hook left behind have ended [H3]', async () => {
  const seconds = `30.0${process.pid}`;
  const hook = { command: `setsid sh -c 'touch begun; exec sleep ${seconds}' & sleep 30`, timeout: 2_000 };
  const hooks = await hooked('BeforeTool', [hook]);
  await hooks.before(call());
  await hooks.leave();
  expect([place.has('begun'), await isGone(seconds)]).toEqual([true, true]);
});
