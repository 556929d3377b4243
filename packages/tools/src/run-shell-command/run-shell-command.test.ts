import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { failureOf } from '@countersign/host/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { shellOptions } from '../confined-command/options.js';
import { planContext } from '../testing/carry-out.js';
import { runShellCommand } from './run-shell-command.js';
import { BOTH_WAYS, UNAVAILABLE } from './testing/sandbox-here.js';
import { type TemporaryShell, temporaryShell } from './testing/temporary-shell.js';

let shell: TemporaryShell;
beforeEach(() => {
  shell = temporaryShell();
});
afterEach(() => shell.remove());

const tool = runShellCommand(shellOptions({}));
const problemsOf = (args: Parameters<typeof tool.check>[0]) => {
  const checked = tool.check(args);
  return checked.ok ? [] : checked.problems;
};

describe.each(BOTH_WAYS)('the result of what runs $how', ({ sandbox }) => {
  beforeEach(() => {
    shell.remove();
    shell = temporaryShell({ sandbox });
  });

  test('is what was printed and the exit code [X4]', async () => {
    expect(await shell.run('echo hello')).toEqual({
      ok: true,
      result: { llmContent: 'hello\nExit code: 0', returnDisplay: 'hello\n', exitCode: 0 },
      text: 'hello\nExit code: 0',
    });
  });

  test('reports that nothing was printed [X4]', async () => {
    expect((await shell.run('true')).text).toBe('[No output.]\nExit code: 0');
  });

  test.each([1, 2, 126, 127, 128, 255])('of exit %i is a failure with that code [X4]', async (code) => {
    const came = await shell.run(`echo why; exit ${code}`);
    expect(came).toEqual({
      ok: false,
      failure: { code: 'command_failed', exitCode: code, signal: null },
      text: `why\nExit code: ${code}`,
    });
  });

  test.each([
    ['kill -KILL $$', 137, 'SIGKILL'],
    ['kill -SEGV $$', 139, 'SIGSEGV'],
    ['kill -TERM $$', 143, 'SIGTERM'],
    ['kill -HUP 0', 129, 'SIGHUP'],
    ['kill -USR1 0', 138, 'SIGUSR1'],
    ['kill -TERM 0 >/dev/stderr', 143, 'SIGTERM'],
  ])('of `%s` names the signal, for it is certain [X4]', async (command, exitCode, signal) => {
    const came = await shell.run(command);
    expect(came).toMatchObject({ failure: { code: 'command_failed', exitCode, signal } });
    expect(came.text).toBe(
      `[No output.]\nExit code: ${exitCode} (128 + ${exitCode - 128}, ended by ${signal})`,
    );
  });

  test('of a command that chose a code above 128 names no signal [X4]', async () => {
    const came = await shell.run('exit 137');
    expect(came).toMatchObject({ failure: { exitCode: 137, signal: null } });
    expect(came.text).toContain('Exit code: 137 (128 + 9, as after SIGKILL)');
  });

  test('has both streams in the order in which they were written [X1]', async () => {
    const command = 'for i in $(seq 200); do echo "out $i"; echo "err $i" >&2; done';
    const expected = Array.from({ length: 200 }, (_, i) => `out ${i + 1}\nerr ${i + 1}\n`).join('');
    expect((await shell.run(command)).text).toBe(`${expected}Exit code: 0`);
  });

  test('keeps what was printed before /dev/stderr was opened again [X1]', async () => {
    expect((await shell.run('echo a; echo b >/dev/stderr; echo c >/dev/stdout; exit 3')).text).toBe(
      'a\nb\nc\nExit code: 3',
    );
  });

  test('omits what only a terminal understands; the file has it all [X1]', async () => {
    const came = await shell.run(String.raw`printf '\033[31mred\033[0m \033]0;title\007plain'`, { call: 7 });
    expect(came.text).toBe('red plain\nExit code: 0');
    expect(readFileSync(join(shell.directoryOf(7), 'output'), 'utf8')).toContain('\u001b[31mred');
  });

  test('is cut to head and tail, with a note on where the rest is and how to continue [T5]', async () => {
    const { text } = await shell.run('seq 50000', { call: 9 });
    const path = join(shell.directoryOf(9), 'output');
    expect(text.length).toBeLessThan(41_000);
    expect(text).toMatch(/^1\n2\n3\n/);
    expect(text).toMatch(/\n49999\n50000\nExit code: 0$/);
    const [, last, lines, startLine] =
      /\n(\d+)\n\[… [\d,]+ bytes \(([\d,]+) lines\) are skipped here\. .* start_line (\d+) /.exec(text) ?? [];
    expect(text).toContain(path);
    expect(Number(startLine)).toBe(Number(last) + 1);
    const firstAfter = Number(/\.\]\n(\d+)\n/.exec(text)?.[1]);
    expect(Number(lines?.replaceAll(',', ''))).toBe(firstAfter - Number(startLine));
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(50_001);
  });

  test('of one endless line is cut between characters [T5]', async () => {
    const { text } = await shell.run(`printf 'x'; printf '€%.0s' $(seq 40000)`);
    expect(text).not.toContain('\ufffd');
    expect(text).toMatch(/line 1 is long; continue with `tail -c \+\d+` of that file/);
  });

  test('of binary output is its size and type [X1]', async () => {
    const { text } = await shell.run(String.raw`printf '\x89PNG\r\n\x1a\n\0\0\0\0'; head -c 3000 /dev/zero`);
    expect(text).toMatch(
      /^\[Binary output: 2\.9 KB of image\/png\. It is stored in .*output\.\]\nExit code: 0$/,
    );
  });
});

