import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import type { ServerEvent } from '@countersign/server/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Served } from './served.js';
import { must, until } from './serving.js';

let served: Served;
beforeEach(() => {
  served = new Served();
});
afterEach(() => served.close());

const edit = (content: string) => ({
  calls: [{ callId: 'c1', name: 'write_file', args: { file_path: 'a.txt', content } }],
});

test('only its owner can read its token, its link works once, and it ends on a signal [W3] [C1]', async () => {
  await served.start('--port', '0');
  expect(statSync(served.tokensPath).mode & 0o777).toBe(0o600);
  expect(served.stdout + served.stderr).not.toContain(served.token);
  const code = served.stdout.trim().split('#pair=')[1];
  const signIn = () =>
    fetch(`${served.url}/api/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
  expect([(await signIn()).status, (await signIn()).status]).toEqual([200, 401]);
  const me = must(await served.client.whoAmI({}));
  expect([me.name, me.workspaces, me.model]).toEqual(['tester', [served.workspace], null]);
  expect(await served.end('SIGTERM')).toBe(0);
});

test('the page is served, also where the program is started through a link, as npm installs it [W2] [C1]', async () => {
  const link = join(served.directory, 'countersign');
  symlinkSync(served.program, link);
  served.program = link;
  await served.start('--port', '0');
  const page = await fetch(`${served.url}/`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script')]);
});

test('killed and started again: the same approvals are open, streams continue, and a call runs once [A6] [W4]', async () => {
  await served.start('--port', '0');
  const { sessionId } = must(await served.client.createSession({ body: {} }));
  must(await served.client.issueCalls({ sessionId, body: edit('approved') }));
  const waiting = () =>
    until(async () => {
      const [first] = must(await served.client.listApprovals({})).approvals;
      return first;
    });
  const before = await waiting();
  const received = await facts(sessionId, undefined, 'call.asked');
  await served.end('SIGKILL');

  await served.start('--port', String(served.port));
  const after = await waiting();
  expect(after).toEqual(before);
  const stop = new AbortController();
  const rest = facts(sessionId, received.at(-1)?.id, 'turn.ended');
  const { callId, digest } = after;
  must(await served.client.answerApproval({ body: { sessionId, callId, digest, outcome: 'proceed_once' } }));
  const all = [...received, ...(await rest)].map(({ id }) => Number(id));
  stop.abort();
  expect(all).toEqual(all.map((_, index) => index));
  expect(readFileSync(join(served.workspace, 'a.txt'), 'utf8')).toBe('approved');
});

test('a link for a running server works once, and only while its token is valid [W3] [C1]', async () => {
  expect(served.run('serve', 'link')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('countersign serve'),
  });
  await served.start('--port', '0');
  const signIn = async (link: string) => {
    const answer = await fetch(`${served.url}/api/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: link.trim().split('#pair=')[1] }),
    });
    return answer.status;
  };
  const link = () => served.run('serve', 'link', '--port', String(served.port)).stdout;
  const first = link();
  expect(first).toMatch(new RegExp(`^${served.url}/#pair=[\\w-]{43}\n$`));
  expect(readdirSync(join(served.home, 'server-browsers/links')).join()).not.toContain(
    first.split('=')[1]?.trim(),
  );
  const statuses = await Promise.all(Array.from({ length: 4 }, () => signIn(first)));
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
  const late = link();
  writeFileSync(
    served.tokensPath,
    JSON.stringify({ tokens: [{ name: 'tester', token: 'csgn_changed-0123456789' }] }),
  );
  await until(async () => (await served.client.whoAmI({})).ok);
  expect(await signIn(late)).toBe(401);
  expect(await signIn(link())).toBe(200);
  expect(served.run('serve', 'link', '--name', 'nobody')).toMatchObject({ code: 2 });
  expect(served.run('serve', 'link', '--url', 'file:///etc')).toMatchObject({ code: 2 });
  const listed = served.run('serve', 'browsers').stdout;
  // The other one was signed in under the token before.
  expect(listed.match(/as tester/g)).toHaveLength(1);
  // Also while no server runs, and for later starts.
  const tokens = readFileSync(served.tokensPath, 'utf8');
  await served.end('SIGTERM');
  writeFileSync(served.tokensPath, tokens.replace('changed', 'changed-again'));
  expect(served.run('serve', 'browsers').stderr).toContain('No browser is signed in');
  writeFileSync(served.tokensPath, tokens);
  expect(served.run('serve', 'browsers').stderr).toContain('No browser is signed in');
  await served.start();
  expect(await signIn(link())).toBe(200);
  expect(served.run('serve', 'sign-out', '--all')).toMatchObject({ code: 0 });
  expect(served.run('serve', 'browsers').stderr).toContain('No browser is signed in');
  expect(served.run('serve', 'sign-out')).toMatchObject({ code: 2 });
  expect(served.run('serve', 'sign-out', '../server-tokens')).toMatchObject({ code: 1 });
});

const MISTAKES: readonly (readonly [readonly string[], string])[] = [
  [['--address', '0.0.0.0', '--port', '0'], '--tls-cert'],
  [['--tls-cert', 'only.pem'], '--tls-key'],
  [['--port', 'high'], 'is not a port'],
  [['--workspace', '/nowhere'], 'is not a directory'],
];
test.each(MISTAKES)('%j is refused, with what to do instead [C1]', async (args, message) => {
  served.begin(...args);
  expect(await served.ended()).toBe(2);
  expect(served.stderr).toContain(message);
});

test('a port in use and a broken token file are reported plainly [C1]', async () => {
  await served.start('--port', '0');
  const other = new Served();
  try {
    other.begin('--port', String(served.port));
    expect(await other.ended()).toBe(2);
    expect(other.stderr).toContain(`Port ${served.port} is in use`);
    writeFileSync(other.tokensPath, '{}');
    other.begin('--port', '0');
    expect(await other.ended()).toBe(4);
    expect(other.stderr).toContain('server-tokens.json');
  } finally {
    await other.close();
  }
});

test('with TLS other machines may connect, and cookies are for TLS only [W3]', async () => {
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(served.directory, name));
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      key ?? '',
      '-out',
      cert ?? '',
      '-days',
      '1',
      '-subj',
      '/CN=localhost',
    ],
    { stdio: 'ignore' },
  );
  await served.start('--port', '0', '--address', '0.0.0.0', '--tls-cert', cert ?? '', '--tls-key', key ?? '');
  const code = served.stdout.trim().split('#pair=')[1];
  const headers = { 'content-type': 'application/json', host: `127.0.0.1:${served.port}` };
  const cookie = await new Promise<string>((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port: served.port,
        method: 'POST',
        path: '/api/sign-in',
        headers,
        ca: readFileSync(cert ?? ''),
        servername: 'localhost',
        checkServerIdentity: () => undefined,
      },
      (answer) => resolve(String(answer.headers['set-cookie'])),
    );
    sent.on('error', reject);
    sent.end(JSON.stringify({ code }));
  });
  expect(cookie).toMatch(/^__Host-countersign-\d+=.*; Secure/);
});

async function facts(
  sessionId: string,
  lastEventId: string | undefined,
  until: string,
): Promise<readonly ServerEvent[]> {
  const stop = new AbortController();
  const received: ServerEvent[] = [];
  const options = { signal: stop.signal, ...(lastEventId !== undefined && { lastEventId }) };
  for await (const event of must(await served.client.events({ sessionId }, options))) {
    if (event.event !== 'fact') continue;
    received.push(event);
    if (JSON.stringify(event.data).includes(`"type":"${until}"`)) break;
  }
  stop.abort();
  return received;
}
