import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DescribedServer } from './described.js';
import { type Asked, must, Serving, TOKENS } from './serving.js';
import { fromPage, headersOf, type SignedIn, signIn } from './signed-in-browser.js';

const DAY_MS = 24 * 60 * 60_000;

let serving: Serving;
beforeEach(async () => {
  serving = await Serving.start();
});
afterEach(() => serving.close());

const open = (name = 'ann') => signIn(serving, serving.server.pair(name).url);
const me = async (headers: { readonly [name: string]: string }): Promise<number> =>
  (await fromPage(serving, 'GET', '/api/me', headers)).status;
const recordPath = ({ cookie }: SignedIn): string =>
  join(serving.browsersDirectory, `${cookie.split('=')[1]?.split('.')[0]}.json`);

/** What another server on this host, which was sent the cookie by the browser, could add to it. */
const GUESSES: readonly (readonly [string, (browser: SignedIn) => { readonly [name: string]: string }])[] = [
  ['nothing else', () => ({})],
  ['an empty secret', () => ({ 'x-countersign': '' })],
  ['what the page sent before there were secrets', () => ({ 'x-countersign': 'page' })],
  ['the cookie as the secret', ({ cookie }) => ({ 'x-countersign': cookie.split('.')[1] ?? '' })],
  ['the whole cookie as the secret', ({ cookie }) => ({ 'x-countersign': cookie.split('=')[1] ?? '' })],
  ['the cookie as a token', ({ cookie }) => ({ authorization: `Bearer ${cookie.split('.')[1]}` })],
  ['headers of a browser', () => ({ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })],
];

describe('a cookie that another port of this host was sent [W3]', () => {
  test.each(GUESSES)('opens no route with %s', async (_, guess) => {
    const browser = await open();
    const asked = await serving.ask('replayed');
    const server = await DescribedServer.of(serving);
    const routes = Object.entries(server.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
    for (const { path, method, operation } of routes) {
      if ('security' in operation) continue;
      const filled = `${path.replace('{sessionId}', asked.sessionId)}${queryFor(path, asked)}`;
      const headers = { cookie: browser.cookie, ...guess(browser) };
      const body = method === 'post' ? bodyFor(path, asked) : undefined;
      const { status } = await fromPage(serving, method.toUpperCase(), filled, headers, body);
      expect([method, path, status]).toEqual([method, path, 401]);
    }
    expect(serving.counted).toEqual([]);
    expect(await me(headersOf(browser))).toBe(200);
  });

  const queryFor = (path: string, { sessionId, callId }: Asked): string =>
    /approvals\/one|policy\/call/.test(path) ? `?sessionId=${sessionId}&callId=${callId}` : '';
  const bodyFor = (path: string, asked: Asked): object => {
    if (path.endsWith('/answer')) return { ...asked, outcome: 'proceed_once' };
    return path.endsWith('/mode') ? { mode: 'yolo' } : {};
  };
});

describe('a browser that is signed in [W3]', () => {
  test('is authenticated only by cookie and secret together', async () => {
    const [one, two] = [await open(), await open()];
    expect(await me(headersOf(one))).toBe(200);
    expect(await me({ 'x-countersign': one.secret })).toBe(401);
    expect(await me({ cookie: one.cookie, 'x-countersign': two.secret })).toBe(401);
    expect(await me({ cookie: two.cookie, 'x-countersign': one.secret })).toBe(401);
    expect(await me({ cookie: one.cookie, 'x-countersign': `${one.secret} ` })).toBe(200); // as HTTP reads a header
    expect(await me({ cookie: one.cookie, 'x-countersign': `${one.secret}x` })).toBe(401);
  });

  test('is stored in a file that only its owner can read, and that contains no usable secret', async () => {
    const browser = await open();
    const path = recordPath(browser);
    expect([statSync(path).mode & 0o777, statSync(serving.browsersDirectory).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    const text = readFileSync(path, 'utf8');
    const [, half = ''] = browser.cookie.split('.');
    for (const secret of [half, browser.secret, TOKENS[0]?.token ?? '']) expect(text).not.toContain(secret);
    const { cookie, secret, token } = JSON.parse(text);
    for (const hash of [cookie, secret, token])
      expect(await me({ ...headersOf(browser), 'x-countersign': hash })).toBe(401);
    expect(JSON.parse(text)).toMatchObject({ name: 'ann' });
  });

  test('is signed out when its token changes, and nothing stored signs it in again', async () => {
    const browser = await open();
    serving.tokens = TOKENS.map((each) => ({ ...each, token: `${each.token}-changed` }));
    expect(await me(headersOf(browser))).toBe(401);
    serving.tokens = [];
    expect(await me(headersOf(browser))).toBe(401);
  });

  test('stays signed in while it is used, and is forgotten after thirty days without use', async () => {
    const [used, lost] = [await open(), await open()];
    const ago = (days: number) => (Date.now() - days * DAY_MS) / 1_000;
    utimesSync(recordPath(used), ago(29), ago(29));
    utimesSync(recordPath(lost), ago(31), ago(31));
    const answer = await fromPage(serving, 'GET', '/api/me', headersOf(used));
    expect([answer.status, await me(headersOf(lost))]).toEqual([200, 401]);
    expect(String(answer.headers['set-cookie'])).toContain(
      `${used.cookie}; Path=/; HttpOnly; SameSite=Strict`,
    );
    expect(Date.now() - statSync(recordPath(used)).mtimeMs).toBeLessThan(60_000);
    await open();
    expect(readdirSync(serving.browsersDirectory).filter((name) => name.endsWith('.json'))).toHaveLength(2);
  });

  test('is not signed out by a cookie of the same name that another server of this host sets', async () => {
    const browser = await open();
    const [name] = browser.cookie.split('=');
    const cookie = `${name}=planted; other=1; ${browser.cookie}; ${name}=planted-too`;
    expect(await me({ ...headersOf(browser), cookie })).toBe(200);
  });

  test('with the cookie of the version before signs in again', async () => {
    const [ann] = TOKENS;
    const content = { name: 'ann', browser: 'abcdefghijkl', expiresAt: Date.now() + DAY_MS };
    const body = Buffer.from(JSON.stringify(content)).toString('base64url');
    const signature = createHmac('sha256', ann?.token ?? '')
      .update(`countersign cookie\n${body}`)
      .digest('base64url');
    const cookie = `countersign-${serving.server.port}=${body}.${signature}`;
    expect(await me({ cookie })).toBe(401);
    expect(await me({ cookie, 'x-countersign': 'page' })).toBe(401);
    const again = await signIn(serving, serving.server.pair('ann').url, { cookie, 'x-countersign': 'page' });
    expect(await me(headersOf(again))).toBe(200);
  });

  test('that opens another link has one record, not two', async () => {
    const first = await open();
    const second = await signIn(serving, serving.server.pair('bob').url, headersOf(first));
    expect([await me(headersOf(first)), await me(headersOf(second))]).toEqual([401, 200]);
    expect(readdirSync(serving.browsersDirectory).filter((name) => name.endsWith('.json'))).toHaveLength(1);
  });

  test('is not created by a file that is broken or has the id of another record', async () => {
    const [one, two] = [await open(), await open()];
    writeFileSync(recordPath(one), readFileSync(recordPath(two)));
    expect(await me(headersOf(one))).toBe(401);
    expect(await me({ cookie: one.cookie, 'x-countersign': two.secret })).toBe(401);
    writeFileSync(recordPath(two), '{');
    expect(await me(headersOf(two))).toBe(401);
    must(await serving.client().whoAmI({}));
    expect(serving.troubles).toEqual([]);
  });
});
