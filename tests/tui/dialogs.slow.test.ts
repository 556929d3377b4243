import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Place, test } from '../cli/program.js';
import { call, choose, inTui, KEYS, say, type Tui, text } from './tui.js';

const POEM = 'Trust is a fine thing.\nA log is finer.\n';
const edit = (content: string) => call('write_file', { file_path: 'poem.txt', content });
const command = (line: string) => call('run_shell_command', { command: line });

const screenOf = (tui: Tui, place: Place, name: string) =>
  expect(tui.masked(place)).toMatchFileSnapshot(`screens/${name}.txt`);

const kinds = [
  {
    name: 'edit',
    calls: [edit('Trust is a fine thing.\nA countersigned log is finer.\n')],
    asks: 'Apply this change?',
    choices: [
      'Yes, allow once',
      'Yes, allow always …: edits of files inside the workspace',
      'Modify with external editor',
      'No (esc)',
      'No, and say what to do instead',
    ],
  },
  {
    name: 'exec',
    calls: [command('mkdir -p out && cp poem.txt out/')],
    asks: 'Allow execution?',
    choices: ['Yes, allow once', 'Change the command …', 'No (esc)'],
  },
  {
    name: 'mcp',
    calls: [call('deploy', { region: 'eu' })],
    asks: 'Allow this MCP tool?',
    choices: [
      'Yes, allow once',
      'Yes, allow always …: calls of deploy on the MCP server cloud',
      'Yes, allow always …: calls of every tool on the MCP server',
      'Change the arguments …',
      'No (esc)',
    ],
  },
  {
    name: 'info',
    calls: [call('look_up', {})],
    asks: 'Do you want to proceed?',
    choices: ['Yes, allow once', 'Yes, allow always …: calls of look_up that read from', 'No (esc)'],
  },
] as const;

describe.each(kinds)('a question of the kind $name', ({ name, calls, asks, choices }) => {
  test('fits a screen of 80 × 24 with all its choices, and a no changes nothing [U2] [A1] [A2]', async ({
    place,
  }) => {
    place.write('poem.txt', POEM);
    await inTui(place, [calls, [text('Understood.')]], async (tui) => {
      await say(tui, 'go');
      const screen = await tui.shows(asks);
      for (const choice of choices) expect(screen).toContain(choice);
      expect(screen.match(/^[› ] \d\. /gm)?.length).toBeLessThanOrEqual(6);
      expect(screen).toContain('Why you are asked');
      await screenOf(tui, place, name);
      await tui.answer(KEYS.escape);
      await tui.shows('Understood.');
      expect(tui.everything()).toContain('User did not allow tool call');
      expect(place.read('poem.txt')).toBe(POEM);
      expect(place.has('out')).toBe(false);
    });
  });
});

test('a yes applies the change that was shown, and the card counts its lines [U1] [U2]', async ({
  place,
}) => {
  place.write('poem.txt', POEM);
  await inTui(place, [[edit('Trust.\n')], [text('All *done*.')]], async (tui) => {
    await say(tui, 'shorten it');
    await tui.shows('Apply this change?');
    await tui.answer('1');
    await tui.shows('All done.');
    expect(place.read('poem.txt')).toBe('Trust.\n');
    expect(tui.screen()).toMatch(/✓ write_file Write poem\.txt {2}\+1 -2 · \d+ ms/);
    await screenOf(tui, place, 'edit-done');
  });
});

test('feedback with a no is sent to the model [U2] [A2]', async ({ place }) => {
  await inTui(place, [[command('touch a')], [text('Then not.')]], async (tui) => {
    await say(tui, 'go');
    await tui.shows('Allow execution?');
    await choose(tui, 'No, and say what to do instead');
    await tui.shows('What should be done instead?');
    tui.type('use the tool for that');
    await tui.shows('> use the tool for that');
    await screenOf(tui, place, 'feedback');
    tui.press(KEYS.enter);
    await tui.shows('Then not.');
    expect(tui.screen()).toContain('User did not allow tool call: use the tool for that');
    expect(place.has('a')).toBe(false);
  });
});

