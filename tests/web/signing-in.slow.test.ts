import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { DescribedServer } from '../server/described.js';
import { send } from '../server/raw-http.js';
import { Served } from '../server/served.js';
import { must, Serving, until } from '../server/serving.js';
import { LONG_MS_MAX, openProfile, openWindow, PAGE } from './browser.js';

let serving: Serving | null = null;
let served: Served | null = null;
let other: Server | null = null;
afterEach(async () => {
  await serving?.close();
  await served?.close();
  other?.close();
  other?.closeAllConnections();
  serving = null;
  served = null;
  other = null;
});

const start = async (): Promise<Serving> => {
  serving = await Serving.start({ page: PAGE });
  return serving;
};
const isIn = (page: Page) => becomesVisible(page.getByText('online'));
const isOut = (page: Page) =>
  becomesVisible(
    page.getByRole('heading', { name: /Sign in to Countersign|no longer signed in|signed out/ }),
  );
async function becomesVisible(part: Locator): Promise<void> {
  await part.waitFor();
  expect(await part.count()).toBe(1);
}

/** A program at another port of this machine: it records what browsers send to it. */
async function otherServer(): Promise<{ readonly url: string; readonly cookies: string[] }> {
  const cookies: string[] = [];
  other = createServer((request, response) => {
    if (request.headers.cookie !== undefined) cookies.push(request.headers.cookie);
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>A development server</title>');
  });
  await new Promise<void>((resolve) => other?.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, cookies };
}

test('the cookie that another port is sent opens no route, no stream and no download when it is replayed [W3]', {
  timeout: LONG_MS_MAX,
}, async () => {
  const { server, client } = await start().then((each) => ({ server: each.server, client: each.client() }));
  const page = await openWindow(server.pair('ann').url);
  await isIn(page);
  const { url, cookies } = await otherServer();
  const elsewhere = await page.context().newPage();
  await elsewhere.goto(url);
  await until(async () => cookies.some((cookie) => cookie.includes(`countersign-${server.port}=`)));
  const [cookie = ''] = cookies;
  const { sessionId } = must(await client.createSession({ body: {} }));
  const { document } = await DescribedServer.of(serving ?? (await start()));
  let tried = 0;
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      if ('security' in operation) continue;
      for (const extra of [
        {},
        { 'x-countersign': 'page' },
        { 'x-countersign': cookie.split('.')[1] ?? '' },
      ]) {
        const { status } = await send({
          port: server.port,
          method: method.toUpperCase(),
          path: path.replace('{sessionId}', sessionId),
          headers: {
            host: `127.0.0.1:${server.port}`,
            origin: `http://127.0.0.1:${server.port}`,
            'sec-fetch-site': 'same-origin',
            'content-type': 'application/json',
            cookie,
            ...extra,
          },
          ...(method === 'post' && { body: '{}' }),
          until: 'headers',
        });
        expect([method, path, status]).toEqual([method, path, 401]);
        tried++;
      }
    }
  expect(tried).toBeGreaterThan(90);

  // Nor can a page of that server have the browser ask, or read what our page keeps.
  const asked = await elsewhere.evaluate(
    `fetch('${server.url}/api/me', { credentials: 'include' }).then((answer) => answer.status, () => 'refused')`,
  );
  expect(asked).toBe('refused');
  expect(await elsewhere.evaluate(KEPT)).toBeNull();
  expect(await page.evaluate(KEPT)).toMatch(/^[\w-]{43}$/);
});

/** What a page of this origin finds where ours keeps its secret. */
const KEPT = `new Promise((resolve) => {
  const opening = indexedDB.open('countersign');
  opening.onsuccess = () => {
    const database = opening.result;
    if (!database.objectStoreNames.contains('sign-in')) return resolve(null);
    const got = database.transaction('sign-in').objectStore('sign-in').get('secret');
    got.onsuccess = () => resolve(got.result ?? null);
  };
})`;

