import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HookDefinition, HookSource } from '../hook/hook.js';
import { readHooks } from '../settings/read-hooks.js';
import { HookPlace, saying, WRITE } from '../testing/hook-place.js';
import { runHooks } from './run-hooks.js';

let place: HookPlace;
beforeEach(() => {
  place = new HookPlace();
});
afterEach(() => place.remove());

describe('several hooks', () => {
  test('the strictest verdict counts, with the reasons of the hooks that gave it [H2]', async () => {
    const words = [
      { decision: 'allow', reason: 'fine', systemMessage: 'one' },
      { decision: 'deny', reason: 'no', suppressOutput: true },
      { decision: 'ask', reason: 'sure?', systemMessage: 'three' },
      { decision: 'block', reason: 'never' },
      {},
    ];
    const said = async (count: readonly number[]) =>
      place.before(count.map((index) => ({ command: saying(words[index]), name: `hook ${index}` })));
    expect(await said([0, 1, 2, 3, 4])).toMatchObject({
      verdict: { type: 'deny', reason: 'no\nnever' },
      systemMessage: 'one\nthree',
      suppressOutput: true,
    });
    expect(await said([0, 2, 4])).toMatchObject({
      verdict: { type: 'ask', reason: 'sure?' },
      suppressOutput: false,
    });
    expect((await said([4, 0])).verdict).toEqual({ type: 'allow', reason: 'fine' });
    expect((await said([4])).verdict).toEqual({ type: 'none' });
    expect((await said([])).verdict).toEqual({ type: 'none' });
  });

  test('one that fails refuses, whatever the others answer [H3]', async () => {
    const { verdict } = await place.before([
      { command: saying({ decision: 'allow' }) },
      { command: 'exit 9' },
    ]);
    expect(verdict.type).toBe('deny');
  });

  test('an end is stronger than a refusal [H2]', async () => {
    const { verdict } = await place.before([
      { command: saying({ decision: 'deny', reason: 'no' }) },
      { command: saying({ continue: false, stopReason: 'enough' }) },
    ]);
    expect(verdict).toEqual({ type: 'stop', reason: 'enough' });
  });

  test('run at the same time, twenty of them too [H1]', async () => {
    // Each waits until all have begun: one after the other they would never end.
    const command = (index: number) =>
      `touch here.${index}; for i in {1..500}; do set -- here.*; [ $# -eq 20 ] && break; sleep 0.02; done; [ $# -eq 20 ]`;
    const hooks = Array.from({ length: 20 }, (_, index) => ({ command: command(index) }));
    const report = await place.before(hooks);
    expect(report.verdict).toEqual({ type: 'none' });
    expect(report.runs.map(({ hook }) => hook.command)).toEqual(hooks.map((hook) => hook.command));
  });

  test('take turns if one group wants it, also those of other groups [H1]', async () => {
    const note = (name: string) => ({
      type: 'command',
      command: `echo ${name}+ >> log; sleep 0.05; echo ${name}- >> log`,
    });
    await place.fire('BeforeTool', WRITE, {
      hooks: { BeforeTool: [{ hooks: [note('a'), note('b')] }, { sequential: true, hooks: [note('c')] }] },
    });
    expect(place.read('log').split('\n').join('')).toBe('a+a-b+b-c+c-');
  });

  test('the same name and command runs once [H1]', async () => {
    const command = 'echo x >> log';
    const report = await place.before([
      { command },
      { command },
      { command, name: 'other' },
      { command, name: 'other' },
    ]);
    expect(report.runs).toHaveLength(2);
    expect(place.read('log')).toBe('x\nx\n');
  });

  test('of the same hook twice that of more standing counts, and all run in the order of their sources [H4]', async () => {
    const settings = (onFailure: string, extra: string) => ({
      hooks: {
        BeforeTool: [
          { hooks: [{ type: 'command', command: 'exit 7', name: 'guard', onFailure }] },
          { hooks: [{ type: 'command', command: 'true', name: extra }] },
        ],
      },
    });
    const all: HookDefinition[] = [];
    for (const source of ['extension', 'system', 'user', 'project'] satisfies HookSource[]) {
      const { hooks } = await readHooks(
        settings(source === 'system' ? 'deny' : 'ignore', source),
        source,
        source,
      );
      all.push(...hooks);
    }
    const report = await runHooks('BeforeTool', WRITE, place.context(all));
    expect(report.verdict.type).toBe('deny');
    expect(report.runs.map(({ hook: { source, name } }) => `${source} ${name}`)).toEqual([
      'system guard',
      'project project',
      'user user',
      'system system',
      'extension extension',
    ]);
  });

  test('only those run that the event and the tool are for [H1]', async () => {
    const note = (name: string) => [{ type: 'command', command: `echo ${name} >> log` }];
    const settings = {
      hooks: {
        BeforeTool: [
          { matcher: 'write_file|replace', hooks: note('1 writes') },
          { matcher: 'read_.*', hooks: note('2 reads') },
          { hooks: note('3 all') },
        ],
        AfterTool: [{ matcher: '*', hooks: note('4 after') }],
        PreCompress: [
          { matcher: 'auto', hooks: note('5 auto') },
          { matcher: 'manual', hooks: note('6 manual') },
        ],
      },
    };
    await place.fire('BeforeTool', WRITE, settings);
    await place.fire('PreCompress', { trigger: 'manual' }, settings);
    expect(place.read('log').trim().split('\n').sort()).toEqual(['1 writes', '3 all', '6 manual']);
  });

  test('one that wants to be kept out of logs leaves none [H1]', async () => {
    const report = await place.before([
      { command: `echo secret >&2; ${saying({ suppressOutput: true, decision: 'ask', reason: 'sure?' })}` },
    ]);
    expect(report).toMatchObject({ suppressOutput: true, verdict: { type: 'ask', reason: 'sure?' } });
    expect(JSON.stringify(report.runs.map(({ log }) => log))).not.toContain('secret');
  });

  test('each run holds hook, outcome and duration, as plain data', async () => {
    const report = await place.before([
      {
        command: `sleep 0.2; echo looked >&2; ${saying({ hookSpecificOutput: { mode: 'x' } })}`,
        name: 'slow',
      },
      { command: 'exit 4' },
    ]);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
    expect(report.runs).toMatchObject([
      {
        hook: { name: 'slow', source: 'user', file: 'settings.json', path: 'hooks.BeforeTool[0].hooks[0]' },
        outcome: { type: 'answered', answer: { decision: null, other: { mode: 'x' } } },
        log: 'looked\n',
        leftRunning: false,
      },
      { hook: { name: null, command: 'exit 4' }, outcome: { type: 'failed', onFailure: 'deny' } },
    ]);
    expect(report.runs[0]?.durationMs).toBeGreaterThanOrEqual(200);
  });
});

