import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { test } from '../cli/program.js';
import { inTui, KEYS, say, Tui, text } from './tui.js';

test('several lines are typed in four ways, and sent as one [U3]', async ({ place }) => {
  await inTui(place, [[text('Read.')]], async (tui) => {
    tui.press('one', KEYS.altEnter, 'two', KEYS.ctrlJ, 'three\\', KEYS.enter, 'four', '\u001b[13;2u', 'five');
    await tui.shows('five');
    expect(tui.screen()).toContain('> one\n  two\n  three\n  four\n  five');
    tui.press(KEYS.enter);
    await tui.shows('Read.');
    expect(tui.everything()).toContain('> one\n  two\n  three\n  four\n  five');
  });
});

test('earlier prompts are recalled with a key, also in the next run, and their file is private [U3]', async ({
  place,
}) => {
  await inTui(place, [[text('First.')], [text('Second.')]], async (tui) => {
    await say(tui, 'hello there');
    await tui.shows('First.');
    tui.type('half a thought');
    await tui.shows('> half a thought');
    tui.press(KEYS.up);
    await tui.until('the earlier one', () => tui.screen().split('> hello there').length === 3);
    tui.press(KEYS.down);
    await tui.shows('> half a thought');
  });
  await inTui(place, [], async (tui) => {
    tui.press(KEYS.up);
    await tui.shows('> hello there');
  });
  expect(statSync(join(place.home, 'prompts.jsonl')).mode & 0o777).toBe(0o600);
});

test('@ completes paths of the workspace, ignored ones omitted [U3]', async ({ place }) => {
  place.write('.gitignore', 'secret/\n');
  place.write('.git/HEAD', '');
  place.write('secret/main.ts', '');
  place.write('src/main.ts', 'export {};\n');
  place.write('src/deep/other name.ts', '');
  await inTui(place, [[text('Seen.')]], async (tui) => {
    tui.type('look at @main');
    await tui.shows('› src/main.ts');
    expect(tui.screen()).not.toContain('secret/main.ts');
    await expect(tui.masked(place)).toMatchFileSnapshot('screens/complete-file.txt');
    tui.press(KEYS.tab);
    await tui.shows('> look at @src/main.ts');
    tui.type('and @othe');
    await tui.shows('› src/deep/other name.ts');
    tui.press(KEYS.tab);
    await tui.shows('@src/deep/other\\ name.ts');
  });
});

test('a large paste is shown by its size and sent as a whole [U3]', async ({ place }) => {
  await inTui(place, [[text('Long.')]], async (tui) => {
    const lines = Array.from({ length: 312 }, (_, index) => `pasted ${index}`).join('\r');
    tui.type(`about \u001b[200~${lines}\u001b[201~ this`);
    await tui.shows('> about [pasted 312 lines] this');
    tui.press(KEYS.enter);
    await tui.shows('Long.');
    expect(tui.everything()).toContain('pasted 9');
    expect(tui.everything()).toContain('more rows');
  });
});

test('nothing that is pasted or typed acts on the terminal [A7] [U3]', async ({ place }) => {
  await inTui(place, [], async (tui) => {
    tui.type('\u001b[200~a\u0007b\u202ec\u001b[201~');
    await tui.shows('> a\\x07b\\u{202e}c');
  });
});

test('! runs a command of the user without another question [U3] [P1] [G4]', async ({ place }) => {
  await inTui(place, [], async (tui) => {
    await say(tui, '!echo hi > made.txt; cat made.txt');
    await tui.shows('✓ run_shell_command');
    expect(place.read('made.txt')).toBe('hi\n');
    expect(tui.screen()).toContain('exit 0');
    await say(tui, '!exit 3');
    await tui.shows('✗ run_shell_command');
    expect(tui.screen()).toContain('exit 3 ·');
  });
});