test('a no that stops sends no further request to the model [U2]', async ({ place }) => {
  await inTui(place, [[command('touch a')], [text('never said')]], async (tui) => {
    await say(tui, 'go');
    await tui.shows('Allow execution?');
    expect(tui.screen()).toContain('ctrl-c: stop');
    await tui.answer(KEYS.ctrlC);
    await tui.shows('Cancelled.');
    expect(tui.everything()).not.toContain('never said');
  });
});

test('an always is spelled out, and what it covers is not asked about again [U2] [P6]', async ({ place }) => {
  const answers = [[edit('one\n')], [edit('two\n')], [text('Both written.')]];
  await inTui(place, answers, async (tui) => {
    await say(tui, 'go');
    await tui.shows('Apply this change?');
    await choose(tui, 'Yes, allow always …: edits');
    await tui.shows('Allow always: edits of files inside the workspace');
    await choose(tui, 'Yes, in this session');
    await tui.shows('Both written.');
    expect(place.read('poem.txt')).toBe('two\n');
    await say(tui, '/grants');
    await tui.shows('edits of files inside the workspace');
  });
});

test('a command is changed on the spot: what is typed is asked about, and runs [A4] [U2]', async ({
  place,
}) => {
  await inTui(place, [[command('touch wrong')], [text('Finished.')]], async (tui) => {
    await say(tui, 'go');
    await tui.shows('Allow execution?');
    await choose(tui, 'Change the command …');
    await tui.shows('How do you want to change the command?');
    await choose(tui, 'Change the command here');
    await tui.shows('> touch wrong');
    tui.press('\u0017', 'right', KEYS.enter);
    await tui.shows('│ touch right');
    await tui.answer('1');
    await tui.shows('Finished.');
    expect([place.has('wrong'), place.has('right')]).toEqual([false, true]);
  });
});

