import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@countersign/protocol';
import { afterEach, expect, test } from 'vitest';
import { must, Serving, until } from '../server/serving.js';
import { openWindow, PAGE } from './browser.js';

let serving: Serving | null = null;
afterEach(async () => {
  await serving?.close();
  serving = null;
});

/** A call that asks, and a window in which its question is looked at. */
async function asking(
  name: string,
  args: JsonObject,
  given: { readonly files?: Record<string, string> } = {},
) {
  const started = await Serving.start({ page: PAGE });
  serving = started;
  for (const [file, content] of Object.entries(given.files ?? {}))
    writeFileSync(join(started.workspace, file), content);
  const client = started.client();
  const { sessionId } = must(await client.createSession({ body: {} }));
  const { callIds } = must(await client.issueCalls({ sessionId, body: { calls: [{ name, args }] } }));
  const [callId = ''] = callIds;
  await started.digestOf(sessionId, callId);
  const page = await openWindow(started.server.pair('ann').url);
  await page.getByRole('link', { name: /Inbox 1 waiting/ }).click();
  await page.getByRole('main').getByRole('listitem').getByRole('link').click();
  const facts = async (type: string) =>
    must(await client.listFacts({ sessionId, type })).facts.map(({ event }) => event);
  const ended = () => until(async () => (await facts('turn.ended'))[0]);
  const read = (file: string) => readFileSync(join(started.workspace, file), 'utf8');
  return { page, client, sessionId, callId, facts, ended, read, workspace: started.workspace };
}

const GREETING = { file_path: 'greeting.txt', content: 'Good day.\n' };

test('an approved call runs, and the question leaves the inbox [W2, A2]', async () => {
  const { page, ended, read, facts } = await asking('write_file', GREETING);
  await page.getByRole('region', { name: 'The change' }).getByText('Good day.').waitFor();
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('No approvals are pending.').waitFor();
  await ended();
  expect(read('greeting.txt')).toBe('Good day.\n');
  expect(await facts('call.answered')).toMatchObject([{ answer: { by: 'ann', outcome: 'proceed_once' } }]);
});

const EDITED = 'one\ntwo\nthree\nfour, by hand\nfive';

test('proposed content is edited in place, and the edited content is written [W2, A4]', async () => {
  const { page, ended, read, facts } = await asking(
    'write_file',
    { file_path: 'poem.txt', content: 'one\ntwo\nthree\n' },
    { files: { 'poem.txt': 'one\n' } },
  );
  await page.getByRole('button', { name: 'Edit, then allow' }).click();
  const editor = page.getByRole('textbox', { name: 'New content of poem.txt' });
  await editor.waitFor();
  await editor.press('Control+End');
  await page.keyboard.type('four, by hand');
  await page.keyboard.press('Enter');
  // Longer than what is taken back together.
  await page.waitForTimeout(700);
  // At once, so that it is taken back at once.
  await page.keyboard.insertText('mistake');
  await page.keyboard.press('Control+z');
  await page.keyboard.type('five');
  await page.getByRole('button', { name: 'Allow as edited' }).click();
  await ended();
  expect(read('poem.txt')).toBe(EDITED);
  expect(await facts('call.rewritten')).toMatchObject([{ by: 'ann', args: { content: EDITED } }]);
});

test('unedited content is written byte for byte, with any line endings [A3, A4]', async () => {
  const content = 'dos\r\nmixed\nnul-free \u202e turned\r\n';
  const { page, ended, read } = await asking('write_file', { file_path: 'odd.txt', content });
  await page.getByText('Careful:').waitFor();
  await page.getByRole('button', { name: 'Edit, then allow' }).click();
  await page.getByRole('button', { name: 'Allow unchanged' }).click();
  await ended();
  expect(read('odd.txt')).toBe(content);
});

test('a refusal carries feedback to the model, and nothing is written [W2, A2]', async () => {
  const { page, ended, facts, workspace } = await asking('write_file', GREETING);
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByLabel('What should be done instead?').fill('Say good evening.');
  await page.getByRole('button', { name: 'Decline' }).click();
  await ended();
  expect(existsSync(join(workspace, 'greeting.txt'))).toBe(false);
  expect(await facts('call.cancelled')).toMatchObject([
    { reason: { type: 'declined', by: 'ann', feedback: 'Say good evening.' } },
  ]);
});