/** For a command: waits for the file with which a test says that it has seen enough. */
const UNTIL_SEEN = 'until [ -e seen ]; do sleep 0.02; done';

describe('while it runs', () => {
  test('output is shown as it comes, at most every 100 ms [X1]', async () => {
    const shown: { text: string; at: number }[] = [];
    const updateOutput = (text: string) => void shown.push({ text, at: performance.now() });
    const command = `i=0; until [ -e seen ]; do echo $((i += 1)); sleep 0.03; done`;
    const { text } = await shell.run(command, {
      updateOutput: (output) => {
        updateOutput(output);
        if (shown.length === 4) shell.put('seen', '');
      },
    });
    expect(shown.length).toBeGreaterThanOrEqual(4);
    for (const [index, each] of shown.entries()) {
      expect(text.startsWith(each.text)).toBe(true);
      expect(each.at - (shown[index - 1]?.at ?? 0)).toBeGreaterThan(90);
    }
  });

  test('a line that is not yet finished is shown, too [X1]', async () => {
    const shown: string[] = [];
    await shell.run(`printf "done\nhalf a li"; ${UNTIL_SEEN}`, {
      updateOutput: (text) => {
        shown.push(text);
        shell.put('seen', '');
      },
    });
    expect(shown).toEqual(['done\nhalf a li']);
  });

  test('of much output the last part is shown [X1]', async () => {
    const shown: string[] = [];
    await shell.run(`seq 100000; ${UNTIL_SEEN}`, {
      updateOutput: (text) => {
        shown.push(text);
        if (text.endsWith('\n100000\n')) shell.put('seen', '');
      },
    });
    expect(shown.at(-1)?.length).toBeLessThan(66_000);
    expect(shown.at(-1)).toMatch(/^\[… earlier output .*\]\n\d+\n[^]*\n100000\n$/);
  });

  test('binary output is reported and counted instead [X1]', async () => {
    const shown: string[] = [];
    const command = `head -c 700000 /dev/zero; ${UNTIL_SEEN}; rm seen; head -c 600000 /dev/zero; ${UNTIL_SEEN}`;
    await shell.run(command, {
      updateOutput: (text) => {
        shown.push(text);
        if (text.includes('detected') || text.includes('1.2 MB')) shell.put('seen', '');
      },
    });
    expect(shown[0]).toBe('[Binary output detected. Halting stream...]');
    expect(shown.at(-1)).toBe('[Receiving binary output... 1.2 MB received]');
  });

  test('its process is shown, and takes a signal [L2]', async () => {
    const came = await shell.run('sleep 300', { process: (pid) => process.kill(pid, 'SIGTERM') });
    expect(came).toMatchObject({ failure: { code: 'command_failed', exitCode: 143, signal: 'SIGTERM' } });
  });
});