describe('changing the arguments', () => {
  const changing = (tool_input: object) => ({
    command: saying({ hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input } }),
  });

  test('names only what changes: the rest stays as it was [H2]', async () => {
    const { toolInput, verdict } = await place.before([changing({ content: 'ho', mode: null })]);
    expect(toolInput).toEqual({ file_path: 'a.txt', content: 'ho', mode: null });
    expect(verdict).toEqual({ type: 'none' });
  });

  test('to what they are changes nothing [H2]', async () => {
    expect((await place.before([changing({ content: 'hi' }), changing({})])).toolInput).toBeNull();
  });

  test('by several adds up, and the last word on one argument counts [H2]', async () => {
    const { toolInput } = await place.before([
      changing({ content: '1', a: 1 }),
      changing({ content: '2', b: 2 }),
    ]);
    expect(toolInput).toEqual({ file_path: 'a.txt', content: '2', a: 1, b: 2 });
  });

  test('is seen by the hooks that run later [H2]', async () => {
    const append = place.node(
      'append.cjs',
      `const { tool_input } = JSON.parse(require('fs').readFileSync(0));
       console.log(JSON.stringify({ hookSpecificOutput: { tool_input: { content: tool_input.content + '!' } } }));`,
    );
    const hooks = [
      { command: append, name: 'a' },
      { command: append, name: 'b' },
    ];
    expect((await place.before(hooks, { sequential: true })).toolInput).toMatchObject({ content: 'hi!!' });
    expect((await place.before(hooks)).toolInput).toMatchObject({ content: 'hi!' });
  });

  test('is void where the call is refused, and not done by a hook that failed [H2] [H3]', async () => {
    const refused = await place.before([changing({ content: 'ho' }), { command: 'exit 2' }]);
    expect(refused.toolInput).toBeNull();
    const { command } = changing({ content: 'ho' });
    const ignored = await place.before([{ command: `${command}; exit 1`, onFailure: 'ignore' }]);
    expect(ignored.toolInput).toBeNull();
  });

  test('is no business of a hook that comes after the tool', async () => {
    const { command } = changing({ content: 'ho' });
    const hooks = [command, 'cat > told.json'].map((text) => ({ type: 'command', command: text }));
    const payload = { ...WRITE, tool_response: { llmContent: 'x', returnDisplay: 'x' } };
    const report = await place.fire('AfterTool', payload, {
      hooks: { AfterTool: [{ sequential: true, hooks }] },
    });
    expect(report.toolInput).toBeNull();
    expect(JSON.parse(place.read('told.json')).tool_input).toEqual(WRITE.tool_input);
  });
});

