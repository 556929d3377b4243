import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HookPlace, type HookSetup, saying } from '../testing/hook-place.js';

let place: HookPlace;
beforeEach(() => {
  place = new HookPlace();
});
afterEach(() => place.remove());

describe('what the end of a hook means', () => {
  const verdictOf = async (command: string, more: Partial<HookSetup> = {}) =>
    (await place.before([{ command, ...more }])).verdict;

  test.each([
    ['nothing', 'true', { type: 'none' }],
    ['a log on stderr only', 'echo looking >&2', { type: 'none' }],
    ['an empty object', 'echo {}', { type: 'none' }],
    ['allow', saying({ decision: 'allow', reason: 'fine' }), { type: 'allow', reason: 'fine' }],
    ['approve', saying({ decision: 'approve', reason: 'fine' }), { type: 'allow', reason: 'fine' }],
    ['ask', saying({ decision: 'ask', reason: 'sure?' }), { type: 'ask', reason: 'sure?' }],
    ['deny', saying({ decision: 'deny', reason: 'no' }), { type: 'deny', reason: 'no' }],
    ['block', saying({ decision: 'block', reason: 'no' }), { type: 'deny', reason: 'no' }],
    [
      'deny, encoded twice',
      saying(JSON.stringify({ decision: 'deny', reason: 'no' })),
      { type: 'deny', reason: 'no' },
    ],
    [
      'deny after a mark of UTF-8',
      `printf '\\xef\\xbb\\xbf'; ${saying({ decision: 'deny', reason: 'no' })}`,
      { type: 'deny', reason: 'no' },
    ],
    ['deny on stderr', `${saying({ decision: 'deny', reason: 'no' })} >&2`, { type: 'deny', reason: 'no' }],
    [
      'fields that are null',
      saying({ decision: null, reason: null, hookSpecificOutput: null }),
      { type: 'none' },
    ],
    [
      'fields unknown',
      saying({ result: 7, hookSpecificOutput: { hookEventName: 'X', more: [] } }),
      { type: 'none' },
    ],
    ['an end', saying({ continue: false, stopReason: 'enough' }), { type: 'stop', reason: 'enough' }],
    [
      'an end with a reason',
      saying({ continue: false, reason: 'enough' }),
      { type: 'stop', reason: 'enough' },
    ],
    [
      'a denial and an end',
      saying({ continue: false, decision: 'deny', reason: 'no' }),
      { type: 'stop', reason: 'no' },
    ],
    ['exit code 2 with words', 'echo no >&2; exit 2', { type: 'deny', reason: 'no' }],
    ['exit code 2 with words on stdout', 'echo no; exit 2', { type: 'deny', reason: 'no' }],
    [
      'exit code 2 with an answer',
      `echo log >&2; ${saying({ reason: 'no' })}; exit 2`,
      { type: 'deny', reason: 'no' },
    ],
    [
      'exit code 2 whatever it answers',
      `echo no >&2; ${saying({ decision: 'allow' })}; exit 2`,
      { type: 'deny', reason: 'no' },
    ],
    [
      'exit code 1 with a denial',
      `${saying({ decision: 'deny', reason: 'no' })}; exit 1`,
      { type: 'deny', reason: 'no' },
    ],
  ])('%s [H1] [H2]', async (_, command, expected) => {
    expect(await verdictOf(command)).toEqual(expected);
  });

  test('a refusal without a word is a refusal [H2]', async () => {
    const gaveNone = { type: 'deny', reason: 'Hook "quiet" refused this and gave no reason.' };
    for (const command of [
      'exit 2',
      saying({ decision: 'deny' }),
      saying({ decision: 'deny', reason: ' ' }),
    ]) {
      expect(await verdictOf(command, { name: 'quiet' }), `for ${command}`).toEqual(gaveNone);
    }
  });

  test.each([
    ['a script that breaks', `'${process.execPath}' -e 'throw new Error("broken")'`, 'exit code 1'],
    ['exit code 1 without a word', 'exit 1', 'exit code 1 and no message'],
    ['exit code 1 that allows', `${saying({ decision: 'allow' })}; exit 1`, 'exit code 1'],
    ['another exit code', 'echo odd >&2; exit 3', 'exit code 3: odd'],
    ['a signal', 'kill -KILL $$', 'SIGKILL'],
    ['a text', 'echo checking...', 'not JSON; it begins with "checking..."'],
    ['a text before the answer', `echo checking; ${saying({ decision: 'allow' })}`, 'not JSON'],
    ['half an answer', `printf '{"decision":"allow"'`, 'not JSON'],
    ['two answers', `${saying({})}; ${saying({ decision: 'allow' })}`, 'not JSON'],
    ['a list', 'echo [1]', 'not an object'],
    ['a number', 'echo 0', 'not an object'],
    ['null', 'echo null', 'not an object'],
    ['a decision unknown', saying({ decision: 'maybe' }), 'decision'],
    ['a decision that is no word', saying({ decision: true }), 'decision'],
    ['an end in words', saying({ continue: 'false' }), 'continue'],
    ['a reason that is none', saying({ decision: 'allow', reason: 7 }), 'reason'],
    ['arguments that are a list', saying({ hookSpecificOutput: { tool_input: [] } }), 'tool_input'],
    [
      'a follow-up without a name',
      saying({ hookSpecificOutput: { tailToolCallRequest: {} } }),
      'tailToolCallRequest.name',
    ],
    ['bytes that are no text', `printf '{"reason":"\\xff"}'`, 'not UTF-8'],
    [
      'nested without end',
      `printf '{"hookSpecificOutput":{"tool_input":{"a":'; printf '[%.0s' {1..20000}; printf ']%.0s' {1..20000}; echo '}}}'`,
      'nested',
    ],
  ])('is a failure that refuses: %s [H3]', async (_, command, words) => {
    const verdict = await verdictOf(command, { name: 'guard' });
    expect(verdict).toMatchObject({ type: 'deny', reason: expect.stringContaining(words) });
    expect(verdict).toMatchObject({
      reason: expect.stringMatching(/^Hook "guard" failed, .*settings\.json/s),
    });
  });

  test('or one that is ignored, where the hook is set so; the person is warned [H3]', async () => {
    for (const command of ['echo odd >&2; exit 1', 'echo odd', 'echo odd >&2; kill -KILL $$', 'sleep 9']) {
      const report = await place.before([{ command, name: 'guard', onFailure: 'ignore', timeout: 400 }]);
      expect(report.verdict, `for ${command}`).toEqual({ type: 'none' });
      expect(report.systemMessage).toMatch(/^Warning: Hook "guard" failed and is ignored: /);
    }
    expect(await verdictOf('echo no >&2; exit 2', { onFailure: 'ignore' })).toEqual({
      type: 'deny',
      reason: 'no',
    });
    expect(
      await verdictOf(`${saying({ decision: 'deny', reason: 'no' })}; exit 1`, { onFailure: 'ignore' }),
    ).toEqual({ type: 'deny', reason: 'no' });
  });

  test('of what cannot be refused is reported, and refuses nothing [H1]', async () => {
    const fire = (command: string) =>
      place.fire(
        'SessionStart',
        { source: 'startup' },
        {
          hooks: {
            SessionStart: [{ matcher: 'startup', hooks: [{ type: 'command', command, name: 'init' }] }],
          },
        },
      );
    expect(await fire(saying({ decision: 'deny', continue: false, systemMessage: 'Loaded' }))).toMatchObject({
      verdict: { type: 'none' },
      systemMessage: 'Loaded',
    });
    expect(await fire('exit 2')).toMatchObject({ verdict: { type: 'none' } });
    expect(await fire('exit 1')).toMatchObject({
      verdict: { type: 'none' },
      systemMessage: expect.stringContaining('Warning: Hook "init" failed'),
    });
  });
});