test('a command shows its risk and is changed before it runs [W2, A1, A4]', async () => {
  const { page, ended, facts } = await asking('run_shell_command', {
    command: 'rm -rf build && touch made-by-model',
  });
  await page.getByText('high; ', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Change the command' }).click();
  await page.getByLabel('The command that will run').fill('echo changed by hand');
  await page.getByRole('button', { name: 'Allow as changed' }).click();
  await ended();
  expect(await facts('call.succeeded')).toMatchObject([
    { result: { returnDisplay: expect.stringContaining('changed by hand') } },
  ]);
});

test('invisible characters are shown as their codes, with a warning [A7]', async () => {
  const { page } = await asking('run_shell_command', { command: 'touch a\u202etxt.exe \u001b[2K' });
  await page.getByText('characters that change the text direction').waitFor();
  const shown = await page.getByLabel('The command', { exact: true }).innerText();
  expect(shown).toContain('\\u{202e}');
  expect(shown).toContain('\\x1b');
  expect(shown).not.toMatch(/[\u202e\u001b]/);
  await page.getByRole('button', { name: 'Change the command' }).click();
  const besideTheField = page.getByLabel('The text, with all characters that a text field does not show');
  expect(await besideTheField.innerText()).toContain('a\\u{202e}txt.exe');
});

test('questions are answered by option and by free text [W2, A1]', async () => {
  const options = [
    { label: 'SQLite', description: 'a file' },
    { label: 'PostgreSQL', description: 'a server' },
  ];
  const { page, ended, facts } = await asking('ask_user', {
    questions: [
      { question: 'Which database?', header: 'Database', type: 'choice', options },
      { question: 'What name?', header: 'Name', type: 'text' },
    ],
  });
  await page.getByRole('radio', { name: /SQLite/ }).check();
  await page.getByRole('textbox', { name: 'What name?' }).fill('ledger');
  await page.getByRole('button', { name: 'Answer', exact: true }).click();
  await ended();
  expect(await facts('call.succeeded')).toMatchObject([
    { result: { returnDisplay: 'Database: SQLite\nName: ledger' } },
  ]);
});

test('an "always" shows its scope, is listed among the grants, and is revoked there [W2, P6]', async () => {
  const { page, client, ended } = await asking('write_file', GREETING);
  await page.getByRole('button', { name: 'Allow always …' }).click();
  await page.getByRole('button', { name: /Allow always .*for this session/ }).click();
  await ended();
  await page.getByRole('link', { name: 'Grants' }).click();
  await page.getByText('edits of files inside the workspace', { exact: true }).waitFor();
  await page.getByRole('button', { name: /Take back/ }).click();
  await page.getByText('There are none.').waitFor();
  expect(must(await client.listGrants({})).grants).toEqual([]);
});

test('an "always" can be limited in time and uses, behind one more step [W2, P6]', async () => {
  const { page, client, ended } = await asking('write_file', GREETING);
  const uses = page.getByRole('textbox', { name: 'Number of uses' });
  const opener = page.getByRole('button', { name: 'Allow always …' });
  await opener.waitFor();
  expect(await uses.isVisible()).toBe(false);
  await opener.click();
  await page.getByRole('combobox', { name: 'Valid' }).selectOption('For one hour');
  const always = page.getByRole('button', { name: /Allow always .*for this session/ });
  await uses.fill('1.5');
  await expect.poll(() => always.isDisabled()).toBe(true);
  await uses.fill('3');
  const before = Date.now();
  await always.click();
  await ended();
  const [grant] = must(await client.listGrants({})).grants;
  expect(grant).toMatchObject({ uses: 3, expiresAt: expect.any(Number) });
  expect(Math.round((Number(grant?.['expiresAt']) - before) / 60_000)).toBe(60);
});

test('an "always" can be for every workspace, and for exactly the command besides its beginning [W2, P6, A1]', async () => {
  const { page, client, ended } = await asking('run_shell_command', { command: 'git push origin main' });
  await page.getByRole('button', { name: 'Allow always …' }).click();
  await page.getByRole('radio', { name: /^commands that begin with `git push/ }).check();
  const where = page.getByRole('combobox', { name: 'Where' });
  await expect
    .poll(() => where.getByRole('option').allInnerTexts())
    .toEqual([
      'In this session',
      'In every session of this workspace',
      'In every session of every workspace',
    ]);
  await page.getByRole('radio', { name: 'exactly `git push origin main`' }).check();
  await where.selectOption('In every session of every workspace');
  await page
    .getByRole('button', {
      name: 'Allow always exactly `git push origin main`, in every session of every workspace',
    })
    .click();
  await ended();
  expect(must(await client.listGrants({})).grants).toMatchObject([
    { scope: 'user', scopeKey: '', pattern: { match: 'exact' } },
  ]);
});

test('the reason for a question is shown from the journal, with every rule that was considered [W2, P7]', async () => {
  const { page } = await asking('write_file', GREETING);
  await page.getByRole('button', { name: 'Why is this asked?' }).click();
  await page.getByText('A client requested write_file').waitFor();
  await page.getByRole('button', { name: 'Show every rule that was considered' }).click();
  const rules = page.getByRole('table', { name: 'Rules in the order in which they were considered' });
  await rules.waitFor();
  await expect.poll(() => rules.getByRole('row').count()).toBeGreaterThan(1);
});
