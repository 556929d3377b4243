import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { errorOf, type Line, type Place, TEST_TOOLS, test, writeCall } from './program.js';
import { inTerminal, type Terminal } from './terminal.js';

const MODIFYING = 'Modify in progress: Save and close external editor to continue';

/** An editor that is a small shell script; `$last` is the file to edit, `$0.*` is where it leaves notes. */
function scripted(place: Place, script: string, name = 'my-editor'): string {
  const path = join(place.directory, 'bin', name);
  mkdirSync(join(place.directory, 'bin'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\nfor last; do :; done\necho $$ > "$0.pid"\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const exec = (call: Line, ...options: readonly string[]) => [
  'exec',
  '--tools',
  TEST_TOOLS,
  ...options,
  JSON.stringify(call),
];
const deployCall: Line = { id: 'd', name: 'deploy', args: { target: 'eu' } };

async function withEditor(
  place: Place,
  script: string,
  call: Line,
  work: (terminal: Terminal, editor: string) => Promise<void>,
  ...options: readonly string[]
): Promise<void> {
  const editor = scripted(place, script);
  await inTerminal(place, exec(call, ...options), (terminal) => work(terminal, editor), { VISUAL: editor });
}

describe('in a real terminal', () => {
  test('a change made in the editor is asked about again, and a yes writes exactly that [A4] [U2]', async ({
    place,
  }) => {
    place.write('a.txt', 'old\n');
    const script = 'cp "$last" "$0.seen"; printf "mine\\n" > "$last"';
    await withEditor(place, script, writeCall('a.txt', 'new\n', 'w'), async (terminal, editor) => {
      const asked = await terminal.asks(1);
      expect(asked).toContain('Apply this change?');
      expect(asked).toContain('[e] Modify with external editor');
      terminal.type('e');
      const again = await terminal.asks(2);
      expect(terminal.everything()).toContain(MODIFYING);
      expect(again).toContain('│ -old');
      expect(again).toContain('│ +mine');
      expect(readFileSync(`${editor}.seen`, 'utf8')).toBe('new\n');
      expect(place.read('a.txt')).toBe('old\n');
      terminal.type('y');
      await terminal.shows('[exit 0]');
      expect(place.read('a.txt')).toBe('mine\n');
    });
  });

  test('what has no file content is changed by its arguments as JSON [A4]', async ({ place }) => {
    const script = 'sed s/eu/us/ "$last" > "$0.new"; cat "$0.new" > "$last"';
    await withEditor(place, script, deployCall, async (terminal) => {
      expect(await terminal.asks(1)).toContain('│   "target": "eu"');
      terminal.type('e');
      expect(await terminal.asks(2)).toContain('│   "target": "us"');
      terminal.type('y');
      expect(await terminal.shows('[exit 0]')).toContain('deployed to us');
    });
  });

  test.for([
    ['fails', 'printf x > "$last"; exit 3', 'ended with code 3'],
    ['is killed', 'printf x > "$last"; kill -9 $$', 'SIGKILL'],
    ['changes nothing', ':', 'nothing was changed'],
    ['leaves what is no JSON', 'printf "{" > "$last"', 'the edited arguments are not JSON'],
    ['leaves arguments that the tool does not take', 'printf \'{}\' > "$last"', '"target" must be a string'],
  ] as const)(
    'an editor that %s leaves the question as it was, and it says why [A4]',
    async ([, script, why], { place }) => {
      await withEditor(place, script, deployCall, async (terminal) => {
        await terminal.asks(1);
        terminal.type('e');
        const again = await terminal.asks(2);
        expect(again).toContain('│   "target": "eu"');
        expect(again.replace(/\s+/g, ' ')).toContain('The question is unchanged: ');
        expect(again.replace(/\s+/g, ' ')).toContain(why);
        terminal.type('y');
        expect(await terminal.shows('[exit 0]')).toContain('deployed to eu');
      });
    },
  );

  test('without any editor the question names the variable to set [A4]', async ({ place }) => {
    await inTerminal(place, exec(deployCall), async (terminal) => {
      await terminal.asks(1);
      terminal.type('e');
      expect(await terminal.asks(2)).toContain(
        'The question is unchanged: no editor is known; set VISUAL or EDITOR',
      );
      terminal.type('n');
      await terminal.shows('[exit 1]');
    });
  });

  test('the editor has the terminal to itself: what is typed goes to it, and Ctrl-C ends only it [A4]', async ({
    place,
  }) => {
    // Each time it opens it counts, so that what stands on the screen from before is not taken for it.
    const opened = 'echo >> "$0.opened"; n=$(wc -l < "$0.opened")';
    const script = `${opened}; printf 'city %s? ' $n; read city; printf '{"target":"%s"}' "$city" > "$last"; printf 'more %s? ' $n; read more`;
    await withEditor(place, script, deployCall, async (terminal) => {
      await terminal.asks(1);
      terminal.type('e');
      await terminal.shows('city 1?');
      terminal.type('n');
      await terminal.shows('more 1?');
      terminal.press('C-c');
      expect(await terminal.asks(2)).toContain('The question is unchanged: ');
      terminal.type('e');
      await terminal.shows('city 2?');
      terminal.type('oslo');
      await terminal.shows('more 2?');
      terminal.type('');
      expect(await terminal.asks(3)).toContain('│   "target": "oslo"');
      // Our own keys work as before.
      terminal.press('C-c');
      await terminal.shows('[exit 130]');
    });
  });

  test('an answer from elsewhere while an editor is open wins; the editor is closed and the edit discarded [A4] [A5]', async ({
    place,
  }) => {
    const script = 'printf "mine\\n" > "$last"; echo open; sleep 30';
    const call = writeCall('a.txt', 'new\n', 'w');
    await withEditor(
      place,
      script,
      call,
      async (terminal, editor) => {
        await terminal.asks(1);
        terminal.type('e');
        await terminal.shows('open');
        const answered = await place.run(['approvals', 'answer', 's1/w', 'proceed_once', '--by', 'ann']);
        expect(answered).toMatchObject({ code: 0 });
        const ended = await terminal.shows('[exit 0]');
        expect(ended).toContain('Answered elsewhere, by ann.');
        expect(ended).toContain('Your edit was discarded');
        expect(place.read('a.txt')).toBe('new\n');
        expect(existsSync(`/proc/${readFileSync(`${editor}.pid`, 'utf8').trim()}`)).toBe(false);
      },
      '--session',
      's1',
    );
  });

  test('an editor can be chosen by name, and shows both sides where it can [A4] [C1]', async ({ place }) => {
    const vim = scripted(place, 'printf "%s\\n" "$@" > "$0.args"; printf "mine\\n" > "$last"', 'vim');
    const env = { PATH: `${join(place.directory, 'bin')}:${process.env['PATH']}`, VISUAL: 'false' };
    await inTerminal(
      place,
      exec(writeCall('a.txt', 'new\n', 'w'), '--editor', 'vim'),
      async (terminal) => {
        await terminal.asks(1);
        terminal.type('e');
        expect(await terminal.asks(2)).toContain('│ +mine');
        expect(readFileSync(`${vim}.args`, 'utf8')).toMatch(
          /^-d\n(.*\n)*.*current-a\.txt\n.*proposed-a\.txt\n$/,
        );
        terminal.type('n');
        await terminal.shows('[exit 1]');
      },
      env,
    );
    const refused = await place.run(['exec', '--editor', 'ed', '{}']);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"ed" is not a value of --editor'),
    });
  });
});

test('an answer over stdio may carry changed arguments, and is consent to exactly those [A4] [C4]', async ({
  place,
}) => {
  const talking = place.start(['exec', '--tools', TEST_TOOLS, '--approvals', 'stdio']);
  talking.say(deployCall);
  const question = await talking.approval('d');
  talking.answer(question, 'modify_with_editor');
  expect(errorOf(await talking.line({ type: 'ack', id: 'd', ok: false }))).toMatchObject({
    type: 'invalid_answer',
  });
  talking.answer(question, 'proceed_once', { payload: { args: { target: 'us' } } });
  expect(await talking.line({ callId: 'd' })).toMatchObject({ status: 'success', output: 'deployed to us' });
  talking.end();
  await talking.ended();
});