test('a command as long as a thousand lines runs like any other, and as itself', async () => {
  const lines = Array.from({ length: 5_000 }, (_, i) => `x=${'y'.repeat(30)}${i}`);
  const { text } = await shell.run([...lines, 'echo "$x" $#'].join('\n'));
  expect(text).toBe(`${'y'.repeat(30)}4999 0\nExit code: 0`);
});

describe('the directory', () => {
  test('is the workspace unless another is named [X2]', async () => {
    shell.put('sub/file', '');
    expect((await shell.run('pwd; echo $PWD')).text).toBe(
      `${shell.workspace}\n${shell.workspace}\nExit code: 0`,
    );
    expect((await shell.run({ command: 'pwd; ls', dir_path: 'sub' })).text).toBe(
      `${shell.workspace}/sub\nfile\nExit code: 0`,
    );
  });

  test('is declared if it is named, so that one outside is asked about [P5]', async () => {
    symlinkSync(shell.outside, join(shell.workspace, 'link'));
    const draft = await tool.plan({ command: 'ls', dir_path: 'link' }, planContext(shell));
    expect(draft.resources).toContainEqual({ kind: 'fs.read', path: shell.outside, scope: 'file' });
    expect(draft.confirmation).toMatchObject({ type: 'exec', command: 'ls', directory: shell.outside });
  });

  test('that is not there, or none, is refused before anything runs', async () => {
    shell.put('file', '');
    mkdirSync(join(shell.workspace, 'build'));
    const plan = async (dir_path: string) => tool.plan({ command: 'ls', dir_path }, planContext(shell));
    expect(await failureOf(plan('biuld'))).toEqual({
      code: 'file_not_found',
      path: 'biuld',
      nearest: ['build'],
    });
    expect(await failureOf(plan('file'))).toEqual({ code: 'target_is_not_directory', path: 'file' });
  });

  test('that was put in the place of the granted one is not entered [P5]', async () => {
    mkdirSync(join(shell.workspace, 'sub'));
    const args = { command: 'pwd; touch here', dir_path: 'sub' };
    const context = await shell.context(args);
    renameSync(join(shell.workspace, 'sub'), join(shell.workspace, 'moved'));
    symlinkSync(shell.outside, join(shell.workspace, 'sub'));
    expect(await failureOf(Promise.resolve(tool.run(args, context)))).toMatchObject({ code: 'stale_file' });
    expect(existsSync(join(shell.outside, 'here'))).toBe(false);
  });
});

