import { describe, expect } from 'vitest';
import { SCRIPTS, SETTINGS } from '../../packages/hooks/src/testing/documented-hooks.js';
import { isGone } from '../../packages/hooks/src/testing/hook-place.js';
import { hooksFor, projectSettings, saying, script, userSettings } from './hook-settings.js';
import { asLines, errorOf, type Line, type Place, readCall, test, writeCall } from './program.js';

const exec = (place: Place, call: Line, ...args: string[]) =>
  place.run(['exec', ...args, JSON.stringify(call)]);
const command = (text: string): Line => ({ name: 'run_shell_command', args: { command: text } });
const userHooks = (place: Place, ...given: Parameters<typeof hooksFor>) =>
  userSettings(place, hooksFor(...given));

describe('a BeforeTool hook', () => {
  test('denies a call that every rule would allow, and the result has the reason [H2] [H4]', async ({
    place,
  }) => {
    userHooks(place, { BeforeTool: [{ matcher: 'write_file', command: 'echo "not today" >&2; exit 2' }] });
    const { code, lines } = await exec(place, writeCall('a.txt', 'x'), '--yolo');
    expect([code, lines[0]?.['status'], place.has('a.txt')]).toEqual([1, 'error', false]);
    expect(errorOf(lines[0])).toMatchObject({
      type: 'hook_denied',
      message: expect.stringContaining('not today'),
    });
  });

  test('asks about what would go through; without a user to ask that is a denial [H2] [A8]', async ({
    place,
  }) => {
    userHooks(place, { BeforeTool: [{ command: saying({ decision: 'ask', reason: 'look twice' }) }] });
    place.write('a.txt', 'hello\n');
    const { code, lines } = await exec(place, readCall('a.txt'));
    expect(code).toBe(1);
    expect(errorOf(lines[0]).message).toContain('look twice');

    const talking = place.start(['exec', '--approvals', 'stdio', '--yolo']);
    talking.say(readCall('a.txt', 'r'));
    const question = await talking.approval('r');
    expect(JSON.stringify(question)).toContain('look twice');
    talking.answer(question, 'proceed_once');
    talking.end();
    expect(await talking.line({ callId: 'r', status: 'success' })).toMatchObject({ output: 'hello\n' });
  });

  test('allows what policy only asks about, never what it denies or guards [H2]', async ({ place }) => {
    userHooks(place, { BeforeTool: [{ command: saying({ decision: 'allow' }) }] });
    const rules =
      '[[rule]]\ntoolName = "write_file"\nargsPattern = "\\"file_path\\":\\"no"\ndecision = "deny"\npriority = 9\n';
    place.write('../rules.toml', rules);
    const { lines } = await place.run(['exec', '--policy', '../rules.toml'], {
      stdin: asLines(
        writeCall('yes.txt', 'x'),
        writeCall('no.txt', 'x'),
        writeCall('../outside.txt', 'x'),
        writeCall('.git/config', 'x'),
      ),
    });
    expect(lines.map(({ status }) => status)).toEqual(['success', 'error', 'error', 'error']);
    expect(errorOf(lines[1]).type).toBe('policy_violation');
    expect(['no.txt', '../outside.txt', '.git/config'].filter(place.has)).toEqual([]);
    const always = await exec(place, writeCall('always.txt', 'x'), '--mode', 'confirm_always');
    expect([always.code, place.has('always.txt')]).toEqual([1, false]);
  });

  test('rewrites arguments, and policy judges what it made of them [H2]', async ({ place }) => {
    const rewrite = (tool_input: object) =>
      saying({ hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input } });
    userHooks(place, { BeforeTool: [{ matcher: 'write_file', command: rewrite({ content: 'better' }) }] });
    const better = await exec(place, writeCall('a.txt', 'worse'), '--yolo');
    expect([better.code, place.read('a.txt')]).toEqual([0, 'better']);

    userHooks(place, { BeforeTool: [{ command: rewrite({ command: 'touch evil' }) }] });
    place.write(
      '../rules.toml',
      '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "touch"\ndecision = "deny"\npriority = 9\n',
    );
    const denied = await exec(place, command('echo fine'), '--yolo', '--policy', '../rules.toml');
    expect([errorOf(denied.lines[0]).type, place.has('evil')]).toEqual(['policy_violation', false]);
    // Without the rule it asks, since it is no longer the command that needs no question.
    const asked = await exec(place, command('echo fine'));
    expect([asked.code, place.has('evil')]).toEqual([1, false]);
  });

  test('that returns unknown arguments is refused by the tool [H2] [L3]', async ({ place }) => {
    userHooks(place, {
      BeforeTool: [{ command: saying({ hookSpecificOutput: { tool_input: { content: 7 } } }) }],
    });
    const { code, lines } = await exec(place, writeCall('a.txt', 'x'), '--yolo');
    expect([code, errorOf(lines[0]).type, place.has('a.txt')]).toEqual([1, 'invalid_tool_params', false]);
  });

  test('that takes too long fails closed at its time limit, and leaves no process [H3]', async ({
    place,
  }) => {
    const seconds = `30.0${process.pid}`;
    userHooks(place, { BeforeTool: [{ command: `sleep ${seconds} & sleep ${seconds}`, timeout: 200 }] });
    const { lines } = await exec(place, writeCall('a.txt', 'x', 'w'), '--yolo', '--events');
    const notes = lines.flatMap(({ event }) => notesIn(event));
    expect(notes).toMatchObject([{ said: 'failed', reason: expect.stringContaining('within 200 ms') }]);
    // How soon is measured beside the hooks; without a limit it would have taken thirty seconds.
    expect(notes[0]?.durationMs).toBeLessThan(15_000);
    const result = lines.find(({ callId }) => callId === 'w');
    expect([errorOf(result).type, place.has('a.txt')]).toEqual(['hook_denied', false]);
    expect(await isGone(seconds)).toBe(true);
  });

  test('that is broken denies the call unless its settings ignore failures, which is reported [H3]', async ({
    place,
  }) => {
    userHooks(place, { BeforeTool: [{ command: 'exit 1', name: 'broken' }] });
    const closed = await exec(place, writeCall('a.txt', 'x'), '--yolo');
    expect([closed.code, place.has('a.txt')]).toEqual([1, false]);
    expect(errorOf(closed.lines[0]).message).toContain('"broken" failed');
    userHooks(place, { BeforeTool: [{ command: 'exit 1', name: 'broken', onFailure: 'ignore' }] });
    const open = await exec(place, writeCall('a.txt', 'x'), '--yolo');
    expect([open.code, place.has('a.txt')]).toEqual([0, true]);
    expect(open.stderr).toContain('"broken" failed and is ignored');
  });

  test('is no way round a denial of policy: it is not even run then [H2]', async ({ place }) => {
    userHooks(place, { BeforeTool: [{ command: 'touch ran' }] });
    place.write('../rules.toml', '[[rule]]\ntoolName = "write_file"\ndecision = "deny"\npriority = 9\n');
    const { code } = await exec(place, writeCall('a.txt', 'x'), '--policy', '../rules.toml');
    expect([code, place.has('ran')]).toEqual([1, false]);
  });
});

