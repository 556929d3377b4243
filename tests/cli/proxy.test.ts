import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { answers, WireServer } from '../../packages/models/src/testing/wire-server.js';
import { CERTIFICATE, secured, TestProxy } from './forward-proxy.js';
import { call, FakeModel, prompt, says, text } from './headless-model.js';
import { asLines, errorOf, type Place, test } from './program.js';

/** Trusts the certificate of the test, as `NODE_EXTRA_CA_CERTS` does for a company's own authority. */
function trusting(place: Place): { readonly NODE_EXTRA_CA_CERTS: string } {
  const file = join(place.directory, 'authority.pem');
  writeFileSync(file, CERTIFICATE);
  return { NODE_EXTRA_CA_CERTS: file };
}

const MODEL = 'https://model.proxied.example';
const gemini = (url = MODEL) => ({ GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: url });

const fetching = (url: string) => asLines({ id: 'f', name: 'web_fetch', args: { url } });
const exec = (place: Place, stdin: string, env: NodeJS.ProcessEnv) =>
  place.run(['exec', '--yolo'], { stdin, env });

for (const variable of ['HTTPS_PROXY', 'https_proxy'])
  test(`a model is reached through the proxy of ${variable}, over one tunnel [G1]`, async ({ place }) => {
    place.write('a.txt', 'hello\n');
    const model = await FakeModel.start(
      says(call('read_file', { file_path: 'a.txt' })),
      says(text('Through the proxy.')),
    );
    const proxy = await TestProxy.start({ 'model.proxied.example:443': await secured(model.server.url) });
    const env = { ...trusting(place), ...gemini(), [variable]: proxy.url };
    const ran = await place.run(prompt('go'), { env });
    expect(ran).toMatchObject({ code: 0, stdout: 'Through the proxy.\n' });
    expect(proxy.lines).toEqual(['CONNECT model.proxied.example:443']);
  });

test('a model at an http address is asked through HTTP_PROXY, without a tunnel [G1]', async ({ place }) => {
  const model = await FakeModel.start(says(text('Forwarded.')));
  const proxy = await TestProxy.start({ 'model.proxied.example:80': Number(new URL(model.server.url).port) });
  const env = { ...gemini('http://model.proxied.example'), HTTP_PROXY: proxy.host };
  expect(await place.run(prompt('go'), { env })).toMatchObject({ code: 0, stdout: 'Forwarded.\n' });
  expect(proxy.lines[0]).toMatch(/^POST http:\/\/model\.proxied\.example\/v1beta\/models\//);
});

test('credentials in the URL reach the proxy and no message [G1] [P5]', async ({ place }) => {
  const model = await FakeModel.start(says(text('Signed in.')));
  const hosts = { 'model.proxied.example:443': await secured(model.server.url) };
  const proxy = await TestProxy.start(hosts, 'ann:p@ss word');
  const env = { ...trusting(place), ...gemini() };
  const good = { ...env, HTTPS_PROXY: `http://ann:p%40ss%20word@${proxy.host}` };
  expect(await place.run(prompt('go'), { env: good })).toMatchObject({ code: 0, stdout: 'Signed in.\n' });
  const wrong = { ...env, HTTPS_PROXY: `http://ann:secret-word@${proxy.host}` };
  const refused = await place.run(prompt('go'), { env: wrong });
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain(
    `the proxy ${proxy.host} (HTTPS_PROXY) refuses these credentials (HTTP 407)`,
  );
  expect(refused.stdout + refused.stderr).not.toContain('secret-word');
  expect(model.server.received[0]?.headers['proxy-authorization']).toBeUndefined();
});

test('a host that NO_PROXY lists and the loopback are reached directly [G1]', async ({ place }) => {
  const model = await FakeModel.start(says(text('Directly.')));
  const proxy = await TestProxy.start({});
  const proxies = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url };
  const loopback = await model.run(place, prompt('go'), { env: proxies });
  expect(loopback).toMatchObject({ code: 0, stdout: 'Directly.\n' });
  const listed = { ...gemini(), ...proxies, NO_PROXY: 'other.example, .proxied.example' };
  const direct = await place.run(['doctor', '--json'], { env: listed });
  expect(direct.lines.find(({ name }) => name === 'model')).toMatchObject({
    text: expect.stringContaining('there is no host of that name'),
  });
  expect(direct.lines.filter(({ name }) => name === 'proxy')).toMatchObject([
    { state: 'ok', text: `Requests to https URLs use the proxy ${proxy.host} (HTTPS_PROXY).` },
    { state: 'ok', text: `Requests to http URLs use the proxy ${proxy.host} (HTTP_PROXY).` },
  ]);
  expect(proxy.lines).toEqual([]);
});

