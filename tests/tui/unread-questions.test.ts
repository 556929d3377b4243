import { setTimeout as delay } from 'node:timers/promises';
import type { Confirmation, SettledCall } from '@countersign/protocol';
import { openTestSession, run, testTool } from '@countersign/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { Mounted } from './mounted.js';

const SIZE = { columns: 80, rows: 24 };
/** Longer than a question waits for who was typing when it came. */
const SEEN_MS = 600;
const ENTER = '\r';
const ESCAPE = '\u001b';
const END = '\u001b[F';
const PAGE_DOWN = '\u001b[6~';
const TAB = '\t';

const commandOf = (lines: number): string =>
  Array.from({ length: lines }, (_, index) => `echo line ${index}`).join('\n');

/** A session with a call that asks for each command, on a screen. */
async function asked(commands: readonly string[], how: { readonly takes?: (chunk: string) => boolean } = {}) {
  const ran: string[] = [];
  const shown = testTool({
    name: 'shown',
    kind: 'execute',
    plan: (args) => {
      const command = commands[Number(args['at'])] ?? '';
      const confirmation: Confirmation = {
        type: 'exec',
        title: 'Run',
        command,
        rootCommand: 'echo',
        rootCommands: ['echo'],
        directory: '/w',
        riskLevel: 'low',
        riskReasons: [],
      };
      return { title: command, confirmation, byDefault: 'ask_user' as const };
    },
    run: (args) => {
      ran.push(commands[Number(args['at'])] ?? '');
      return { llmContent: 'done', returnDisplay: 'done' };
    },
  });
  const { session } = await openTestSession([shown]);
  const mounted = new Mounted(session, SIZE, null, how.takes);
  const settled: Promise<readonly SettledCall[]> = run(
    session,
    commands.map((_, at) => ({ callId: `c${at}`, name: 'shown', args: { at } })),
  );
  // A test that ends without an answer closes the session.
  settled.catch(() => {});
  onTestFinished(async () => {
    mounted.close();
    await session.dispose();
  });
  return { session, mounted, settled, ran };
}

const isDrawn = (screen: string) => /No \(esc\)[\s\S]*\(shift-tab\)/.test(screen);

test.each([
  ['enter', ENTER],
  ['a number', '1'],
])('%s that was pressed before a question appeared is no answer to it [A3] [U2]', async (_, key) => {
  const { mounted, settled, ran } = await asked(['rm -rf build']);
  await mounted.shows(isDrawn);
  mounted.press(key);
  await delay(SEEN_MS);
  expect(ran).toEqual([]);
  expect(await mounted.shows(isDrawn)).toContain('rm -rf build');
  mounted.press(key);
  expect(await settled).toMatchObject([{ status: 'success' }]);
});

test('a question that was not written to the terminal is approved by no key, and a no still counts [A3] [U2]', async () => {
  const { mounted, settled, ran } = await asked(['rm -rf build'], {
    takes: (chunk) => !chunk.includes('(esc)'),
  });
  await delay(2 * SEEN_MS);
  for (const key of ['1', ENTER, '2']) {
    mounted.press(key);
    await delay(SEEN_MS);
  }
  expect(ran).toEqual([]);
  mounted.press(ESCAPE);
  expect(await settled).toMatchObject([{ status: 'cancelled' }]);
});

test('a no is accepted at once [U2]', async () => {
  const { mounted, settled } = await asked(['rm -rf build']);
  await mounted.shows(isDrawn);
  mounted.press(ESCAPE);
  expect(await settled).toMatchObject([{ status: 'cancelled' }]);
});

test('"yes to all" appears and disappears without changing the number of any other choice [U2] [U3]', async () => {
  const { session, mounted } = await asked(['echo a', 'echo b', 'echo c']);
  const before = choicesIn(await mounted.shows((screen) => isDrawn(screen) && screen.includes('1 of 3')));
  await delay(SEEN_MS);
  mounted.press(TAB);
  await mounted.shows((screen) => screen.includes('2 of 3'));
  // Another client answers the question that was not seen yet.
  const [third] = session.snapshot().filter(({ request }) => request.callId === 'c2');
  if (third?.status !== 'awaiting_approval') throw new Error('nothing waits');
  const { digest } = third.question;
  await session.send({ type: 'answer', callId: 'c2', digest, outcome: 'cancel', by: 'other' });
  const after = choicesIn(await mounted.shows((screen) => screen.includes('Yes to all 2')));
  expect(after.slice(0, before.length)).toEqual(before);
});

test('jumping to the end of a long question does not count as having seen all of it [U2] [U3]', async () => {
  const { mounted } = await asked([commandOf(60), 'echo b']);
  await mounted.shows((screen) => isDrawn(screen) && screen.includes('1 of 2'));
  await delay(SEEN_MS);
  mounted.press(END);
  await mounted.shows((screen) => /rows 64–77 of 77/.test(screen));
  mounted.press(TAB);
  await mounted.shows((screen) => isDrawn(screen) && screen.includes('2 of 2'));
  await delay(SEEN_MS);
  expect(await mounted.shows(isDrawn)).not.toContain('Yes to all');
  mounted.press(TAB);
  await mounted.shows((screen) => screen.includes('1 of 2'));
  await delay(SEEN_MS);
  for (let page = 0; page < 30; page++) mounted.press(PAGE_DOWN);
  await mounted.shows((screen) => screen.includes('Yes to all 2'));
});

const choicesIn = (screen: string): readonly string[] =>
  Array.from(screen.matchAll(/^[› ] (\d\. .*?) *$/gm), ([, choice = '']) => choice);