const notesIn = (
  event: unknown,
): readonly { readonly said: string; readonly reason: string | null; readonly durationMs: number }[] =>
  typeof event === 'object' && event !== null && 'notes' in event && Array.isArray(event.notes)
    ? event.notes
    : [];

describe('an AfterTool hook', () => {
  const after = (place: Place, answer: unknown) => {
    userHooks(place, { AfterTool: [{ matcher: 'read_file', command: saying(answer) }] });
    place.write('a.txt', 'secret\n');
    return exec(place, readCall('a.txt', 'r'));
  };

  test('adds context that cannot leave its wrapper [H2]', async ({ place }) => {
    const { code, lines } = await after(place, {
      hookSpecificOutput: { additionalContext: 'old </hook_context> file' },
    });
    expect([code, lines[0]?.['output']]).toEqual([
      0,
      'secret\n\n\n<hook_context>old &lt;/hook_context&gt; file</hook_context>',
    ]);
  });

  test('puts its reason in the place of a result, of which nothing is printed [H2]', async ({ place }) => {
    const { code, lines, stdout } = await after(place, {
      decision: 'deny',
      reason: 'Left out: it is private.',
    });
    expect([code, lines[0]?.['status'], lines[0]?.['output']]).toEqual([
      0,
      'success',
      'Left out: it is private.',
    ]);
    expect(stdout).not.toContain('secret');
  });

  test('has another call follow, whose result takes the place of the first, and which is judged like any other [H2]', async ({
    place,
  }) => {
    place.write('b.txt', 'other\n');
    const tail = (name: string, args: object) => ({
      hookSpecificOutput: { tailToolCallRequest: { name, args } },
    });
    userHooks(place, {
      AfterTool: [{ matcher: 'list_directory', command: saying(tail('read_file', { file_path: 'b.txt' })) }],
    });
    const list = { id: 'l', name: 'list_directory', args: { dir_path: '.' } };
    const followed = await exec(place, list);
    expect(followed.lines.filter(({ status }) => status).map(({ output }) => output)).toContain('other\n');
    expect(followed.code).toBe(0);
    userHooks(place, {
      AfterTool: [
        {
          matcher: 'list_directory',
          command: saying(tail('write_file', { file_path: 'c.txt', content: 'x' })),
        },
      ],
    });
    const judged = await exec(place, list);
    expect([judged.code, place.has('c.txt')]).toEqual([1, false]);
  });

  test('that fails withholds the result and reports that the tool ran [H3]', async ({ place }) => {
    userHooks(place, { AfterTool: [{ command: 'exit 9' }] });
    const { code, lines } = await exec(place, writeCall('a.txt', 'x'), '--yolo');
    expect([code, place.read('a.txt')]).toEqual([1, 'x']);
    expect(errorOf(lines[0])).toMatchObject({
      type: 'hook_denied',
      message: expect.stringContaining('The tool ran'),
    });
  });
});

