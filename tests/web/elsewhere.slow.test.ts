import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { call, FakeModel, prompt, says, text } from '../cli/headless-model.js';
import { type Place, test, writeCall } from '../cli/program.js';
import { LONG_MS_MAX, openWindow, PAGE } from './browser.js';

/** The page of a server beside which other programs work with the same store. */
async function openPage(place: Place) {
  const serving = place.start(['serve', '--port', '0', '--page', PAGE]);
  const page = await openWindow(await serving.text(/http:\S+#pair=\S+/));
  await page.getByRole('link', { name: 'Inbox' }).click();
  return page;
}

test('a question of another program on the machine is in the inbox, and its call runs there as answered here [W2, A5]', {
  timeout: LONG_MS_MAX,
}, async ({ place }) => {
  const page = await openPage(place);
  await page.getByText('No approvals are pending.').waitFor();
  const calls = [writeCall('a.txt', 'agreed\n', 'yes'), writeCall('b.txt', 'not agreed\n', 'no')];
  const running = place.start(['exec', '--approvals', 'wait', '--session', 's1', JSON.stringify(calls)]);

  await page.getByRole('link', { name: /Write a\.txt/ }).click();
  await page.getByRole('region', { name: 'The change' }).getByText('agreed').waitFor();
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByRole('heading', { name: /Write b\.txt/ }).waitFor();
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByLabel('What should be done instead?').fill('One file is enough.');
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByText('No approvals are pending.').waitFor();

  const { lines } = await running.ended();
  expect(lines).toMatchObject([
    { callId: 'yes', status: 'success', outcome: 'proceed_once' },
    {
      callId: 'no',
      status: 'cancelled',
      error: { message: expect.stringContaining('One file is enough.') },
    },
  ]);
  expect([place.read('a.txt'), place.has('b.txt')]).toEqual(['agreed\n', false]);
});

test('an edit by hand reaches a headless run, and its session can be watched while it works [W2, A4]', {
  timeout: LONG_MS_MAX,
}, async ({ place }) => {
  const page = await openPage(place);
  const model = await FakeModel.start(
    says(call('write_file', { file_path: 'a.txt', content: 'proposed' }, 'w')),
    says(text('Done.')),
  );
  const running = model.start(place, prompt('go', '--approvals', 'wait'));
  await page.getByRole('link', { name: /Write a\.txt/ }).click();
  await page.getByRole('button', { name: 'Edit, then allow' }).click();
  const editor = page.getByRole('textbox', { name: 'New content of a.txt' });
  await editor.waitFor();
  await editor.press('Control+a');
  await page.keyboard.type('by hand');
  await page.getByRole('button', { name: 'Allow as edited' }).click();
  const ran = await running.ended();
  expect([ran.code, ran.stdout, place.read('a.txt')]).toEqual([0, 'Done.\n', 'by hand']);

  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('main').getByRole('link', { name: 'go' }).click();
  await page.getByRole('article', { name: 'write_file: done' }).waitFor();
  await page.getByText('Done.').waitFor();
});

test('what a killed program left open is listed as interrupted, and continues when it is resumed here [W2] [A6]', {
  timeout: LONG_MS_MAX,
}, async ({ place }) => {
  const commands = ['echo a > a.txt; sleep 2; echo done >> a.txt', 'echo b >> a.txt'];
  const calls = commands.map((command) => ({ name: 'run_shell_command', args: { command } }));
  const running = place.start(['exec', '--yolo', '--session', 's1', JSON.stringify(calls)]);
  await expect.poll(() => place.has('a.txt'), { timeout: LONG_MS_MAX }).toBe(true);
  running.signal('SIGKILL');
  await running.ended();
  const page = await openPage(place);
  await page.getByRole('link', { name: 'Sessions' }).click();
  await page
    .getByRole('main')
    .getByRole('link', { name: /s1.*interrupted/ })
    .click();
  const note = page.getByRole('note');
  await note.getByText('1 call was running, 1 call was queued').waitFor();
  await note.getByRole('button', { name: 'Resume' }).click();
  await note.waitFor({ state: 'detached' });
  await expect.poll(() => place.read('a.txt'), { timeout: LONG_MS_MAX }).toBe('a\ndone\nb\n');
  const done = page.getByRole('article', { name: 'run_shell_command: exit 0' });
  await expect.poll(() => done.count(), { timeout: 10_000 }).toBe(2);
});

test('a question answered in another program leaves the inbox, and its open view shows the author [W2, A5]', {
  timeout: LONG_MS_MAX,
}, async ({ place }) => {
  const page = await openPage(place);
  const calls = JSON.stringify([writeCall('a.txt', 'x\n', 'w')]);
  const running = place.start(['exec', '--approvals', 'wait', '--session', 's1', calls]);
  await page.getByRole('link', { name: /Write a\.txt/ }).click();
  await page.getByRole('button', { name: 'Allow once' }).waitFor();
  const answered = await place.run(['approvals', 'answer', 's1/w', 'proceed_once', '--by', 'anna']);
  expect(answered.code).toBe(0);
  await page.getByRole('region', { name: 'Answered' }).getByText('anna allowed it').waitFor();
  await running.ended();
  expect(place.read('a.txt')).toBe('x\n');
});

test('a question of a folder that is not served is answered once and as asked, and its session only watched [W2, W3]', {
  timeout: LONG_MS_MAX,
}, async ({ place }) => {
  const served = join(place.directory, 'served');
  mkdirSync(served);
  const serving = place.start(['serve', '--port', '0', '--page', PAGE, '--workspace', served]);
  const page = await openWindow(await serving.text(/http:\S+#pair=\S+/));
  const calls = JSON.stringify([writeCall('a.txt', 'as asked\n', 'w')]);
  const running = place.start(['exec', '--approvals', 'wait', '--session', 's1', calls]);
  await page.getByRole('link', { name: 'Inbox' }).click();
  await page.getByRole('link', { name: /Write a\.txt/ }).click();
  await page.getByText('Its folder is not served here').waitFor();
  const offered = page.locator('.choices').getByRole('button');
  expect(await offered.allInnerTexts()).toEqual([
    expect.stringMatching(/^Allow once/),
    expect.stringMatching(/^Decline/),
  ]);
  await page.getByRole('button', { name: /Why is this asked/ }).click();
  await page.locator('.story li').first().waitFor();
  await page.getByRole('link', { name: 'session s1' }).click();
  await page.getByRole('note').getByText('which this server does not serve').waitFor();
  expect(await page.getByRole('link', { name: 'Export' }).count()).toBe(0);
  for (const name of ['Fork', 'Delete…'])
    expect(await page.getByRole('button', { name }).isDisabled()).toBe(true);
  expect(await page.getByLabel('Approval mode').count()).toBe(0);
  await page.getByRole('button', { name: 'Allow once' }).click();
  await running.ended();
  expect(place.read('a.txt')).toBe('as asked\n');
});
