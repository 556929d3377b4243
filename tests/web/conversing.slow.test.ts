import { scriptedProvider } from '@countersign/models';
import { afterEach, expect, test } from 'vitest';
import { must, Serving, until } from '../server/serving.js';
import { hasBrowser, openWindow, PAGE } from './browser.js';

let serving: Serving | null = null;
afterEach(async () => {
  await serving?.close();
  serving = null;
});

test.runIf(hasBrowser)('what a model says is shown as it says it, then as it was said [W2, G1]', async () => {
  const provider = scriptedProvider([
    [{ text: 'First half, ' }, { delayMs: 1_500 }, { text: 'second half.\n```\nlet x = 1;\n```' }],
  ]);
  serving = await Serving.start({ page: PAGE, provider });
  const page = await openWindow(serving.server.pair('ann').url);
  await page.getByRole('button', { name: 'New session' }).click();
  // The stream is there: what is said from now on is heard piece by piece.
  await page.getByText('Nothing has happened here yet.').waitFor();
  await page.getByLabel('Message', { exact: true }).fill('Say two halves');
  await page.keyboard.press('Enter');
  await page.getByText('First half,', { exact: true }).waitFor();
  expect(await page.getByText('second half.').count()).toBe(0);
  await page.getByText('First half, second half.').waitFor();
  expect(await page.getByLabel('Code').innerText()).toBe('let x = 1;');
  await until(async () => (await page.getByText('First half').count()) === 1);
  await page.getByRole('heading', { name: 'Say two halves' }).waitFor();
});

test.runIf(hasBrowser)(
  'with no model: the demonstration runs, shows live output, asks, and can be stopped [W2]',
  async () => {
    serving = await Serving.start({ page: PAGE });
    const page = await openWindow(serving.server.pair('ann').url);
    await page.getByText('There is no session yet.').waitFor();
    await page.getByRole('button', { name: 'Demonstration' }).click();
    const command = page.getByRole('article', { name: /run_shell_command/ });
    await command.getByText('step 1 of 5').waitFor();
    expect(await command.getByText('step 5 of 5').count()).toBe(0);
    await page.getByRole('article', { name: 'write_file: waits for you' }).waitFor();
    await page.getByRole('button', { name: 'Stop all' }).click();
    await page.getByRole('article', { name: 'write_file: cancelled' }).waitFor();
    await page.getByRole('article', { name: 'run_shell_command: cancelled' }).waitFor();
  },
);

test.runIf(hasBrowser)(
  'a call by hand is judged, run and told with what decided; the mode is switched for all to see [W2]',
  async () => {
    serving = await Serving.start({ page: PAGE });
    const client = serving.client();
    const { sessionId } = must(await client.createSession({ body: {} }));
    const page = await openWindow(serving.server.pair('ann').url);
    const other = await openWindow(serving.server.pair('bob').url);
    for (const each of [page, other]) await each.evaluate(`location.hash = '#/sessions/${sessionId}'`);
    await page.getByLabel('Tool').selectOption('glob');
    await page.getByLabel('Arguments, as JSON').fill('{ "pattern": ');
    expect(await page.getByRole('button', { name: 'Call it' }).isDisabled()).toBe(true);
    await page.getByLabel('Arguments, as JSON').fill('{ "pattern": "*.ts" }');
    await page.getByRole('button', { name: 'Call it' }).click();
    const card = other.getByRole('article', { name: 'glob: done' });
    await card.getByText(/Allowed: Rule/).waitFor();
    await card.getByRole('button', { name: 'Why?' }).click();
    await card.getByText(/A client asked for glob/).waitFor();

    await other.getByLabel('Approval mode').selectOption('plan');
    await page.getByText('bob switched to plan').waitFor();
    expect(await page.getByLabel('Approval mode').inputValue()).toBe('plan');
  },
);