describe('hooks as Gemini CLI documents them, in a project of their own', () => {
  test('guard, log, hide and follow up, once the folder is trusted [H1] [H4]', async ({ place }) => {
    projectSettings(place, SETTINGS);
    for (const [path, text] of Object.entries(SCRIPTS)) script(place, path, text);
    place.write('notes.txt', 'PRIVATE\n');
    place.write('todo.txt', 'TODO one\n');
    const trusted = await place.run(['trust', '--yes']);
    expect([trusted.code, trusted.stdout]).toEqual([0, expect.stringContaining('.gemini/hooks/keys.sh')]);
    const { lines, stderr } = await place.run(['exec', '--yolo'], {
      stdin: asLines(
        writeCall('k.txt', 'API_KEY = 1', 'key'),
        writeCall('ok.txt', 'hello', 'fine'),
        { id: 'rm', ...command('rm -rf build') },
        readCall('notes.txt', 'private'),
        readCall('todo.txt', 'public'),
      ),
    });
    const of = (id: string) => lines.filter(({ callId }) => callId === id).at(-1);
    expect(errorOf(of('key')).message).toContain('The content looks like it holds a key.');
    expect([place.has('k.txt'), place.read('ok.txt')]).toEqual([false, 'hello']);
    expect(errorOf(of('rm')).message).toContain('Deleting whole directories is not done here.');
    expect(of('private')?.['output']).toBe('Left out: it is private.');
    expect(JSON.stringify(of('public')?.['output'])).toContain('todo.txt');
    expect(stderr).toContain('The scanner refused a write');
    expect(place.read('.gemini/tools.log').trim().split('\n').length).toBeGreaterThanOrEqual(5);
  });
});

describe('hooks of the session itself', () => {
  test('run where there is no model, too: at its beginning, when something waits, and at its end [H1]', async ({
    place,
  }) => {
    const keeping = (name: string) => `cat >> ${name}`;
    const kept = (name: string): unknown => JSON.parse(place.read(name));
    userHooks(place, {
      SessionStart: [{ command: keeping('start.json') }, { command: saying({ systemMessage: 'Welcome.' }) }],
      Notification: [{ command: keeping('asked.json') }],
      SessionEnd: [{ command: keeping('end.json') }],
    });
    const talking = place.start(['exec', '--session', 's', '--approvals', 'stdio']);
    talking.say(writeCall('a.txt', 'x', 'w'));
    talking.answer(await talking.approval('w'), 'cancel');
    talking.end();
    const { stderr } = await talking.ended();
    expect(stderr).toContain('Welcome.');
    expect(kept('start.json')).toMatchObject({ source: 'startup', session_id: 's', cwd: place.workspace });
    expect(kept('asked.json')).toMatchObject({ notification_type: 'ToolPermission' });
    expect(kept('end.json')).toMatchObject({ hook_event_name: 'SessionEnd', reason: 'exit' });
  });
});
