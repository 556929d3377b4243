import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExposedError, startServer, TokenFile, TokenFileError } from '@countersign/server';
import { stopwatch } from '@countersign/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dripBehind, type RawAnswer, send, sendBytes, statusIn } from './raw-http.js';
import { must, Serving, TOKENS, until } from './serving.js';
import { headersOf, signIn } from './signed-in-browser.js';

let serving: Serving;
let page: string;
beforeAll(async () => {
  page = mkdtempSync(join(tmpdir(), 'countersign-page-'));
  mkdirSync(join(page, 'assets'));
  writeFileSync(join(page, 'index.html'), '<!doctype html><title>The page</title>');
  writeFileSync(join(page, 'assets/main-a1B2c3D4.js'), `// ${'x'.repeat(5_000)}`);
  writeFileSync(join(page, '.secret'), 'hidden');
  symlinkSync('/etc/hostname', join(page, 'link'));
  serving = await Serving.start({ page });
});
afterAll(async () => {
  await serving.close();
  rmSync(page, { recursive: true });
});

const host = () => `127.0.0.1:${serving.server.port}`;
const origin = () => `http://${host()}`;
const bearer = { authorization: `Bearer ${TOKENS[0]?.token}` };
const get = (path: string, headers: { readonly [name: string]: string } = {}): Promise<RawAnswer> =>
  send({ port: serving.server.port, method: 'GET', path, headers: { host: host(), ...headers } });