describe('what it would touch', () => {
  const resourcesOf = async (command: string) => (await tool.plan({ command }, planContext(shell))).resources;
  const tree = (path: string) => ({ kind: 'fs.read', path, scope: 'tree' });

  test('is nothing for a command that only waits or prints [S2]', async () => {
    expect(await resourcesOf('sleep 0.1')).toEqual([]);
    expect(await resourcesOf('echo a && true')).toEqual([]);
  });

  test('is its directory for one that only reads, and what it names [S2, P5]', async () => {
    shell.put('a', '');
    const { workspace, outside } = shell;
    symlinkSync(outside, join(workspace, 'link'));
    expect(await resourcesOf('ls; cat a; grep -n "/no/such/path" a')).toEqual([
      tree(workspace),
      tree(join(workspace, 'a')),
    ]);
    expect(await resourcesOf(`cat ${outside}`)).toEqual([tree(workspace), tree(outside)]);
    expect(await resourcesOf('ls link ../outside ../outside/*.c')).toEqual([tree(workspace), tree(outside)]);
    // Where it goes counts too, and what it finds there.
    symlinkSync(join(outside, 'secret'), join(workspace, 'inner'));
    expect(await resourcesOf('cd link && ls')).toEqual([tree(workspace), tree(outside)]);
    const unnamed = { ...tree(workspace), guarded: 'what it reads is known only when it runs' };
    expect(await resourcesOf('cat "$X"')).toEqual([unnamed]);
    expect(await resourcesOf('cd a; cd b; cat c')).toEqual([unnamed]);
  });

  test.each(['make', 'echo a >b', 'rm a', '$EDITOR', 'ls $(make)'])(
    'is not known of `%s` [S2]',
    async (command) => {
      expect(await resourcesOf(command)).toEqual([{ kind: 'opaque', why: expect.any(String) }]);
    },
  );

  describe('of one that may do anything is also what it names outside, or among what is protected', () => {
    const written = (path: string) => ({ kind: 'fs.write', path, scope: 'tree' });
    const { username, homedir } = userInfo();
    test.each<[string, (ws: { readonly workspace: string; readonly outside: string }) => object[]]>([
      ['echo x > ../outside/new', ({ outside }) => [written(join(outside, 'new'))]],
      ['cp a .env', ({ workspace }) => [written(join(workspace, '.env'))]],
      ['echo x >.envrc', ({ workspace }) => [written(join(workspace, '.envrc'))]],
      ['make -C ../outside', ({ outside }) => [tree(outside)]],
      ['cd ../outside && rm x', ({ outside }) => [tree(outside), written(join(outside, 'x'))]],
      [`rm -rf ~${username}`, () => [written(homedir)]],
      ['make a > b; sed -i /x/d a; cp /dev/null a; npm test -- /api/', () => []],
    ])('`%s` [P5]', async (command, expected) => {
      shell.put('a', '');
      expect(await resourcesOf(command)).toEqual([
        { kind: 'opaque', why: expect.any(String) },
        ...expected(shell),
      ]);
    });
  });

  test('is a new file in /tmp as well, but for a command that has a /tmp of its own [P5, B1]', async () => {
    const command = 'make > /tmp/countersign-no-such-file';
    const namedBy = async (sandbox: 'off' | 'on') => {
      const { plan } = runShellCommand({ ...shellOptions({}), sandbox });
      return (await plan({ command }, planContext(shell))).resources.length - 1;
    };
    expect([await namedBy('off'), await namedBy('on')]).toEqual([1, UNAVAILABLE === null ? 0 : 1]);
  });

  test('is shown to the user who is asked, with every command and the risk [A1]', async () => {
    const { confirmation } = await tool.plan({ command: 'ls | sudo rm -rf /tmp/x' }, planContext(shell));
    expect(confirmation).toMatchObject({
      type: 'exec',
      command: 'ls | sudo rm -rf /tmp/x',
      rootCommands: expect.arrayContaining(['ls', 'rm']),
      riskLevel: 'high',
      directory: shell.workspace,
    });
  });
});

describe('the arguments', () => {
  test.each([
    ['', '"command" is empty'],
    [' \n', '"command" is empty'],
    ['echo a\0b', '"command" contains a NUL character, which is not allowed'],
    ['echo \ud800', '"command" contains half a character (an unpaired surrogate)'],
  ])('%j is refused: %s [L3]', (command, problem) => {
    expect(problemsOf({ command })).toEqual([problem]);
  });

  test('other names for them are understood', () => {
    const renamed = tool.renameArgs?.({ command: 'ls', cwd: 'a', background: true });
    expect(renamed).toEqual({ command: 'ls', dir_path: 'a', is_background: true });
    expect(tool.aliases?.map(({ name }) => name)).toEqual(['shell', 'bash']);
  });

  test('the plan is titled with the command and can be resumed [X5]', async () => {
    const draft = await tool.plan({ command: 'make\nmake install', description: 'ls' }, planContext(shell));
    expect(draft).toMatchObject({ title: 'make …', repeat: 'resumable' });
  });
});

test('a commit has the identity that the person set up [X4]', async () => {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: shell.workspace, encoding: 'utf8' });
  git('init', '--quiet');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.org');
  const came = await shell.run(
    'git commit --quiet --allow-empty -m first && git log -1 --format="%an <%ae>"',
  );
  expect(came.text).toBe('Ada <ada@example.org>\nExit code: 0');
});

test('standard input is empty, so that nothing waits for an answer', async () => {
  expect((await shell.run('read -r line || echo nobody; cat')).text).toBe('nobody\nExit code: 0');
});

test('ten commands run beside each other [S2]', async () => {
  // None ends before all have begun.
  const command = (i: number) =>
    `touch begun-${i}; until [ $(ls -d begun-* | wc -l) = 10 ]; do sleep 0.02; done; echo ${i}`;
  const all = await Promise.all(Array.from({ length: 10 }, (_, i) => shell.run(command(i))));
  expect(all.map(({ text }) => text)).toEqual(all.map((_, i) => `${i}\nExit code: 0`));
});
