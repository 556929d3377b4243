import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { BrowserRecords } from '@countersign/server';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openAnswer, timeUntil } from './open-answer.js';
import { Served } from './served.js';
import { must, Serving, TOKENS, until } from './serving.js';
import { fromPage, headersOf, type SignedIn, signIn } from './signed-in-browser.js';

/** What is promised. */
const WITHIN_MS = 1_000;

let serving: Serving;
beforeEach(async () => {
  serving = await Serving.start();
});
afterEach(() => serving.close());

const [ann, bob] = TOKENS;
const bearer = { authorization: `Bearer ${ann?.token}` };
const open = (name = 'ann') => signIn(serving, serving.server.pair(name).url);
const me = async (headers: { readonly [name: string]: string }): Promise<number> =>
  (await fromPage(serving, 'GET', '/api/me', headers)).status;

/** Both kinds of streams, of a client with these headers. */
async function streams(headers: { readonly [name: string]: string }) {
  const { sessionId } = must(await serving.client('bob').createSession({ body: {} }));
  const paths = ['/api/events', `/api/events?sessions=${sessionId}`, `/api/sessions/${sessionId}/events`];
  return Promise.all(paths.map((path) => openAnswer(`${serving.server.url}${path}`, headers)));
}

describe('a token that is removed [W3]', () => {
  test.each([
    ['removed', () => [bob]],
    ['changed', () => [{ name: 'ann', token: 'csgn_another-of-ann-0123456789' }, bob]],
    ['given to another user', () => [{ name: 'eve', token: ann?.token ?? '' }, bob]],
    ['removed with all others', () => []],
  ])('and its streams end within a second when it is %s', async (_, after) => {
    const theirs = await streams(bearer);
    expect(theirs.map(({ status }) => status)).toEqual([200, 200, 200]);
    serving.tokens = after().filter((each) => each !== undefined);
    const took = await timeUntil(Promise.all(theirs.map(({ ended }) => ended)));
    expect(took).toBeLessThan(WITHIN_MS);
  });

  test('signs out no other user', async () => {
    const { authorization } = { authorization: `Bearer ${bob?.token}` };
    const [ofBob] = await streams({ authorization });
    const [ofAnn] = await streams(bearer);
    serving.tokens = TOKENS.slice(1);
    await timeUntil(ofAnn?.ended ?? Promise.reject(new Error('no stream')));
    let isOver = false;
    void ofBob?.ended.then(() => {
      isOver = true;
    });
    await sleep(WITHIN_MS);
    expect(isOver).toBe(false);
    ofBob?.leave();
  });

  test('signs out the browsers that were signed in under it, and ends their streams', async () => {
    const browser = await open('ann');
    const theirs = await streams(headersOf(browser));
    serving.tokens = TOKENS.slice(1);
    expect(await timeUntil(Promise.all(theirs.map(({ ended }) => ended)))).toBeLessThan(WITHIN_MS);
    expect(await me(headersOf(browser))).toBe(401);
  });

  test.each([
    ['changed', [{ name: 'ann', token: 'csgn_another-of-ann-0123456789' }, ...TOKENS.slice(1)]],
    ['removed', TOKENS.slice(1)],
    ['removed with all others', []],
  ])('keeps its browsers and links out when it is put back after it was %s', async (_, meanwhile) => {
    const browser = await open('ann');
    const ofBob = await open('bob');
    const { links } = new BrowserRecords(serving.browsersDirectory, Date.now);
    const unopened = [
      serving.server.pair('ann').url,
      `#pair=${await links.make({ name: 'ann', token: ann?.token ?? '' }, 60_000)}`,
    ];
    serving.tokens = meanwhile;
    expect(await me(headersOf(browser))).toBe(401);
    serving.tokens = TOKENS;
    expect(await me(headersOf(browser))).toBe(401);
    for (const link of unopened) await expect(signIn(serving, link)).rejects.toThrow('wrong_pairing_code');
    expect(await me(headersOf(ofBob))).toBe(meanwhile.length > 0 ? 200 : 401);
  });

  test('keeps its browsers signed out even if no request was made before it was restored', async () => {
    const browser = await open('ann');
    serving.tokens = TOKENS.slice(1);
    await sleep(WITHIN_MS);
    serving.tokens = TOKENS;
    expect(await me(headersOf(browser))).toBe(401);
  });

  test('ends a download in progress', async () => {
    const { sessionId } = must(await serving.client('bob').createSession({ body: {} }));
    // More than the buffers between the two take in.
    const words = 'x'.repeat(1_000_000);
    for (let round = 0; round < 24; round++)
      must(
        await serving
          .client('bob')
          .issueCalls({ sessionId, body: { calls: [{ name: 'count', args: { word: '', words } }] } }),
      );
    const download = await openAnswer(
      `${serving.server.url}/api/sessions/${sessionId}/export`,
      bearer,
      'does not read',
    );
    expect(download.status).toBe(200);
    serving.tokens = TOKENS.slice(1);
    await sleep(WITHIN_MS);
    download.read();
    await timeUntil(download.ended);
    expect(download.isComplete()).toBe(false);
  });

  test('does not authenticate a request whose body arrives later', async () => {
    const asked = await serving.ask('late');
    const body = JSON.stringify({ ...asked, outcome: 'proceed_once' });
    const { port } = serving.server;
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.write(
      `POST /api/approvals/answer HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: ${bearer.authorization}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    await sleep(100);
    serving.tokens = TOKENS.slice(1);
    await timeUntil(closed);
    socket.write(body.slice(5));
    await sleep(100);
    expect(must(await serving.client('bob').listApprovals({})).total).toBe(1);
    expect(serving.counted).toEqual([]);
  });
});

describe('signing out [W3]', () => {
  const signOut = (browser: SignedIn) => fromPage(serving, 'POST', '/api/sign-out', headersOf(browser), {});

  test('refuses a copy of the cookie and the secret from then on, over a restart, too', async () => {
    const browser = await open();
    const answer = await signOut(browser);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { name: 'ann' }]);
    expect(String(answer.headers['set-cookie'])).toContain('Max-Age=0');
    expect(await me(headersOf(browser))).toBe(401);
    expect((await signOut(browser)).status).toBe(401);
    await serving.end();
    await serving.begin();
    const cookie = browser.cookie.replace(/countersign-\d+/, `countersign-${serving.server.port}`);
    expect(await me(headersOf({ ...browser, cookie }))).toBe(401);
  });

  test('ends the streams of all windows of that browser at once, and of no other', async () => {
    const [browser, other] = [await open(), await open()];
    const [ofOther] = await streams(headersOf(other));
    const theirs = await streams(headersOf(browser));
    await signOut(browser);
    expect(await timeUntil(Promise.all(theirs.map(({ ended }) => ended)))).toBeLessThan(WITHIN_MS);
    expect(await me(headersOf(other))).toBe(200);
    ofOther?.leave();
  });

  test('invalidates unopened links that the browser made', async () => {
    const browser = await open();
    const made = await fromPage(serving, 'POST', '/api/pairings', headersOf(browser), {});
    const { url } = JSON.parse(made.body);
    await signOut(browser);
    await expect(signIn(serving, url)).rejects.toThrow('401');
  });

  test('does not affect a program with its token', async () => {
    const [stream] = await streams(bearer);
    must(await serving.client().signOut({ body: {} }));
    must(await serving.client().whoAmI({}));
    let isOver = false;
    void stream?.ended.then(() => {
      isOver = true;
    });
    await sleep(500);
    expect(isOver).toBe(false);
    stream?.leave();
  });
});

describe('an unopened link [W3]', () => {
  test('is refused once the token that it was made under is changed or removed', async () => {
    const links = [
      serving.server.pair('ann').url,
      must(await serving.client('ann').makePairing({ body: {} })).url,
    ];
    serving.tokens = [{ name: 'ann', token: 'csgn_another-of-ann-0123456789' }];
    for (const link of links) await expect(signIn(serving, link)).rejects.toThrow('401');
    await expect(signIn(serving, serving.server.pair('nobody').url)).rejects.toThrow('401');
    await signIn(serving, serving.server.pair('ann').url);
  });
});

test('a token that is removed from its file, and the file itself, end open streams within a second [W3]', async () => {
  const served = new Served();
  onTestFinished(() => served.close());
  await served.start('--port', '0');
  const { url, token } = served;
  const tokens = JSON.parse(readFileSync(served.tokensPath, 'utf8')).tokens;
  const other = { name: 'other', token: 'csgn_of-another-0123456789' };
  const keep = (kept: readonly unknown[]) =>
    writeFileSync(served.tokensPath, JSON.stringify({ tokens: kept }));
  keep([...tokens, other]);
  const open = (shown: string) => openAnswer(`${url}/api/events`, { authorization: `Bearer ${shown}` });
  await until(async () => {
    const tried = await open(other.token);
    tried.leave();
    return tried.status === 200;
  });
  const [first, second] = [await open(token), await open(other.token)];
  keep(tokens);
  expect(await timeUntil(second.ended)).toBeLessThan(WITHIN_MS);
  rmSync(served.tokensPath);
  expect(await timeUntil(first.ended)).toBeLessThan(WITHIN_MS);
  expect((await open(token)).status).toBe(401);
});