const post = (
  path: string,
  body: unknown,
  headers: { readonly [name: string]: string } = {},
): Promise<RawAnswer> =>
  send({
    port: serving.server.port,
    method: 'POST',
    path,
    headers: { host: host(), 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** The headers of a browser that has opened a pairing link. */
const paired = async (name = 'bob') => headersOf(await signIn(serving, serving.server.pair(name).url));

describe('signing in [W3]', () => {
  test('a pairing link works once, carries its code where no server sees it, and sets a strict cookie', async () => {
    const { url } = serving.server.pair('ann');
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#pair=[\w-]{20,}$/);
    const code = url.split('#pair=')[1];
    const first = await post('/api/sign-in', { code }, { origin: origin() });
    expect([first.status, JSON.parse(first.body)]).toEqual([
      200,
      { name: 'ann', secret: expect.stringMatching(/^[\w-]{43}$/) },
    ]);
    const cookie = String(first.headers['set-cookie']);
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/', 'Max-Age=2592000'])
      expect(cookie).toContain(part);
    expect(cookie).not.toContain(TOKENS[0]?.token);
    expect((await post('/api/sign-in', { code }, { origin: origin() })).status).toBe(401);
  });

  test('a browser reads, and changes something only from our own page', async () => {
    const browser = await paired();
    const change = (headers: { readonly [name: string]: string }) =>
      post('/api/sessions', {}, { ...browser, ...headers });
    expect(JSON.parse((await get('/api/me', browser)).body).name).toBe('bob');
    expect((await change({})).status).toBe(403);
    expect((await change({ origin: 'http://127.0.0.1:1' })).status).toBe(403);
    expect((await change({ origin: origin() })).status).toBe(201);
    for (const site of ['cross-site', 'same-site'])
      expect((await get('/api/me', { ...browser, 'sec-fetch-site': site })).status).toBe(403);
    expect((await get('/api/me', { ...browser, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  test('a browser stays signed in over a restart of the server, on the same port or not at all', async () => {
    const { cookie = '', ...secret } = await paired('ann');
    const at = (port: number) => ({
      ...secret,
      cookie: cookie.replace(/countersign-\d+/, `countersign-${port}`),
    });
    expect((await get('/api/me', at(1))).status).toBe(401);
    await serving.end();
    await serving.begin();
    expect((await get('/api/me', at(serving.server.port))).status).toBe(200);
  });

  test('cookies that were not issued here are refused', async () => {
    const { cookie = '', ...secret } = await paired();
    const [name, value = ''] = cookie.split('=');
    const [id = '', half = ''] = value.split('.');
    for (const bad of [
      `${id}.`,
      `${id}.${half}x`,
      id,
      '',
      `.${half}`,
      `${value}.x`,
      `../${id}.${half}`,
      `${id}/../${id}.${half}`,
      `${id}x.${half}`,
      `__proto__.${half}`,
    ])
      expect([bad, (await get('/api/me', { ...secret, cookie: `${name}=${bad}` })).status]).toEqual([
        bad,
        401,
      ]);
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      `Basic ${TOKENS[0]?.token}`,
      `Bearer ${TOKENS[0]?.token}x`,
      'Bearer csgn_',
      `Bearer ${TOKENS[0]?.token} x`,
    ])
      expect([authorization, (await get('/api/me', { authorization })).status]).toEqual([authorization, 401]);
    // A request with a wrong token is refused despite its cookie.
    expect((await get('/api/me', { authorization: 'Bearer wrong', cookie, ...secret })).status).toBe(401);
  });

  test('each wrong token delays its client longer; a right one is not delayed', async () => {
    const slow = await Serving.start({ limits: { wrongTokenDelayMs: 400, wrongTokenDelayMaxMs: 800 } });
    try {
      const headers = { host: `127.0.0.1:${slow.server.port}`, authorization: 'Bearer wrong' };
      const times: number[] = [];
      for (let round = 0; round < 3; round++) {
        const began = performance.now();
        await send({ port: slow.server.port, method: 'GET', path: '/api/me', headers });
        times.push(performance.now() - began);
      }
      // A timer may be early by a millisecond.
      expect(times.map((time, index) => time >= ([398, 798, 798][index] ?? 0))).toEqual([true, true, true]);
      const elapsedMs = stopwatch();
      must(await slow.client().whoAmI({}));
      expect(elapsedMs()).toBeLessThan(400);
    } finally {
      await slow.close();
    }
  });

  test('requests of each client are rate limited', async () => {
    const busy = await Serving.start({ limits: { requestsPerSecond: 1, requestsAtOnce: 3 } });
    try {
      const answers = [];
      for (let round = 0; round < 5; round++) answers.push(await busy.client('ann').whoAmI({}));
      expect(answers.map((answer) => answer.ok || answer.error.status)).toEqual([true, true, true, 429, 429]);
      must(await busy.client('bob').whoAmI({}));
    } finally {
      await busy.close();
    }
  });
});

describe('the door [W3]', () => {
  const HOSTS: readonly (readonly [string, number])[] = [
    ['127.0.0.1:{PORT}', 200],
    ['localhost:{PORT}', 200],
    ['LOCALHOST:{PORT}', 200],
    ['[::1]:{PORT}', 200],
    ['127.0.0.1', 421],
    ['127.0.0.1:1', 421],
    ['localhost.:{PORT}', 421],
    ['127.0.0.1.:{PORT}', 421],
    ['localhost:{PORT}.evil.example', 421],
    ['127.0.0.1.evil.example:{PORT}', 421],
    ['evil.example@127.0.0.1:{PORT}', 421],
    ['127.1:{PORT}', 421],
    ['2130706433:{PORT}', 421],
    ['0.0.0.0:{PORT}', 421],
    ['[::ffff:127.0.0.1]:{PORT}', 421],
    ['[::1%25lo]:{PORT}', 421],
    ['[0:0:0:0:0:0:0:1]:{PORT}', 421],
    ['localhost:0{PORT}', 421],
    ['', 421],
  ];
  test.each(HOSTS)('Host "%s" is answered with %i', async (name, status) => {
    const given = name.replace('{PORT}', String(serving.server.port));
    const response = await sendBytes(
      serving.server.port,
      `GET /health HTTP/1.1\r\nHost: ${given}\r\nConnection: close\r\n\r\n`,
    );
    expect(statusIn(response)).toBe(status);
  });

  const ORIGINS: readonly (readonly [string, number])[] = [
    ['http://127.0.0.1:{PORT}', 200],
    ['https://127.0.0.1:{PORT}', 403],
    ['http://127.0.0.1', 403],
    ['http://127.0.0.1:1', 403],
    ['http://localhost:{PORT}', 403],
    ['http://127.0.0.1:{PORT}/', 403],
    ['http://127.0.0.1:{PORT}.evil.example', 403],
    ['http://evil.example', 403],
    ['file://', 403],
    ['null', 403],
    ['', 403],
  ];
  test.each(ORIGINS)('Origin "%s" is answered with %i', async (name, status) => {
    const given = name.replace('{PORT}', String(serving.server.port));
    expect((await get('/api/me', { ...bearer, origin: given })).status).toBe(status);
    expect((await get('/', { origin: given })).headers).not.toHaveProperty('access-control-allow-origin');
  });

  const REQUESTS: readonly (readonly [string, string, readonly number[]])[] = [
    ['an absolute target', 'GET http://evil.example/ HTTP/1.1\r\nHost: {HOST}\r\n\r\n', [400]],
    ['an authority', 'CONNECT evil.example:80 HTTP/1.1\r\nHost: {HOST}\r\n\r\n', [0, 400, 405]],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', [400]],
    ['HTTP/1.0 without Host', 'GET / HTTP/1.0\r\n\r\n', [400, 421]],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: {HOST}\r\nhost: {HOST}\r\n\r\n', [400]],
    [
      'two Origins',
      'GET /api/me HTTP/1.1\r\nHost: {HOST}\r\nOrigin: http://{HOST}\r\nOrigin: null\r\n\r\n',
      [400],
    ],
    [
      'two tokens',
      'GET /api/me HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n',
      [400],
    ],
    [
      'two lengths',
      'POST /api/sessions HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      [400],
    ],
    [
      'a broken chunk',
      'POST /api/sessions HTTP/1.1\r\nHost: {HOST}\r\n{AUTH}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      [400],
    ],
    ['headers without end', `GET / HTTP/1.1\r\nHost: {HOST}\r\nX-Long: ${'a'.repeat(40_000)}\r\n\r\n`, [431]],
    ['a line break in a header', 'GET / HTTP/1.1\r\nHost: {HOST}\r\nX: a\n b\r\n\r\n', [400]],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: {HOST}\r\n\r\n', [400]],
    ['another protocol', '\x16\x03\x01\x02\x00\x01\x00', [0, 400]],
    [
      'an upgrade',
      'GET /api/events HTTP/1.1\r\nHost: {HOST}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      [401],
    ],
  ];
  test.each(REQUESTS)('%s is refused', async (_, bytes, statuses) => {
    const filled = bytes
      .replaceAll('{HOST}', host())
      .replace('{AUTH}', `Authorization: ${bearer.authorization}\r\n`);
    expect(statuses).toContain(statusIn(await sendBytes(serving.server.port, filled, 300)));
  });

  const BODIES: readonly (readonly [string, string, { readonly [name: string]: string }, number])[] = [
    ['no type', '{}', { 'content-type': '' }, 415],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['plain text', '{}', { 'content-type': 'text/plain' }, 415],
    ['a type that only begins so', '{}', { 'content-type': 'application/json-patch+json' }, 415],
    ['JSON with its character set', '{}', { 'content-type': 'Application/JSON; charset=utf-8' }, 201],
    ['compressed', '{}', { 'content-encoding': 'gzip' }, 415],
    ['nothing', '', {}, 400],
    ['a list', '[]', {}, 400],
    ['null', 'null', {}, 400],
    ['a number', '1e999', {}, 400],
    ['two values', '{}{}', {}, 400],
    ['a byte order mark', '\ufeff{}', {}, 400],
    ['an unknown field', '{"x":1}', {}, 400],
    ['a prototype', '{"__proto__":{"mode":"yolo"}}', {}, 400],
    ['a prototype further in', '{"mode":{"__proto__":{}}}', {}, 400],
    ['a constructor', '{"constructor":{"prototype":{}}}', {}, 400],
    ['what is nested without end', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, {}, 400],
    ['what is nested even deeper', '['.repeat(30_000), {}, 400],
    ['more than it may', `{"x":"${'x'.repeat(70_000)}"}`, {}, 413],
  ];
  test.each(BODIES)('a body that is %s is answered properly', async (_, body, headers, status) => {
    const answer = await send({
      port: serving.server.port,
      method: 'POST',
      path: '/api/sessions',
      headers: { host: host(), ...bearer, 'content-type': 'application/json', ...headers },
      body,
    });
    expect(answer.status).toBe(status);
    if (status >= 400)
      expect(Object.keys(JSON.parse(answer.body).error)).toEqual(['code', 'message', 'hint', 'details']);
  });

  test('a slow or endless body is cut off, and others are served meanwhile', async () => {
    const hasty = await Serving.start({ limits: { headersTimeoutMs: 500, requestTimeoutMs: 1_000 } });
    try {
      const { port } = hasty.server;
      const head = (length: string) =>
        `POST /api/sessions HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: ${bearer.authorization}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;
      const dripping = Promise.all([
        dripBehind(port, head('Content-Length: 60000'), 'a'),
        dripBehind(port, head('Transfer-Encoding: chunked'), '1\r\na\r\n'),
      ]);
      must(await hasty.client().whoAmI({}));
      for (const response of await dripping) expect([0, 408]).toContain(statusIn(response));
    } finally {
      await hasty.close();
    }
  });

  test('invalid UTF-8 is refused, and a long answer without content is too large', async () => {
    const response = await sendBytes(
      serving.server.port,
      `POST /api/sessions HTTP/1.1\r\nHost: ${host()}\r\nAuthorization: ${bearer.authorization}\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n{\u00ff\u00fe}`,
    );
    expect(statusIn(response)).toBe(400);
    const asked = await serving.ask('padded');
    const padded = `${JSON.stringify({ ...asked, outcome: 'proceed_once' })}${' '.repeat(70_000)}`;
    const answer = await send({
      port: serving.server.port,
      method: 'POST',
      path: '/api/approvals/answer',
      headers: { host: host(), ...bearer, 'content-type': 'application/json' },
      body: padded,
    });
    expect(answer.status).toBe(413);
    expect(serving.counted).not.toContain('padded');
  });
});

describe('the page [W3]', () => {
  test('its files are served with security headers, and hashed names with a long cache lifetime', async () => {
    const index = await get('/');
    expect([index.status, index.headers['content-type'], index.headers['cache-control']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    const csp = String(index.headers['content-security-policy']);
    expect(csp).toContain("script-src 'self'");
    expect(csp).toContain("frame-ancestors 'none'");
    expect(csp).not.toContain('unsafe');
    for (const [name, value] of [
      ['x-content-type-options', 'nosniff'],
      ['referrer-policy', 'no-referrer'],
      ['cross-origin-opener-policy', 'same-origin'],
      ['cross-origin-resource-policy', 'same-origin'],
    ] as const)
      expect(index.headers[name]).toBe(value);
    const script = await get('/assets/main-a1B2c3D4.js');
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const small = await fetch(`${serving.server.url}/assets/main-a1B2c3D4.js`, {
      headers: { 'accept-encoding': 'br' },
    });
    expect([small.headers.get('content-encoding'), await small.text()]).toEqual(['br', script.body]);
  });

  test.each([
    '/../index.html',
    '/%2e%2e/index.html',
    '/..%2findex.html',
    '/%252e%252e/etc/hostname',
    '//index.html',
    '/./index.html',
    '/assets/',
    '/assets',
    '/.secret',
    '/link',
    '/index.html%00',
    '/assets\\main-a1B2c3D4.js',
    '/%ff',
    '/etc/hostname',
    '/INDEX.html',
  ])('%s is nothing', async (path) => {
    const answer = await get(path);
    expect([path, answer.status]).toEqual([path, 404]);
  });

  test('without a page a note is served in its place', async () => {
    const bare = await Serving.start();
    try {
      const answer = await fetch(bare.server.url);
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('was not built')]);
    } finally {
      await bare.close();
    }
  });
});

describe('tokens and addresses [W3]', () => {
  test('a token is created at the first start, readable only by its owner, and its changes apply', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'countersign-tokens-'));
    const path = join(directory, 'config/server-tokens.json');
    let now = 0;
    try {
      const file = await TokenFile.open(path, 'ann', () => now);
      const [made] = await file.tokens();
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(statSync(join(directory, 'config')).mode & 0o777).toBe(0o700);
      expect(made).toEqual({ name: 'ann', token: expect.stringMatching(/^csgn_[\w-]{43}$/) });
      expect(await (await TokenFile.open(path, 'other', () => now)).tokens()).toEqual([made]);

      const added = [made, { name: 'bob', token: 'csgn_of-bob-0123456789' }];
      writeFileSync(path, JSON.stringify({ tokens: added }), { mode: 0o644 });
      now += 5_000;
      await until(async () => (await file.tokens()).length === 2);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      writeFileSync(path, 'broken');
      now += 5_000;
      expect(await file.tokens()).toEqual([]);
      await expect(TokenFile.open(path, 'ann', () => now)).rejects.toThrow(TokenFileError);
      expect(readFileSync(path, 'utf8')).toBe('broken');
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test.each(['0.0.0.0', '::', '192.0.2.1', 'example.org'])('%s is refused without TLS', async (address) => {
    const starting = startServer({
      ports: await serving.ports(),
      tokens: { tokens: async () => TOKENS },
      binding: { address, port: 0, names: [], tls: null, exposure: 'this machine' },
      page: null,
    });
    await expect(starting).rejects.toThrow(ExposedError);
  });
});
