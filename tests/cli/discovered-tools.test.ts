import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { projectSettings, script, userSettings } from './hook-settings.js';
import { asLines, errorOf, type Place, test } from './program.js';

const WEIGH = {
  name: 'weigh',
  description: 'Weighs.',
  parameters: { type: 'OBJECT', properties: { grams: { type: 'INTEGER' } }, required: ['grams'] },
};
const COMMANDS = { toolDiscoveryCommand: 'tools/list', toolCallCommand: 'tools/call' };
const CALL = '#!/bin/sh\nprintf "%s " "$1"; cat\n';
const ALLOW = '[[rule]]\ntoolName = "weigh"\ndecision = "allow"\npriority = 100\n';

/** Commands in the workspace that declare these tools and echo calls of them. */
function tools(place: Place, declared: unknown, call = CALL): void {
  script(place, 'tools/list', `#!/bin/sh\ncat <<'END'\n${JSON.stringify(declared)}\nEND\n`);
  script(place, 'tools/call', call);
}

/** Rules of the user. */
function allowing(place: Place, rules = ALLOW): string {
  const file = join(place.directory, 'allow.toml');
  writeFileSync(file, rules);
  return file;
}

const weigh = (args: object = { grams: 5 }, name = 'weigh') => ({ id: 'w', name, args });
const exec = (place: Place, call: object, ...options: string[]) =>
  place.run(['exec', ...options], { stdin: asLines(call) });

describe('tools of the commands in the settings', () => {
  test('are called by the command, with their arguments on its standard input [T2] [P1]', async ({
    place,
  }) => {
    userSettings(place, COMMANDS);
    for (const declared of [
      [WEIGH],
      [{ functionDeclarations: [WEIGH] }],
      [{ function_declarations: [WEIGH] }],
    ]) {
      tools(place, declared);
      const { lines, stderr } = await exec(place, weigh(), '--policy', allowing(place));
      expect([lines[0], stderr]).toMatchObject([{ status: 'success' }, '']);
      expect(JSON.stringify(lines[0])).toContain('weigh {\\"grams\\":5}');
    }
  });

  test('ask by default, and policy check says so too [P1] [P7] [T2]', async ({ place }) => {
    userSettings(place, COMMANDS);
    tools(place, [WEIGH]);
    const { lines } = await exec(place, weigh());
    expect(errorOf(lines[0])).toMatchObject({ type: 'nobody_to_ask' });
    const check = (...more: string[]) => place.run(['policy', 'check', ...more, 'weigh', '{"grams":5}']);
    expect((await check()).stdout).toMatch(/^ask_user/);
    expect((await check('--policy', allowing(place))).stdout).toMatch(/^allow/);
    const wrong = await place.run(['policy', 'check', 'weigh', '{"grams":"many"}']);
    expect(wrong.stdout).toContain('"grams" must be a whole number');
  });

  test('have their arguments checked, also against patterns that never end [T2] [L3]', async ({ place }) => {
    userSettings(place, COMMANDS);
    const slow = { type: 'object', properties: { text: { type: 'string', pattern: '^(a+)+$' } } };
    tools(place, [WEIGH, { name: 'slow', parametersJsonSchema: slow }]);
    const { lines } = await exec(place, weigh({ grams: 'many' }));
    expect(errorOf(lines[0])).toMatchObject({
      type: 'invalid_tool_params',
      message: expect.stringContaining('"grams" must be a whole number'),
    });
    const endless = await exec(place, weigh({ text: `${'a'.repeat(40)}!` }, 'slow'));
    expect(errorOf(endless.lines[0])).toMatchObject({ type: 'invalid_tool_params' });
  });

  test('that fail report output, error output, exit code and signal [T2]', async ({ place }) => {
    userSettings(place, COMMANDS);
    const policy = ['--policy', allowing(place)];
    tools(place, [WEIGH], '#!/bin/sh\necho half; echo broken scale >&2; exit 7\n');
    const failed = await exec(place, weigh(), ...policy);
    expect(errorOf(failed.lines[0]).message).toMatch(/Stdout: half[^]*Stderr: broken scale[^]*Exit Code: 7/);
    tools(place, [WEIGH], '#!/bin/sh\nkill -9 $$\n');
    const killed = await exec(place, weigh(), ...policy);
    expect(errorOf(killed.lines[0]).message).toContain('SIGKILL');
    tools(place, [WEIGH], '#!/bin/sh\nyes\n');
    const flooding = await exec(place, weigh(), ...policy);
    expect(errorOf(flooding.lines[0]).message).toContain('printed more than');
  });

  test('never take the name of a built-in tool or of a server, and so not its rules [T2] [P2]', async ({
    place,
  }) => {
    userSettings(place, COMMANDS);
    const names = ['read_file', 'google_web_search', 'save_memory', 'mcp_files_read'];
    tools(
      place,
      names.map((name) => ({ name })),
    );
    place.write('a.txt', 'content of the file\n');
    const read = await exec(place, { id: 'r', name: 'read_file', args: { file_path: 'a.txt' } });
    expect(JSON.stringify(read.lines[0])).toContain('content of the file');
    for (const name of names) {
      const check = await place.run(['policy', 'check', `discovered_tool_${name}`, '{}']);
      expect(check.stdout).toMatch(/^ask_user/);
    }
    const rule = '[[rule]]\ntoolName = "mcp_files_*"\ndecision = "allow"\npriority = 100\n';
    const other = await exec(
      place,
      weigh({}, 'discovered_tool_mcp_files_read'),
      '--policy',
      allowing(place, rule),
    );
    expect(errorOf(other.lines[0])).toMatchObject({ type: 'nobody_to_ask' });
  });

  test('are none when the command fails or the other one is missing, and all else works [T2]', async ({
    place,
  }) => {
    const list = { id: 'l', name: 'list_directory', args: { dir_path: '.' } };
    for (const [settings, reason] of [
      [{ ...COMMANDS, toolDiscoveryCommand: 'echo oops' }, 'did not print JSON'],
      [{ ...COMMANDS, toolDiscoveryCommand: 'exit 4' }, 'ended with exit code 4'],
      [{ toolDiscoveryCommand: 'tools/list' }, 'toolCallCommand is not'],
    ] as const) {
      userSettings(place, settings);
      const { lines, stderr } = await exec(place, list);
      expect([lines[0]?.['status'], stderr]).toEqual(['success', expect.stringContaining(reason)]);
    }
  });
});