test('a browser stays signed in over a reload, in a second window, and over a restart of the server and of itself [W3]', {
  timeout: LONG_MS_MAX,
}, async () => {
  served = new Served();
  await served.start('--port', '0', '--page', PAGE);
  const { port, url } = served;
  const profile = mkdtempSync(join(tmpdir(), 'countersign-profile-'));
  try {
    const first = await openProfile(profile);
    const page = await first.newPage();
    await page.goto(served.stdout.trim());
    await isIn(page);
    await page.reload();
    await isIn(page);
    const second = await first.newPage();
    await second.goto(url);
    await isIn(second);
    await served.end('SIGKILL');
    await served.start('--port', String(port), '--page', PAGE);
    await page.reload();
    await isIn(page);
    await first.close();

    const again = await openProfile(profile);
    const later = await again.newPage();
    await later.goto(url);
    await isIn(later);
    await again.close();
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
});

test('a browser that has lost its stored data shows one command, and is signed in by the link that it prints [W3]', {
  timeout: LONG_MS_MAX,
}, async () => {
  served = new Served();
  await served.start('--port', '0', '--page', PAGE);
  const page = await openWindow(served.stdout.trim());
  await isIn(page);
  await page.goto('about:blank');
  await page.goto(served.url);
  await isIn(page);
  await page.evaluate(`new Promise((resolve) => {
      const opening = indexedDB.open('countersign');
      opening.onsuccess = () => {
        const clearing = opening.result.transaction('sign-in', 'readwrite').objectStore('sign-in').clear();
        clearing.onsuccess = () => resolve(null);
      };
    })`);
  await page.reload();
  await isOut(page);
  const command = await page.getByText(/^countersign serve link/).innerText();
  expect(command).toBe(`countersign serve link --port ${served.port}`);
  const printed = served.run(...command.split(' ').slice(1));
  expect(printed).toMatchObject({ code: 0, stderr: expect.stringContaining('works once') });
  await page.getByLabel('Or paste the link here').fill(printed.stdout.trim());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await isIn(page);
  // Once is once.
  const another = await openWindow(printed.stdout.trim());
  await another.getByRole('alert').getByText('already used').waitFor();
});

test('signing out ends all windows of the browser; signing in again brings them back [W3]', {
  timeout: LONG_MS_MAX,
}, async () => {
  const { server } = await start();
  const page = await openWindow(server.pair('ann').url);
  const theirs = await openWindow(server.pair('bob').url);
  await isIn(page);
  const second = await page.context().newPage();
  await second.goto(server.url);
  await isIn(second);
  const [held] = await page.context().cookies();
  const secret = String(await page.evaluate(KEPT));
  await second.getByRole('button', { name: 'Sign out' }).click();
  await second.getByRole('heading', { name: 'You are signed out' }).waitFor();
  await page.getByRole('heading', { name: 'This browser is no longer signed in' }).waitFor();
  await expect.poll(() => page.evaluate(KEPT)).toBeNull();
  const { status } = await send({
    port: server.port,
    method: 'GET',
    path: '/api/events',
    headers: {
      host: `127.0.0.1:${server.port}`,
      cookie: `countersign-${server.port}=${held?.value}`,
      'x-countersign': secret,
    },
    until: 'headers',
  });
  expect(status).toBe(401);
  await isIn(theirs);

  await page.getByLabel('Or paste the link here').fill(server.pair('ann').url);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await Promise.all([isIn(page), isIn(second)]);
});

test('a browser that is signed out by a command, or whose token is removed, shows it within a moment [W3]', {
  timeout: LONG_MS_MAX,
}, async () => {
  served = new Served();
  await served.start('--port', '0', '--page', PAGE);
  const page = await openWindow(served.stdout.trim());
  await isIn(page);
  const [listed = ''] = served.run('serve', 'browsers', '--json').stdout.trim().split('\n');
  const { id, name } = JSON.parse(listed);
  expect(name).toBe('tester');
  expect(served.run('serve', 'sign-out', id)).toMatchObject({ code: 0 });
  await page.getByRole('heading', { name: 'This browser is no longer signed in' }).waitFor();
  expect(served.run('serve', 'sign-out', id)).toMatchObject({ code: 1 });

  await page.getByLabel('Or paste the link here').fill(served.run('serve', 'link').stdout.trim());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await isIn(page);
  const tokens = [{ name: 'tester', token: 'csgn_another-one-0123456789' }];
  writeFileSync(served.tokensPath, JSON.stringify({ tokens }));
  await page.getByRole('heading', { name: 'This browser is no longer signed in' }).waitFor();
});

test('a browser that stores nothing for pages is signed in until its page is closed, and shows so [W3]', {
  timeout: LONG_MS_MAX,
}, async () => {
  const { server } = await start();
  const context = (await openWindow(server.url)).context();
  await context.addInitScript(
    "Object.defineProperty(window, 'indexedDB', { get: () => { throw new DOMException('denied', 'SecurityError'); } })",
  );
  const page = await context.newPage();
  await page.goto(server.pair('ann').url);
  await isIn(page);
  await page.getByText('signed in until you close or reload it').waitFor();
  await page.getByRole('link', { name: 'Sessions' }).click();
  await page.getByRole('button', { name: 'New session' }).click();
  await page.getByRole('heading', { name: /^Session / }).waitFor();
  await page.reload();
  await isOut(page);
});

test('an export is saved as a file, with all facts [W2, J3]', async () => {
  const { server } = await start();
  const { sessionId } = (await serving?.ask('saved')) ?? { sessionId: '' };
  const page = await openWindow(server.pair('ann').url);
  await page.evaluate(`location.hash = ${JSON.stringify(`#/sessions/${sessionId}`)}`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${sessionId}.jsonl`);
  const facts = await serving?.journal.read(sessionId, 0);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(facts);
});