/** An editor that is a small shell script; `$last` is the file to edit. */
function scripted(place: Place, script: string): string {
  const path = join(place.directory, 'bin', 'my-editor');
  mkdirSync(join(place.directory, 'bin'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\nfor last; do :; done\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

test('a change made in the editor is shown and asked about again; a yes writes exactly that [A4] [U2]', async ({
  place,
}) => {
  place.write('poem.txt', POEM);
  const editor = scripted(place, 'cp "$last" "$0.seen"; printf "mine\\n" > "$last"; sleep 0.3');
  await inTui(
    place,
    [[edit('theirs\n')], [text('Written.')]],
    async (tui) => {
      await say(tui, 'go');
      await tui.shows('Apply this change?');
      await choose(tui, 'Modify with external editor');
      await tui.shows('Modify in progress: Save and close external editor to continue');
      await tui.shows('+│mine');
      expect(readFileSync(`${editor}.seen`, 'utf8')).toBe('theirs\n');
      expect(place.read('poem.txt')).toBe(POEM);
      await screenOf(tui, place, 'edited');
      await tui.answer('1');
      await tui.shows('Written.');
      expect(place.read('poem.txt')).toBe('mine\n');
    },
    { env: { VISUAL: editor } },
  );
});

test('an editor that is killed leaves the question as it was, and the keyboard works [A4]', async ({
  place,
}) => {
  place.write('poem.txt', POEM);
  const editor = scripted(place, 'kill -9 $$');
  await inTui(
    place,
    [[edit('theirs\n')], [text('Left alone.')]],
    async (tui) => {
      await say(tui, 'go');
      await tui.shows('Apply this change?');
      await choose(tui, 'Modify with external editor');
      await tui.shows('The question is unchanged');
      await tui.shows('Apply this change?');
      await tui.answer(KEYS.escape);
      await tui.shows('Left alone.');
      expect(place.read('poem.txt')).toBe(POEM);
    },
    { env: { VISUAL: editor } },
  );
});

test('questions can be answered in any order, and approved together only when all were seen [U2] [U3]', async ({
  place,
}) => {
  const three = ['a', 'b', 'c'].map((name) =>
    call('write_file', { file_path: `${name}.txt`, content: `${name}\n` }),
  );
  await inTui(place, [three, [text('All three.')]], async (tui) => {
    await say(tui, 'go');
    await tui.shows('1 of 3');
    expect(tui.screen()).not.toContain('Yes to all');
    await tui.answer(KEYS.tab);
    await tui.shows('2 of 3');
    expect(tui.screen()).not.toContain('Yes to all');
    await tui.answer(KEYS.tab);
    await tui.shows('Yes to all 3, each once');
    await screenOf(tui, place, 'queue');
    await choose(tui, 'Yes to all 3, each once');
    await tui.shows('All three.');
    expect(['a.txt', 'b.txt', 'c.txt'].map((name) => place.has(name))).toEqual([true, true, true]);
  });
});

test('a long change is shown with its end, and the value is a key away [U1] [A7]', async ({ place }) => {
  const content = Array.from({ length: 120 }, (_, index) => `const value${index} = ${index};\n`).join('');
  const long = call('write_file', { file_path: 'long.ts', content: `${content}deleteEverything();\n` });
  await inTui(place, [[long], [text('Good.')]], async (tui) => {
    await say(tui, 'go');
    const screen = await tui.shows('Apply this change?');
    expect(screen).toMatch(/⋮ \d+ lines hidden/);
    expect(screen).toContain('deleteEverything();');
    expect(screen).toContain('No, and say what to do instead');
    await screenOf(tui, place, 'long-edit');
    await tui.answer(KEYS.pageDown, KEYS.pageDown);
    await tui.shows(/rows \d+–\d+ of 1\d\d/);
    expect(tui.screen()).toContain('No, and say what to do instead');
    tui.press(KEYS.escape);
    await tui.shows('Good.');
  });
});

test('an always has a second step for its scope and its limits, up to every workspace [P6] [U2]', async ({
  place,
}) => {
  const write = call('write_file', { file_path: 'a.txt', content: 'new\n' });
  await inTui(place, [[write], [text('Written.')]], async (tui) => {
    await say(tui, 'go');
    await tui.shows('Apply this change?');
    await choose(tui, 'Yes, allow always …');
    const menu = await tui.shows('Yes, in every session of every workspace');
    for (const scope of ['Yes, in this session', 'Yes, in every session of this workspace'])
      expect(menu).toContain(scope);
    await choose(tui, 'First limit how long');
    await tui.shows('How long and how often');
    tui.type('soon\r');
    await tui.shows('Write a time and a number of uses');
    tui.press('\u0015');
    await tui.until('an empty line', () => !tui.screen().includes('soon'));
    tui.type('2h 3 uses\r');
    await tui.shows('Yes, in this session (2h 3 uses)');
    await screenOf(tui, place, 'always');
    await choose(tui, 'Yes, in every session of every workspace');
    await tui.shows('Written.');
    const { lines } = await place.run(['grants', 'list', '--json']);
    expect(lines).toMatchObject([{ scope: 'user', uses: 3, expiresAt: expect.any(Number) }]);
  });
});

test('the second step of an always decides nothing, by esc or by a key that is held [P6] [U2]', async ({
  place,
}) => {
  const write = call('write_file', { file_path: 'a.txt', content: 'new\n' });
  await inTui(place, [[write], [text('Understood.')]], async (tui) => {
    await say(tui, 'go');
    await tui.shows('Apply this change?');
    await tui.answer('2');
    // As often as a keyboard repeats a key that is held.
    for (let repeated = 0; repeated < 5; repeated++) {
      await new Promise((resolve) => setTimeout(resolve, 30));
      tui.press('2');
    }
    await tui.shows('Allow always: edits of files inside the workspace');
    await tui.answer(KEYS.escape);
    await tui.shows('Apply this change?');
    await tui.answer(KEYS.escape);
    await tui.shows('Understood.');
    expect((await place.run(['grants', 'list', '--json'])).lines).toEqual([]);
    expect(place.has('a.txt')).toBe(false);
  });
});

test('an always for a command offers exactly that command besides its beginning, in every scope [P6] [A1]', async ({
  place,
}) => {
  await inTui(place, [[command('git push origin main')], [text('Pushed or not.')]], async (tui) => {
    await say(tui, 'go');
    const screen = await tui.shows('Allow execution?');
    expect(screen).toContain('Yes, allow always …: commands that begin with `git push');
    await choose(tui, 'Yes, allow always …: exactly `git push origin main`');
    await tui.shows('Allow always: exactly `git push origin main`');
    await choose(tui, 'Yes, in every session of this workspace');
    await tui.shows('Pushed or not.');
    expect((await place.run(['grants', 'list', '--json'])).lines).toMatchObject([
      { scope: 'project', text: 'exactly `git push origin main`', uses: null, expiresAt: null },
    ]);
  });
});
