import { expect } from 'vitest';
import { type Line, type Place, TEST_TOOLS, test, writeCall } from './program.js';

/** What must never reach a terminal as it is: controls other than line feeds, and characters that hide or reorder. */
const RAW = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

const EVIL = {
  clear: '\u001b[2J\u001b[H',
  backwards: '\u202etxt.exe\u202c',
  invisible: 'a\u200bb\u2066c\ufeff',
  back: 'no\b\bok\r',
};

async function waiting(place: Place, ...calls: readonly Line[]) {
  const running = place.start([
    'exec',
    '--approvals',
    'wait',
    '--session',
    's1',
    '--tools',
    TEST_TOOLS,
    JSON.stringify(calls),
  ]);
  await running.told('countersign approvals answer ');
  return running;
}

test('what hides in file names, diffs and ids is shown as codes, never sent to the terminal [A7] [C4]', async ({
  place,
}) => {
  place.write('a.txt', `${EVIL.invisible}\n`);
  const name = `${EVIL.backwards}${EVIL.clear}.txt`;
  const running = await waiting(
    place,
    writeCall('a.txt', Object.values(EVIL).join('\n'), `id${EVIL.clear}`),
    writeCall(name, 'x\n', 'w'),
  );
  await running.told('s1/w ');
  for (const flag of ['--verbose', '-v', '']) {
    const { stdout } = await place.run(['approvals', 'list', ...(flag === '' ? [] : [flag])]);
    expect(stdout).not.toMatch(RAW);
    expect(stdout).toContain('s1/id\\x1b[2J\\x1b[H');
    expect(stdout).toContain('\\u{202e}txt.exe\\u{202c}\\x1b[2J\\x1b[H.txt');
  }
  const { stdout } = await place.run(['approvals', 'list', '--verbose']);
  expect(stdout).toContain('  │  a\\u{200b}b\\u{2066}c\\u{feff}');
  expect(stdout).toContain('  │ +no\\x08\\x08ok\\x0d');

  // Programs get the truth.
  const { lines } = await place.run(['approvals', 'list', '--json']);
  expect(lines[0]).toMatchObject({ callId: `id${EVIL.clear}` });

  const refused = await place.run(['approvals', 'answer', `s1/${EVIL.clear}`, 'cancel']);
  expect(refused.stderr).toBe(
    'No open call has the id "\\x1b[2J\\x1b[H".\n  List pending approvals with: countersign approvals list\n',
  );
  running.signal('SIGINT');
  expect((await running.ended()).stderr).not.toMatch(RAW);
});

test('a title or reason of several lines stays on its own: it cannot pass for another question [A7]', async ({
  place,
}) => {
  const title = 'Harmless\ns9/x  Also harmless';
  const running = await waiting(place, { id: 'a\nb', name: 'show', args: { title, prompt: 'one\ntwo' } });
  const brief = await place.run(['approvals', 'list']);
  expect(brief.stdout).toBe('s1/a\\x0ab  Harmless\\x0as9/x  Also harmless\n');
  const { stdout } = await place.run(['approvals', 'list', '-v']);
  expect(stdout.split('\n').slice(0, 5)).toEqual([
    's1/a\\x0ab',
    '',
    'Harmless\\x0as9/x  Also harmless',
    '  │ one',
    '  │ two',
  ]);
  running.signal('SIGINT');
  const { stderr } = await running.ended();
  expect(stderr).toContain('Waiting for approval: Harmless\\x0as9/x  Also harmless\n');
});

test('a long change is shown whole where it is asked for [A7]', async ({ place }) => {
  const content = Array.from({ length: 500 }, (_, index) => `line ${index}\n`).join('');
  const running = await waiting(place, writeCall('a.txt', content, 'w'));
  const { stdout } = await place.run(['approvals', 'list', '-v']);
  expect(stdout.split('\n').filter((line) => line.startsWith('  │ +line '))).toHaveLength(500);
  running.signal('SIGINT');
  await running.ended();
});

test('mistyped words come back as codes too [A7]', async ({ place }) => {
  for (const args of [
    [EVIL.clear],
    ['exec', EVIL.clear],
    ['exec', '--mode', EVIL.clear],
    ['exec', `--${EVIL.clear}`],
  ]) {
    const { code, stdout, stderr } = await place.run(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toMatch(RAW);
    expect(stderr).toContain('\\x1b[2J');
  }
});