test('doctor reaches the model through the proxy, and reports a proxy that cannot be used [C5]', async ({
  place,
}) => {
  const model = await FakeModel.start(answers(200, '{}'));
  const proxy = await TestProxy.start({ 'model.proxied.example:443': await secured(model.server.url) });
  const env = { ...trusting(place), ...gemini() };
  const doctor = async (value: string) => {
    const { lines } = await place.run(['doctor', '--json'], { env: { ...env, HTTPS_PROXY: value } });
    return (wanted: string) => lines.filter(({ name }) => name === wanted);
  };
  expect((await doctor(proxy.url))('model')).toMatchObject([
    { state: 'ok', text: expect.stringContaining(`${MODEL} answers`) },
  ]);
  const unusable = await doctor('socks5://ann:secret-word@127.0.0.1:9');
  const text = expect.stringContaining('The value of HTTPS_PROXY is not the URL of an HTTP proxy');
  expect(unusable('proxy')).toMatchObject([{ state: 'problem', text }]);
  expect(JSON.stringify([unusable('proxy'), unusable('model')])).not.toContain('secret-word');
});

test('a proxy that does not run fails at once, with its address and variable [G1]', async ({ place }) => {
  const env = { ...gemini(), HTTPS_PROXY: 'http://ann:secret-word@127.0.0.1:9' };
  const { code, stdout, stderr } = await place.run(prompt('go'), { env });
  expect(code).not.toBe(0);
  expect(stderr).toContain('the proxy 127.0.0.1:9 (HTTPS_PROXY) cannot be reached: nothing listens there');
  expect(stderr).toContain('NO_PROXY');
  expect(stdout + stderr).not.toContain('secret-word');
  const fetched = await exec(place, fetching('https://page.proxied.example/'), env);
  expect(errorOf(fetched.lines.find(({ callId }) => callId === 'f')).message).toContain(
    'the proxy 127.0.0.1:9 (HTTPS_PROXY) cannot be reached',
  );
});

for (const value of ['socks5://ann:secret-word@127.0.0.1:9', 'http://ann:secret-word@:80', 'http://[::'])
  test(`an unusable proxy URL is one clear line without its value: ${value} [G1]`, async ({ place }) => {
    const { code, stderr } = await place.run(prompt('go'), { env: { ...gemini(), HTTPS_PROXY: value } });
    expect(code).not.toBe(0);
    expect(stderr).toContain('the value of HTTPS_PROXY is not the URL of an HTTP proxy');
    expect(stderr).not.toContain('secret-word');
    expect(stderr).not.toContain('    at ');
  });

test('web_fetch goes through the proxy, redirects too, which are checked on the way [T3]', async ({
  place,
}) => {
  const site = await WireServer.start((response, { path }) => {
    if (path === '/moved') response.writeHead(302, { location: '/page' }).end();
    else if (path === '/inside') response.writeHead(302, { location: 'https://10.0.0.7/' }).end();
    else response.writeHead(200, { 'content-type': 'text/plain' }).end('The page.');
  });
  const proxy = await TestProxy.start({ 'page.proxied.example:443': await secured(site.url) });
  const env = { ...trusting(place), HTTPS_PROXY: proxy.url };
  const moved = await exec(place, fetching('https://page.proxied.example/moved'), env);
  expect(JSON.stringify(moved.lines)).toContain('The page.');
  const inside = await exec(place, fetching('https://page.proxied.example/inside'), env);
  expect(JSON.stringify(inside.lines)).toContain('10.0.0.7 is in a private network');
  const unknown = await exec(place, fetching('https://other.proxied.example/'), env);
  expect(JSON.stringify(unknown.lines)).toContain('cannot connect to other.proxied.example:443 (HTTP 502)');
  await site.stop();
  expect(new Set(proxy.lines)).toEqual(
    new Set(['CONNECT page.proxied.example:443', 'CONNECT other.proxied.example:443']),
  );
});

for (const host of ['10.0.0.7', '169.254.169.254', '[fd00::7]', 'printer.local', 'intranet'])
  test(`web_fetch does not ask a proxy for ${host} [T3]`, async ({ place }) => {
    const proxy = await TestProxy.start({});
    const env = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url };
    const { lines } = await exec(place, fetching(`http://${host}/`), env);
    expect(JSON.stringify(lines)).toContain('address_refused');
    expect(proxy.lines).toEqual([]);
  });

test('web_fetch refuses an invalid certificate behind a proxy, whatever the environment says [T3]', async ({
  place,
}) => {
  const site = await WireServer.start(answers(200, '{}'));
  const proxy = await TestProxy.start({ 'page.proxied.example:443': await secured(site.url) });
  const env = { HTTPS_PROXY: proxy.url, NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  const { lines } = await exec(place, fetching('https://page.proxied.example/'), env);
  expect(JSON.stringify(lines)).toContain('its certificate is self-signed');
  expect(site.received).toEqual([]);
  await site.stop();
});