describe('commands that the settings of a project name', () => {
  const policy = (place: Place) => ['--policy', allowing(place)];
  const marking = '#!/bin/sh\necho ran >> "$PWD/canary"\necho "[]"\n';

  test('run only once it is trusted, and are shown with the files that they run [P8] [T2]', async ({
    place,
  }) => {
    projectSettings(place, COMMANDS);
    script(place, 'tools/list', marking);
    script(place, 'tools/call', CALL);
    const untrusted = await exec(place, weigh(), ...policy(place));
    expect(untrusted.stderr).toContain('toolDiscoveryCommand, toolCallCommand');
    expect(place.has('canary')).toBe(false);
    await place.run(['policy', 'check', 'weigh', '{}']);
    expect(place.has('canary')).toBe(false);

    tools(place, [WEIGH]);
    const { stdout } = await place.run(['trust', '--yes']);
    expect(stdout).toContain('toolDiscoveryCommand: "tools/list"');
    expect(stdout).toContain('files: tools/list');
    expect(stdout).toContain('files: tools/call');
    const trusted = await exec(place, weigh(), ...policy(place));
    expect(trusted.lines[0]).toMatchObject({ status: 'success' });
  });

  test('do not run once a file of theirs has changed, not even in a session that is running [P8] [T2]', async ({
    place,
  }) => {
    projectSettings(place, COMMANDS);
    tools(place, [WEIGH]);
    await place.run(['trust', '--yes']);
    const running = place.start(['exec', ...policy(place)]);
    running.say({ ...weigh(), id: 'first' });
    await running.line({ callId: 'first' });
    script(place, 'tools/call', '#!/bin/sh\necho ran > canary\n');
    running.say({ ...weigh(), id: 'second' });
    running.end();
    const { lines } = await running.ended();
    expect(lines[0]).toMatchObject({ callId: 'first', status: 'success' });
    expect(errorOf(lines[1]).message).toContain('tools/call was changed');
    expect(place.has('canary')).toBe(false);
    const later = await exec(place, weigh(), ...policy(place));
    expect(later.stderr).toContain('has changed since it was trusted');
    expect(errorOf(later.lines[0])).toMatchObject({ type: 'tool_not_registered' });
  });
});

test('the documents name the settings [T2]', () => {
  const settings = readFileSync(new URL('../../docs/SETTINGS.md', import.meta.url), 'utf8');
  for (const key of Object.keys(COMMANDS)) expect(settings).toContain(`\`${key}\``);
});
