import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptedProvider } from '@countersign/models';
import { afterEach, expect, test } from 'vitest';
import { Served } from '../server/served.js';
import { must, Serving, until } from '../server/serving.js';
import { LONG_MS_MAX, openWindow, PAGE } from './browser.js';

let serving: Serving | null = null;
let served: Served | null = null;
afterEach(async () => {
  await serving?.close();
  await served?.close();
  serving = null;
  served = null;
});

test('the text of a model is shown while it is streamed, then as stored [W2, G1]', async () => {
  const scripted = scriptedProvider([
    [{ text: 'First half, ' }, { text: 'second half.\n```\nlet x = 1;\n```' }],
  ]);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const stream: typeof scripted.stream = async function* (request, signal) {
    for await (const event of scripted.stream(request, signal)) {
      if (event.type === 'text' && event.text.startsWith('second')) await released;
      yield event;
    }
  };
  serving = await Serving.start({ page: PAGE, provider: { ...scripted, stream } });
  const page = await openWindow(serving.server.pair('ann').url);
  await page.getByRole('button', { name: 'New session' }).click();
  // The stream is open: text from now on arrives piece by piece.
  await page.getByText('No messages yet.').waitFor();
  await page.getByLabel('Message', { exact: true }).fill('Say two halves');
  await page.keyboard.press('Enter');
  await page.getByText('First half,', { exact: true }).waitFor();
  expect(await page.getByText('second half.').count()).toBe(0);
  release();
  await page.getByText('First half, second half.').waitFor();
  expect(await page.getByLabel('Code').innerText()).toBe('let x = 1;');
  await until(async () => (await page.getByText('First half').count()) === 1);
  await page.getByRole('heading', { name: 'Say two halves' }).waitFor();
});

test('the topic and the to-do list of the agent are on the page [W2]', async () => {
  serving = await Serving.start({ page: PAGE });
  const client = serving.client();
  const { sessionId } = must(await client.createSession({ body: {} }));
  const todos = [
    { description: 'Read the notes', status: 'completed' },
    { description: 'Write the poem', status: 'in_progress' },
  ];
  must(await client.issueCalls({ sessionId, body: { calls: [{ name: 'write_todos', args: { todos } }] } }));
  const page = await openWindow(serving.server.pair('ann').url);
  await page.evaluate(`location.hash = '#/sessions/${sessionId}'`);
  const agenda = page.getByRole('region', { name: 'What the agent works on' });
  await agenda.getByText('1 of 2 steps done').waitFor();
  expect(await agenda.locator('[aria-current=step]').innerText()).toContain('Write the poem');
});

test('tokens and cost of a session are in its header and in the figures; an unknown price is not 0 [W2]', async () => {
  const usage = { inputTokens: 1_200, cachedTokens: 300, outputTokens: 45, thoughtTokens: 0 };
  const scripted = scriptedProvider([
    [{ text: 'First.' }, { usage }],
    [{ text: 'Second.' }, { usage }],
  ]);
  let model = 'gemini-2.5-flash';
  const stream: typeof scripted.stream = (request, signal) => scripted.stream({ ...request, model }, signal);
  serving = await Serving.start({ page: PAGE, provider: { ...scripted, stream } });
  const page = await openWindow(serving.server.pair('ann').url);
  await page.getByRole('button', { name: 'New session' }).click();
  await page.getByText('No messages yet.').waitFor();
  await page.getByLabel('Message', { exact: true }).fill('one');
  await page.keyboard.press('Enter');
  const header = page.getByLabel('Usage of the model');
  await header.getByText('1,200 tokens in (300 cached), 45 out · $0.0004').waitFor();
  model = 'a-model-of-ours';
  await page.getByLabel('Message', { exact: true }).fill('two');
  await page.keyboard.press('Enter');
  await header.getByText('2,400 tokens in (600 cached), 90 out · cost unknown').waitFor();
  const client = serving.client();
  const [session] = must(await client.listSessions({})).sessions;
  const sessionId = session?.sessionId ?? '';
  must(
    await client.issueCalls({
      sessionId,
      body: { calls: [{ name: 'read_file', args: { file_path: 'missing.txt' } }] },
    }),
  );
  await until(async () => must(await client.statistics({ sessionId })).calls === 1);
  await page.getByRole('link', { name: 'Figures' }).click();
  const cells = page.getByRole('region', { name: 'Figures by session' }).getByRole('cell');
  await until(
    async () => (await cells.allInnerTexts()).join(' | ') === '1 | 0 | 1 | 0 | 2,400 | 600 | 90 | unknown',
  );
  const rule = page.getByRole('region', { name: 'Figures by rule' }).getByRole('row').nth(1);
  expect(await rule.innerText()).toMatch(/\.toml:\d+\s+allow\s+1\s+0\s+1\s+0/);
  await page
    .getByRole('region', { name: 'Figures by session' })
    .getByRole('link', { name: sessionId })
    .click();
  await header.getByText('cost unknown').waitFor();
});

