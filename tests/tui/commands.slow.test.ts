import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Place, test } from '../cli/program.js';
import { call, inTui, KEYS, say, Tui, text } from './tui.js';

/** A session in which something was said and a file was changed. */
async function worked(place: Place, work: (tui: Tui) => Promise<void>): Promise<void> {
  place.write('a.txt', 'old\n');
  const answers = [
    [call('write_file', { file_path: 'a.txt', content: 'new\n' })],
    [text('Written.')],
    [text('It was about a file, which is new now.')],
    [text('Once more.')],
  ];
  await inTui(
    place,
    answers,
    async (tui) => {
      await say(tui, 'go');
      await tui.shows('Written.');
      await work(tui);
    },
    { args: ['--mode', 'auto_edit'] },
  );
}

const said = (tui: Tui, words: string | RegExp) =>
  tui.until(String(words), () =>
    typeof words === 'string' ? tui.everything().includes(words) : words.test(tui.everything()),
  );

describe('a slash command', () => {
  test.for([
    ['/help', 'the next mode'],
    ['/diff', '+new'],
    ['/grants', 'There are no grants.'],
    ['/policy rm -rf build', '`rm -rf build` asks'],
    ['/sessions', /\b[0-9a-z]{8}-[0-9a-f]{6}\b[\s\S]*\b[0-9a-z]{8}-[0-9a-f]{6}\b/],
    ['/model', 'To change it: /model NAME'],
    ['/mode', 'The mode is auto_edit. Others: /mode'],
    ['/mcp', 'No MCP servers are configured.'],
    ['/stats', '1 call in 1 session'],
    ['/export', 'Name a file:'],
    ['/resume', 'Name a session (see /sessions)'],
    ['/approvals', 'No approvals are pending in other sessions.'],
  ] as const)('%s prints %s, and typing continues [U3] [C1]', async ([line, words], { place }) => {
    await worked(place, async (tui) => {
      // Neither what is there already nor what is typed may be taken for the answer.
      expect(`${tui.everything()}\n${line}`).not.toMatch(words);
      await say(tui, line);
      await said(tui, words);
      tui.type('still here');
      await tui.shows('> still here');
    });
  });

  test('/resume of an unknown session ends the program with the reason [U3] [C1]', async ({ place }) => {
    await worked(place, async (tui) => {
      await say(tui, '/resume no-such-session');
      expect((await tui.ended()).exitCode).toBe(1);
      expect(tui.everything()).toContain('No session has the id "no-such-session".');
    });
  });

  test('/compact summarizes the conversation, and prints what it saved [U3]', async ({ place }) => {
    await worked(place, async (tui) => {
      await say(tui, '/compact');
      await said(tui, /About [\d,]+ tokens became [\d,]+\./);
      await said(tui, 'It was about a file, which is new now.');
      await say(tui, 'go on');
      await said(tui, 'Once more.');
    });
  });

  test('/model NAME changes the model, and the last row names it [U3]', async ({ place }) => {
    await worked(place, async (tui) => {
      await say(tui, '/model anthropic:claude-sonnet-4-5');
      await said(tui, 'The next prompt will use anthropic:claude-sonnet-4-5.');
      await tui.shows(/\(shift-tab\) .*anthropic:claude-sonnet-4-5/);
    });
  });

  test('/model NAME without the key that it needs prints that, and changes nothing [U3]', async ({
    place,
  }) => {
    const tui = new Tui(place, [], { env: { OLLAMA_HOST: 'http://127.0.0.1:9' } });
    try {
      await tui.shows('no model');
      await say(tui, '/model anthropic:claude-sonnet-4-5');
      await said(tui, 'ANTHROPIC_API_KEY');
      expect(tui.screen()).toContain('no model');
    } finally {
      await tui.close();
    }
  });

  test('/mode NAME sets the mode, also those that shift-tab omits [U3] [P1]', async ({ place }) => {
    await worked(place, async (tui) => {
      for (const mode of ['yolo', 'confirm_always', 'plan', 'manual']) {
        await say(tui, `/mode ${mode}`);
        await tui.shows(`${mode} (shift-tab)`);
      }
    });
  });

  test('/export writes, /clear begins again on an empty screen, /resume comes back, /quit ends [U3]', async ({
    place,
  }) => {
    await worked(place, async (tui) => {
      await say(tui, '/export out.jsonl');
      await tui.until('the file', () => existsSync(join(place.workspace, 'out.jsonl')));
      const [, first = ''] = /Countersign \S+ · (\S+) ·/.exec(tui.everything()) ?? [];
      await say(tui, '/clear');
      await tui.until('an empty screen', () => /^Countersign .*\n+─+\n>/.test(tui.screen()));
      await say(tui, `/resume ${first}`);
      await tui.shows('Written.');
      await say(tui, '/quit');
      expect((await tui.ended()).exitCode).toBe(0);
    });
  });

  test('a misspelt one runs nothing and suggests the right one [U3]', async ({ place }) => {
    await inTui(place, [], async (tui) => {
      for (const [typed, meant] of [
        ['/modle', '/mode or /model'],
        ['/staats', '/stats'],
        ['/sesions', '/sessions'],
        ['/hlep', '/help'],
        ['/exprot', '/export'],
      ] as const) {
        await say(tui, typed);
        await said(tui, new RegExp(`There is no ${typed}\\. Did you mean ${meant}\\b`));
      }
      await say(tui, '/xyzzy');
      await said(tui, 'There is no /xyzzy. /help lists the commands.');
    });
  });

  test('a path at the beginning is no command: it is sent to the model [U3]', async ({ place }) => {
    await inTui(place, [[text('I see.')]], async (tui) => {
      await say(tui, '/etc/hosts is wrong');
      await tui.shows('I see.');
      tui.press(KEYS.escape);
    });
  });
});
