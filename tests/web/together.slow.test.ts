import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { Served } from '../server/served.js';
import { must, Serving, until } from '../server/serving.js';
import { LONG_MS_MAX, openWindow, PAGE, seen } from './browser.js';

let serving: Serving | null = null;
let served: Served | null = null;
afterEach(async () => {
  await serving?.close();
  await served?.close();
  serving = null;
  served = null;
});

test('of two windows the first answer counts, and the other shows its author [W2, A5]', async () => {
  serving = await Serving.start({ page: PAGE });
  const { sessionId, callId } = await serving.ask('once');
  const at = `#/inbox/${sessionId}/${callId}`;
  const [anns, bobs] = await Promise.all([
    openWindow(serving.server.pair('ann').url),
    openWindow(serving.server.pair('bob').url),
  ]);
  for (const page of [anns, bobs]) {
    // The link signs in by its hash: another one before that would take it away.
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await page.evaluate(`location.hash = ${JSON.stringify(at)}`);
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
  }
  await anns.getByRole('button', { name: 'Allow once' }).click();
  await bobs.getByRole('region', { name: 'Answered' }).getByText('ann allowed it').waitFor();
  await until(async () => serving?.counted.length === 1);

  const again = await serving.ask('twice', sessionId);
  for (const page of [anns, bobs]) {
    await page.evaluate(`location.hash = ${JSON.stringify(`#/inbox/${again.sessionId}/${again.callId}`)}`);
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
  }
  // As long as it takes to see it; then both at once.
  await Promise.all([anns, bobs].map(seen));
  await Promise.all([anns, bobs].map((page) => page.keyboard.press('a')));
  await until(async () => serving?.counted.length === 2);
  const { facts } = must(
    await serving.client().listFacts({ sessionId, callId: again.callId, type: 'call.answered' }),
  );
  expect(facts).toHaveLength(1);
  expect(serving.counted).toEqual(['once', 'twice']);
});

test('after the server is killed and restarted, the page reconnects and the approval is still open [W2, A6]', async () => {
  served = new Served();
  await served.start('--port', '0', '--page', PAGE);
  const { port } = served;
  const { client } = served;
  const { sessionId } = must(await client.createSession({ body: {} }));
  const calls = [{ name: 'write_file', args: { file_path: 'kept.txt', content: 'kept\n' } }];
  must(await client.issueCalls({ sessionId, body: { calls } }));
  const page = await openWindow(served.stdout.trim().split('\n').at(-1) ?? '');
  await page.getByRole('link', { name: /Inbox 1 waiting/ }).click();
  await page.getByRole('main').getByRole('listitem').getByRole('link').click();
  await page.getByRole('button', { name: 'Allow once' }).waitFor();

  await served.end('SIGKILL');
  await page.getByText('The page may be out of date.').waitFor();
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByRole('alert').getByText('cannot be reached').waitFor();

  await served.start('--port', String(port), '--page', PAGE);
  await page.getByText('The page may be out of date.').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /Inbox 1 waiting/ }).waitFor();
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('No approvals are pending.').waitFor();
  const { client: after } = served;
  const { facts } = await until(async () => {
    const found = must(await after.listFacts({ sessionId, type: 'call.succeeded' }));
    return found.facts.length > 0 && found;
  });
  expect(facts).toHaveLength(1);
});

test('a viewed session continues after a restart, without gap or repeat [W2, W1]', async () => {
  served = new Served();
  await served.start('--port', '0', '--page', PAGE);
  const { port } = served;
  const { sessionId } = must(await served.client.createSession({ body: {} }));
  const list = async (dir: string) => {
    const calls = [{ name: 'list_directory', args: { dir_path: dir } }];
    must(await served!.client.issueCalls({ sessionId, body: { calls } }));
  };
  await list('.');
  const page = await openWindow(served.stdout.trim().split('\n').at(-1) ?? '');
  await page.evaluate(`location.hash = '#/sessions/${sessionId}'`);
  const cards = page.getByRole('article', { name: /list_directory/ });
  await cards.first().waitFor();
  await served.end('SIGKILL');
  await served.start('--port', String(port), '--page', PAGE);
  await list('.');
  await cards.nth(1).waitFor();
  expect(await cards.count()).toBe(2);
});

test('a user of another window is notified, if notifications are on, and led to the question [W2]', async () => {
  serving = await Serving.start({ page: PAGE });
  const page = await openWindow(serving.server.pair('ann').url);
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  // A browser without a screen has no window in the background, and shows no notifications.
  await page.addInitScript(`
      Object.defineProperty(Document.prototype, 'hidden', { get: () => true });
      window.shown = [];
      window.Notification = class extends EventTarget {
        static permission = 'granted';
        constructor(title, { body }) { super(); window.shown.push([title, body, this]); }
        close() {}
      };
    `);
  await page.reload();
  await page.getByText('online').waitFor();
  await serving.ask('unseen');
  await page.waitForFunction('window.shown.length === 1');
  expect(await page.evaluate('window.shown[0].slice(0, 2)')).toEqual([
    'Needs your approval',
    'count: Count unseen',
  ]);
  await page.evaluate("window.shown[0][2].dispatchEvent(new Event('click')) && null");
  await page.getByRole('heading', { name: 'Count unseen' }).waitFor();
});