test('without a model the page shows what to do, and the demonstration runs [W2]', {
  timeout: LONG_MS_MAX,
}, async () => {
  served = new Served();
  await served.start('--port', '0', '--page', PAGE);
  const page = await openWindow(served.stdout.trim().split('\n').at(-1) ?? '');
  await page.getByRole('complementary', { name: 'No model' }).getByText('GEMINI_API_KEY').waitFor();
  await page.getByText('There is no session yet.').waitFor();
  await page.getByRole('button', { name: 'Demonstration' }).click();
  await page.getByRole('article', { name: 'run_shell_command: not run' }).waitFor();
  const edit = page.getByRole('article', { name: 'replace: waits for you' });
  await edit.getByRole('button', { name: 'Allow once' }).click();
  await page
    .getByRole('article', { name: 'run_shell_command: exit 0' })
    .getByText(/pass 3/)
    .waitFor();
  await page.getByText('The poem ends with').waitFor();
  await page.getByRole('button', { name: 'Message' }).click();
  await page.getByRole('complementary', { name: 'No model' }).waitFor();
  expect(await page.getByRole('article', { name: 'replace: waits for you' }).count()).toBe(0);
});

test('a model that is added later is available without a reload [W2]', { timeout: LONG_MS_MAX }, async () => {
  served = new Served();
  await served.start('--port', '0', '--page', PAGE);
  const { port } = served;
  const page = await openWindow(served.stdout.trim().split('\n').at(-1) ?? '');
  await page.getByRole('complementary', { name: 'No model' }).waitFor();
  await served.end('SIGTERM');
  const recording = join(served.directory, 'answers.jsonl');
  writeFileSync(recording, '');
  await served.start('--port', String(port), '--page', PAGE, '--fake-responses', recording);
  await page.getByRole('complementary', { name: 'No model' }).waitFor({ state: 'detached' });
  expect(await page.getByText('GEMINI_API_KEY').count()).toBe(0);
});

const COUNTING = 'for step in 1 2 3 4 5; do echo "step $step of 5"; sleep 1; done';

test('output is live, and all running and pending calls can be stopped [W2]', async () => {
  serving = await Serving.start({ page: PAGE });
  const client = serving.client();
  const { sessionId } = must(await client.createSession({ body: {} }));
  const page = await openWindow(serving.server.pair('ann').url);
  await page.evaluate(`location.hash = '#/sessions/${sessionId}'`);
  await page.getByText('No messages yet.').waitFor();
  const calls = [
    { name: 'write_file', args: { file_path: 'a.txt', content: 'a' } },
    { name: 'run_shell_command', args: { command: COUNTING } },
  ];
  must(await client.issueCalls({ sessionId, body: { calls } }));
  const command = page.getByRole('article', { name: /run_shell_command/ });
  await command.getByText('step 1 of 5').waitFor();
  expect(await command.getByText('step 5 of 5').count()).toBe(0);
  await page.getByRole('article', { name: 'write_file: waits for you' }).waitFor();
  await page.getByRole('button', { name: 'Stop all' }).click();
  await page.getByRole('article', { name: 'write_file: cancelled' }).waitFor();
  await page.getByRole('article', { name: 'run_shell_command: cancelled' }).waitFor();
});

