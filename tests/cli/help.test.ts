import { expect } from 'vitest';
import { test } from './program.js';

test('help lists the commands and the exit codes, and explains each command [C1]', async ({ place }) => {
  const commands = ['exec', 'approvals', 'demo', 'help'];
  const [overview, ...same] = await Promise.all([[], ['--help'], ['help']].map((args) => place.run(args)));
  expect(overview).toMatchObject({ code: 0, stderr: '' });
  for (const { stdout } of same) expect(stdout).toBe(overview?.stdout);
  for (const word of [...commands, 'help COMMAND', 'Exit codes: 0 all succeeded'])
    expect(overview?.stdout).toContain(word);

  const pages = await Promise.all(commands.map((command) => place.run(['help', command])));
  const asked = await Promise.all(commands.slice(0, -1).map((command) => place.run([command, '--help'])));
  for (const [index, { stdout }] of asked.entries()) expect(stdout).toBe(pages[index]?.stdout);
  for (const [index, { stdout }] of pages.entries()) {
    const command = commands[index] ?? '';
    expect(stdout.startsWith(`countersign ${command}\n\n`)).toBe(true);
    expect(stdout).toContain(`\n  countersign ${command}`);
  }
  const lines = [overview, ...pages].flatMap((page) => page?.stdout.split('\n') ?? []);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test('the version is one line [C1]', async ({ place }) => {
  for (const spelling of ['--version', '-V']) {
    expect(await place.run([spelling])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  }
});

test('an invalid command line reports what was not understood and what to do next [C1]', async ({
  place,
}) => {
  const mistakes: readonly (readonly [readonly string[], string, string])[] = [
    [['bogus'], 'There is no command "bogus"', 'countersign help'],
    [['constructor'], 'There is no command "constructor"', 'countersign help'],
    [['help', 'toString'], 'There is no command "toString"', 'countersign help'],
    [['polcy', 'check'], 'There is no command "polcy". Did you mean "policy"?', 'countersign help policy'],
    [
      ['help', 'sesions'],
      'There is no command "sesions". Did you mean "sessions"?',
      'countersign help sessions',
    ],
    [["mend what's red"], 'There is no command "mend what\'s red"', `countersign -p 'mend what'\\''s red'`],
    [['exec', '--bogus'], "exec: Unknown option '--bogus'", 'countersign help exec'],
    [['exec', '--mode'], "exec: Option '--mode <value>' argument missing", 'countersign help exec'],
    [['exec', '--start', 'now'], '"now" is not a value of --start', '--start as_granted | together'],
    [
      ['exec', '--approvals', 'maybe'],
      '"maybe" is not a value of --approvals',
      '--approvals stdio | terminal | wait | deny',
    ],
    [
      ['exec', '--approvals', 'terminal', '[]'],
      'There is no terminal to ask in',
      '--approvals stdio | wait | deny',
    ],
    [['exec', '--yolo', '--mode', 'plan'], '--yolo already sets the mode', '--yolo or --mode, not both'],
    [['exec', '--resume', 'a', '--session', 'b'], '--resume already names the session', '--resume ID alone'],
    [['approvals'], 'approvals needs a subcommand', 'countersign approvals list | answer'],
    [['approvals', 'show'], 'approvals has no "show"', 'countersign approvals list | answer'],
    [['approvals', 'list', 'all'], 'approvals: "all" is one argument too many', 'countersign help approvals'],
    [
      ['approvals', 'answer', 'x'],
      'An answer names an approval and an outcome',
      'countersign approvals answer ID proceed_once | cancel',
    ],
    [['demo', 'now'], 'demo: "now" is one argument too many', 'countersign help demo'],
  ];
  const ran = await Promise.all(mistakes.map(([args]) => place.run(args)));
  expect(ran.map(({ code, stdout, stderr }) => ({ code, stdout, stderr }))).toEqual(
    mistakes.map(([, problem, next]) => ({
      code: 2,
      stdout: '',
      stderr: `countersign: ${problem}\n  Try: ${next}\n`,
    })),
  );
});