test('/help explains slash commands, and a misspelt one gets a suggestion [U3]', async ({ place }) => {
  await inTui(place, [], async (tui) => {
    tui.type('/');
    await tui.shows('› /help');
    await expect(tui.masked(place)).toMatchFileSnapshot('screens/complete-command.txt');
    tui.type('help');
    await tui.shows('> /help');
    tui.press(KEYS.enter);
    await tui.until('the help', () => tui.everything().includes('/grants'));
    for (const name of [
      'help',
      'clear',
      'compact',
      'diff',
      'grants',
      'policy',
      'sessions',
      'resume',
      'model',
      'mode',
      'mcp',
      'stats',
      'export',
      'quit',
    ])
      expect(tui.everything()).toContain(`/${name}`);
    await say(tui, '/grnts');
    await tui.shows('There is no /grnts. Did you mean /grants?');
    await say(tui, '/policy git push');
    await tui.shows(/ask_user|asks/);
    await say(tui, '/mode nonsense');
    await tui.shows('The mode is manual.');
    await say(tui, '/mcp');
    await tui.shows('No MCP servers are configured.');
    await say(tui, '/model');
    await tui.shows('The model is recorded.');
  });
});

test('shift-tab goes through the modes, and the mode is always on the screen [U3] [P1]', async ({
  place,
}) => {
  await inTui(place, [], async (tui) => {
    for (const mode of ['auto_edit', 'plan', 'manual']) {
      tui.press(KEYS.shiftTab);
      await tui.shows(`${mode} (shift-tab)`);
    }
    await say(tui, '/mode yolo');
    await tui.shows('yolo (shift-tab)');
  });
});

test('/diff shows what was changed, /stats counts, /export writes, /clear begins again [U3] [J3]', async ({
  place,
}) => {
  place.write('a.txt', 'old\n');
  await inTui(
    place,
    [
      [{ functionCall: { name: 'write_file', args: { file_path: 'a.txt', content: 'new\n' } } }],
      [text('Done.')],
    ],
    async (tui) => {
      await say(tui, 'go');
      await tui.shows('Done.');
      await say(tui, '/diff');
      await tui.shows('+new');
      await say(tui, '/stats');
      await tui.shows('write_file');
      await say(tui, '/export out.jsonl');
      await tui.shows('events of');
      expect(place.read('out.jsonl')).toContain('countersign-session');
      const first = /· (\S+-\S+) ·/.exec(tui.everything())?.[1];
      await say(tui, '/clear');
      await tui.until('another session', () => {
        const ids = [...tui.everything().matchAll(/Countersign \S+ · (\S+) ·/g)].map(([, id]) => id);
        return ids.length > 0 && ids.at(-1) !== first;
      });
      await say(tui, `/resume ${first}`);
      await tui.shows('Done.');
    },
    { args: ['--mode', 'auto_edit'] },
  );
});

test('ctrl-o shows all of the latest call, with its decision [U1]', async ({ place }) => {
  await inTui(place, [], async (tui) => {
    await say(tui, '!seq 1 60');
    await tui.shows(/more lines, ctrl-o/);
    tui.press(KEYS.ctrlO);
    await tui.shows('rows 1–');
    expect(tui.screen()).toContain('Allowed');
    tui.press(KEYS.pageDown, KEYS.pageDown, KEYS.pageDown);
    await tui.shows(/^ {2}60$/m);
    tui.press(KEYS.escape);
    await tui.until('the prompt', () => /^>/m.test(tui.screen()));
  });
});

test('without a model it prints one line about that, and tools can still be called [G4]', async ({
  place,
}) => {
  place.write('a.txt', 'found me\n');
  const tui = new Tui(place, [], { env: { OLLAMA_HOST: 'http://127.0.0.1:9' } });
  try {
    await tui.shows('no model');
    await say(tui, 'hello');
    await tui.until('the reason twice', () => tui.everything().split('Until then: !command').length === 3);
    await say(tui, '/tool read_file {"file_path": "a.txt"}');
    await tui.shows('✓ read_file');
    await say(tui, '/tool read_file nonsense');
    await tui.shows('The arguments are not JSON');
  } finally {
    await tui.close();
  }
});