test('files are mentioned with @, by keyboard, and sent as text [W2, U3]', async () => {
  serving = await Serving.start({ page: PAGE, provider: scriptedProvider([[{ text: 'Seen.' }]]) });
  for (const name of ['harbour.md', 'harbour master.md', 'other.md'])
    writeFileSync(join(serving.workspace, name), '');
  const page = await openWindow(serving.server.pair('ann').url);
  await page.getByRole('button', { name: 'New session' }).click();
  const message = page.getByLabel('Message', { exact: true });
  await message.pressSequentially('Read @harbour');
  const options = page.getByRole('listbox', { name: 'Files' }).getByRole('option');
  await options.nth(1).waitFor();
  // The list follows the letters: at first it has all files.
  await expect
    .poll(async () => (await options.allInnerTexts()).sort())
    .toEqual(['harbour master.md', 'harbour.md']);
  const second = await options.nth(1).innerText();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await expect.poll(() => message.inputValue()).toBe(`Read @${second.replace(' ', '\\ ')} `);
  await page.keyboard.press('Enter');
  await page.getByText('Seen.', { exact: true }).waitFor();
});

test('a session is forked, saved to a file and deleted [W2]', async () => {
  serving = await Serving.start({ page: PAGE });
  const client = serving.client();
  const { sessionId } = must(await client.createSession({ body: {} }));
  const calls = [{ name: 'list_directory', args: { dir_path: '.' } }];
  must(await client.issueCalls({ sessionId, body: { calls } }));
  const page = await openWindow(serving.server.pair('ann').url);
  await page.evaluate(`location.hash = '#/sessions/${sessionId}'`);
  await page.getByRole('article', { name: 'list_directory: done' }).waitFor();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${sessionId}.jsonl`);
  const saved = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  expect(saved.map((line) => JSON.parse(line).event.type)).toContain('call.succeeded');

  await page.getByRole('button', { name: 'Fork' }).click();
  await page.waitForURL((url) => !url.hash.endsWith(sessionId));
  await page.getByRole('article', { name: 'list_directory: done' }).waitFor();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  const { sessions } = must(await client.listSessions({}));
  expect(sessions.map((each) => each.sessionId)).toEqual([sessionId]);
});

test('a call by hand is judged, run and shown with its decision; a change of mode shows in every client [W2]', async () => {
  serving = await Serving.start({ page: PAGE });
  const client = serving.client();
  const { sessionId } = must(await client.createSession({ body: {} }));
  const page = await openWindow(serving.server.pair('ann').url);
  const other = await openWindow(serving.server.pair('bob').url);
  for (const each of [page, other]) await each.evaluate(`location.hash = '#/sessions/${sessionId}'`);
  await page.getByLabel('Tool').selectOption('glob');
  await page.getByLabel('Arguments, as JSON').fill('{ "pattern": ');
  await expect.poll(() => page.getByRole('button', { name: 'Call it' }).isDisabled()).toBe(true);
  await page.getByLabel('Arguments, as JSON').fill('{ "pattern": "*.ts" }');
  await page.getByRole('button', { name: 'Call it' }).click();
  const card = other.getByRole('article', { name: 'glob: done' });
  await card.getByText(/Allowed: Rule/).waitFor();
  await card.getByRole('button', { name: 'Why?' }).click();
  await card.getByText(/A client requested glob/).waitFor();

  await other.getByLabel('Approval mode').selectOption('plan');
  await page.getByText('bob switched to plan').waitFor();
  await expect.poll(() => page.getByLabel('Approval mode').inputValue()).toBe('plan');
});

test('a model that has not responded yet can be stopped, and text typed meanwhile stays [W2, L5]', async () => {
  const provider = scriptedProvider([[{ delayMs: 60_000 }, { text: 'Too late.' }], [{ text: 'At once.' }]]);
  serving = await Serving.start({ page: PAGE, provider });
  const client = serving.client();
  const page = await openWindow(serving.server.pair('ann').url);
  await page.getByRole('button', { name: 'New session' }).click();
  await page.getByText('No messages yet.').waitFor();
  const message = page.getByLabel('Message', { exact: true });
  await page.route('**/messages', async (route) => {
    await message.pressSequentially(' and more');
    await route.continue();
  });
  await message.fill('Think');
  await page.keyboard.press('Enter');
  await page.locator('.item.user').getByText('Think', { exact: true }).waitFor();
  await until(async () => (await message.inputValue()) === 'and more');
  await page.getByRole('button', { name: 'Stop all' }).click({ timeout: 5_000 });
  await until(async () => {
    const { sessions } = must(await client.listSessions({}));
    return sessions[0]?.state === 'idle';
  });
  expect(provider.requests).toHaveLength(1);
});