test('questions asked while the server was away are notified when it is back, and earlier ones are not [W2]', {
  timeout: LONG_MS_MAX,
}, async () => {
  served = new Served();
  await served.start('--port', '0', '--page', PAGE);
  const { port } = served;
  const ask = async (file: string) => {
    const { sessionId } = must(await served!.client.createSession({ body: {} }));
    const calls = [{ name: 'write_file', args: { file_path: file, content: 'new' } }];
    must(await served!.client.issueCalls({ sessionId, body: { calls } }));
    await until(async () => JSON.stringify(must(await served!.client.listApprovals({}))).includes(file));
  };
  await ask('before.txt');
  const page = await openWindow(served.stdout.trim().split('\n').at(-1) ?? '');
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  await page.addInitScript(`
      Object.defineProperty(Document.prototype, 'hidden', { get: () => true });
      window.shown = [];
      window.Notification = class extends EventTarget {
        static permission = 'granted';
        constructor(title, { body }) { super(); window.shown.push(body); }
      };
    `);
  await page.reload();
  await page.getByRole('link', { name: /Inbox 1 waiting/ }).waitFor();
  await page.route('**/api/events*', (route) => route.abort());
  await served.end('SIGKILL');
  await served.start('--port', String(port), '--page', PAGE);
  await ask('meanwhile.txt');
  await page.unroute('**/api/events*');
  await page.getByRole('link', { name: /Inbox 2 waiting/ }).waitFor();
  await until(async () => page.evaluate<boolean>('window.shown.length > 0'));
  expect(await page.evaluate('window.shown')).toEqual([expect.stringContaining('meanwhile.txt')]);
});

test('the view of a deleted session reports it, and the page continues [W2]', async () => {
  serving = await Serving.start({ page: PAGE });
  const client = serving.client();
  const { sessionId } = must(await client.createSession({ body: {} }));
  const page = await openWindow(serving.server.pair('ann').url);
  await page.evaluate(`location.hash = '#/sessions/${sessionId}'`);
  await page.getByText('No messages yet.').waitFor();
  must(await client.deleteSession({ sessionId }));
  await page.getByRole('alert').getByText(sessionId).waitFor();
  await serving.ask('in another session');
  await page.getByRole('link', { name: /Inbox 1 waiting/ }).click();
  await page.getByRole('link', { name: /Count in another session/ }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

/** More than a browser opens connections to one server. */
const WINDOWS = 9;

test('of many hidden windows one listens, and the others use no connection [W2]', {
  timeout: LONG_MS_MAX,
}, async () => {
  serving = await Serving.start({ page: PAGE });
  const page = await openWindow(serving.server.pair('ann').url);
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  // A browser without a screen has no window in the background.
  const hide = "Object.defineProperty(document, 'hidden', { configurable: true, get: () => window.away });";
  await page.context().addInitScript(`window.away = true; ${hide}`);
  const others: Page[] = [];
  for (let opened = 1; opened < WINDOWS; opened++) {
    const other = await page.context().newPage();
    await other.goto(serving.server.url);
    await other.getByRole('button', { name: 'New session' }).waitFor();
    others.push(other);
  }
  await serving.ask('seen by who looks');
  await page.getByRole('link', { name: /Inbox 1 waiting/ }).click();
  await page.getByRole('link', { name: /Count seen by who looks/ }).waitFor();
  const notified = await until(async () => {
    const titles = await Promise.all(others.map((other) => other.title()));
    const listening = titles.filter((title) => title.startsWith('(1)')).length;
    return listening > 0 && listening;
  });
  expect(notified).toBe(1);

  const last = others.at(-1)!;
  await last.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))");
  await last.getByRole('link', { name: /Inbox 1 waiting/ }).waitFor();
});

test('a new question appears without a reload, and in the title of the window [W2]', async () => {
  serving = await Serving.start({ page: PAGE });
  const page = await openWindow(serving.server.pair('ann').url);
  await page.getByRole('link', { name: 'Inbox' }).click();
  await page.getByText('No approvals are pending.').waitFor();
  await serving.ask('late');
  await page.getByRole('link', { name: /Count late/ }).click();
  expect(await page.title()).toBe('(1) Countersign');
  await page.getByRole('button', { name: 'Allow once' }).click();
  await until(async () => serving?.counted.includes('late'));
});
