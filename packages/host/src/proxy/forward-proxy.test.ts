import { describe, expect, test } from 'vitest';
import { ProxyError, proxyFor } from './forward-proxy.js';

const PROXY = { HTTPS_PROXY: 'http://secure.proxy:3128', HTTP_PROXY: 'http://plain.proxy:8080' };
const proxied = (url: string, env = {}): string | null =>
  proxyFor(new URL(url), { ...PROXY, ...env })?.hostname ?? null;

test('the scheme of the URL chooses the variable, lower case first, and an empty value counts as unset [G1]', () => {
  expect(proxied('https://a.example/')).toBe('secure.proxy');
  expect(proxied('http://a.example/')).toBe('plain.proxy');
  expect(proxied('https://a.example/', { https_proxy: 'lower.proxy:1' })).toBe('lower.proxy');
  expect(proxied('https://a.example/', { https_proxy: '' })).toBe('secure.proxy');
  expect(proxied('https://a.example/', { HTTPS_PROXY: ' ' })).toBeNull();
  expect(proxied('http://a.example/', { REQUEST_METHOD: 'GET' })).toBeNull();
});

test.each([
  'http://localhost/',
  'http://localhost./',
  'http://app.localhost:3000/',
  'http://127.0.0.1/',
  'https://127.8.9.1:8443/',
  'http://0x7f000001/',
  'http://[::1]:11434/',
  'http://[::ffff:127.0.0.1]/',
])('this machine is never asked for through a proxy: %s [G1]', (url) => expect(proxied(url)).toBeNull());

describe.each(['NO_PROXY', 'no_proxy'])('%s', (variable) => {
  test.each([
    ['*', 'https://a.example/'],
    ['example.com', 'https://example.com/'],
    ['example.com', 'https://www.example.com/'],
    ['.example.com', 'https://www.example.com/'],
    ['.example.com', 'https://example.com/'],
    ['*.example.com', 'https://www.example.com/'],
    ['EXAMPLE.com.', 'https://Example.COM./'],
    ['x.org, example.com', 'https://example.com/'],
    ['x.org example.com', 'https://example.com/'],
    ['example.com:8443', 'https://example.com:8443/'],
    ['example.com:443', 'https://example.com/'],
    ['10.1.2.3', 'http://10.1.2.3/'],
    ['10.0.0.0/8', 'http://10.255.0.1:8080/'],
    ['10.0.0.0/8:8080', 'http://10.255.0.1:8080/'],
    ['fd00::/8', 'http://[fd12::1]/'],
    ['[fd00::1]', 'http://[fd00::1]/'],
    ['[fd00::1]:8080', 'http://[fd00::1]:8080/'],
    ['FD00:0::1', 'http://[fd00::1]/'],
  ])('%s exempts %s [G1]', (list, url) => expect(proxied(url, { [variable]: list })).toBeNull());

  test.each([
    ['example.com', 'https://notexample.com/'],
    ['example.com', 'https://example.com.evil.org/'],
    ['www.example.com', 'https://example.com/'],
    ['example.com:8443', 'https://example.com/'],
    ['10.0.0.0/8', 'http://11.0.0.1/'],
    ['10.0.0.0/99', 'http://10.0.0.1/'],
    ['10.0.0.0/x', 'http://10.0.0.1/'],
    ['0.0.1', 'http://10.0.0.1/'],
    ['10.0.0.0/8', 'http://10.example/'],
    ['fd00::/8', 'http://[fe80::1]/'],
    ['*x', 'https://x/'],
    ['., *., :443,', 'https://a.example/'],
    ['', 'https://a.example/'],
  ])('%s does not exempt %s [G1]', (list, url) => expect(proxied(url, { [variable]: list })).not.toBeNull());
});

test('a proxy URL may lack scheme and port, and its credentials are decoded [G1]', () => {
  const read = (value: string) => proxyFor(new URL('https://a.example'), { HTTPS_PROXY: value });
  expect(read('proxy.example')).toMatchObject({ hostname: 'proxy.example', port: 80, isSecure: false });
  expect(read('https://proxy.example/')).toMatchObject({ port: 443, isSecure: true, authorization: null });
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  expect(read('http://a%40b:c%3Ad@p:1')?.authorization).toBe(basic('a@b:c:d'));
  expect(read('http://only@p:1')?.authorization).toBe(basic('only:'));
  expect(read('http://100%:x@p:1')?.authorization).toBe(basic('100%:x'));
});

test.each(['socks5://p:1', 'ftp://p', 'http://', 'http://u:secret@:1', 'http://p:99999', 'http://[x'])(
  'what is not the URL of an HTTP proxy is refused without repeating it: %s [G1]',
  (value) => {
    const read = () => proxyFor(new URL('https://a.example'), { HTTPS_PROXY: value });
    expect(read).toThrow(ProxyError);
    expect(read).toThrow(/^the value of HTTPS_PROXY is not the URL of an HTTP proxy/);
    expect(read).not.toThrow(/secret/);
  },
);
