import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Place, test } from '../cli/program.js';
import { call, inTui, KEYS, recorded, say, Tui, text } from './tui.js';

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

/** Text that the screen has wrapped, as one line. */
const flat = (screen: string) => screen.replace(/\s+/g, ' ');

const WRITE = JSON.stringify({ name: 'write_file', args: { file_path: 'b.txt', content: 'there\n' } });

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

  test.for([
    ['/resume no-such-session', 'No session has the id "no-such-session".'],
    ['/resume ../../etc', 'No session has the id "../../etc".'],
    ['/resume busy-1', 'Session busy-1 is in use by process'],
    ['/resume current-1', 'This is the session current-1 already.'],
    ['/resume moved-1', 'is not a directory'],
  ] as const)(
    '%s prints "%s": the session, its work and its prompt stay [U3] [C1]',
    async ([line, reason], { place }) => {
      const elsewhere = mkdtempSync(join(place.directory, 'elsewhere-'));
      const moved = await place.run(['exec', '--session', 'moved-1', '--workspace', elsewhere], {
        stdin: `${JSON.stringify({ name: 'list_directory', args: { dir_path: '.' } })}\n`,
      });
      expect(moved.lines).toContainEqual(expect.objectContaining({ status: 'success' }));
      rmSync(elsewhere, { recursive: true });
      const busy = place.start(['exec', '--approvals', 'wait', '--session', 'busy-1', WRITE]);
      busy.end();
      await busy.told('Waiting for approval');
      await inTui(
        place,
        [[call('wait', {})], [text('Waited.')]],
        async (tui) => {
          await say(tui, 'go');
          await tui.until('the call', () => /[◐◓◑◒] wait/.test(tui.screen()), 'moving');
          tui.type(`${line}\r`);
          await tui.until(reason, () => flat(tui.everything()).includes(reason), 'moving');
          tui.type('still here');
          await tui.until('the prompt', () => tui.screen().includes('> still here'), 'moving');
          expect(tui.screen()).toMatch(/[◐◓◑◒] wait/);
          expect(tui.everything()).not.toContain('To continue:');
        },
        { args: ['--session', 'current-1'] },
      );
    },
  );

  test.for([
    ['drawn', []],
    ['in plain lines', ['--screen-reader']],
  ] as const)(
    '/clear with settings that cannot be read keeps the session, %s [U3] [C1]',
    async ([, args], { place }) => {
      const tui = new Tui(place, ['--fake-responses', recorded(place, [text('Still here.')]), ...args]);
      try {
        await tui.shows('/help');
        mkdirSync(join(place.workspace, '.countersign'), { recursive: true });
        place.write('.countersign/settings.json', '{ this is not JSON');
        mkdirSync(place.home, { recursive: true });
        writeFileSync(join(place.home, 'settings.json'), '{ this is not JSON');
        tui.type('/clear\r');
        await tui.until('the reason', () => /settings\.json/.test(tui.everything()));
        tui.type('go\r');
        await tui.until('the answer', () => tui.everything().includes('Still here.'));
      } finally {
        await tui.close();
      }
    },
  );

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