describe('after a tool', () => {
  const after = (...answers: readonly object[]) =>
    place.fire(
      'AfterTool',
      { ...WRITE, tool_response: { llmContent: 'done', returnDisplay: 'Done' } },
      {
        hooks: {
          AfterTool: [
            {
              hooks: answers.map((answer, index) => ({
                type: 'command',
                name: `${index}`,
                command: saying(answer),
              })),
            },
          ],
        },
      },
    );
  const specific = (hookSpecificOutput: object) => ({ hookSpecificOutput });

  test('hooks add to the result [H2]', async () => {
    const report = await after(
      specific({ additionalContext: 'Tests pass.' }),
      {},
      specific({ additionalContext: 'Lint too.' }),
    );
    expect(report.additionalContext).toBe('Tests pass.\nLint too.');
    expect(report.verdict).toEqual({ type: 'none' });
  });

  test('they take its place, and then nothing is added [H2]', async () => {
    const report = await after(
      specific({ additionalContext: 'more', tailToolCallRequest: { name: 'read_file' } }),
      { decision: 'deny', reason: 'The result held a key.' },
    );
    expect(report).toMatchObject({
      verdict: { type: 'deny', reason: 'The result held a key.' },
      additionalContext: null,
      tailCall: null,
    });
  });

  test('they ask for a call to follow; of several the last counts [H2]', async () => {
    const tail = (name: string, args?: object) => specific({ tailToolCallRequest: { name, args } });
    expect((await after(tail('glob', { pattern: '*' }), tail('read_file'))).tailCall).toEqual({
      name: 'read_file',
      args: {},
    });
    expect((await after(tail('glob', { pattern: '*' }), {})).tailCall).toEqual({
      name: 'glob',
      args: { pattern: '*' },
    });
  });

  test('a failing hook hides the result: it may have been there to redact it [H3]', async () => {
    const payload = { ...WRITE, tool_response: { llmContent: 'key', returnDisplay: 'key' } };
    const hooks = [{ type: 'command', command: 'exit 1' }];
    const report = await place.fire('AfterTool', payload, { hooks: { AfterTool: [{ hooks }] } });
    expect(report.verdict.type).toBe('deny');
  });
});

test('two events at once do not disturb each other', async () => {
  const slow = place.before([{ command: `sleep 0.3; ${saying({ decision: 'ask', reason: 'slow' })}` }]);
  await delay(20);
  const quick = await place.before([{ command: saying({ decision: 'allow', reason: 'quick' }) }]);
  expect(quick.verdict).toEqual({ type: 'allow', reason: 'quick' });
  expect((await slow).verdict).toEqual({ type: 'ask', reason: 'slow' });
});
