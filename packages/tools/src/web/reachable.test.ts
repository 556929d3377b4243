import { failureOf } from '@countersign/host/testing';
import { describe, expect, test } from 'vitest';
import { checkedAddresses, refuseByName } from './reachable.js';

const answering = (...addresses: string[]) => ({
  allowHosts: [],
  lookup: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
});

describe('an address of this machine or its network is refused without asking a name server [T3]', () => {
  test.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://0177.0.0.1/',
    'http://0/',
    'http://①②⑦.0.0.1/',
    'http://%31%32%37.0.0.1/',
    'http://127.0.0.1:8080/x',
    'http:\\\\127.0.0.1/',
    'https://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[2002:7f00:1::]/',
    'http://[fd00:ec2::254]/latest',
    'http://169.254.169.254/latest/meta-data/',
    'http://0xa9fea9fe/',
    'http://localhost/',
    'http://LOCALHOST:3000/',
    'http://localhost./',
    'http://localhost../',
    'http://a.localhost/',
    'http://printer.local/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://nas.home.arpa/',
    'http://router/',
    'http://metadata/',
  ])('%s', async (address) => {
    const url = new URL(address);
    const failure = await failureOf(refuseByName(url, []));
    expect(failure).toMatchObject({ code: 'address_refused', url: url.href });
    const never = { allowHosts: [], lookup: () => Promise.reject(new Error('a name server was asked')) };
    expect(await failureOf(checkedAddresses(url, never))).toEqual(failure);
  });
});

test('a name is refused for any one of its addresses [T3]', async () => {
  const url = new URL('https://example.org/');
  expect(await failureOf(checkedAddresses(url, answering('1.1.1.1', '10.0.0.7')))).toEqual({
    code: 'address_refused',
    url: 'https://example.org/',
    why: 'example.org resolves to 10.0.0.7, which is in a private network',
  });
  const mapped = answering('2606:4700:4700::1111', '::ffff:127.0.0.1');
  expect((await failureOf(checkedAddresses(url, mapped))).code).toBe('address_refused');
  expect(await checkedAddresses(url, answering('1.1.1.1'))).toEqual([{ address: '1.1.1.1', family: 4 }]);
});

test('a name that changes its mind is checked each time [T3]', async () => {
  const answers = ['1.1.1.1', '127.0.0.1'];
  const changing = { allowHosts: [], lookup: async () => [{ address: answers.shift() ?? '', family: 4 }] };
  const url = new URL('https://example.org/');
  expect(await checkedAddresses(url, changing)).toEqual([{ address: '1.1.1.1', family: 4 }]);
  expect((await failureOf(checkedAddresses(url, changing))).code).toBe('address_refused');
});

test('what a person opened is reached, on that port only [T3]', async () => {
  const allowHosts = ['localhost:3000', '[::1]:80'];
  await refuseByName(new URL('http://localhost:3000/x'), allowHosts);
  await refuseByName(new URL('http://[::1]/'), allowHosts);
  const opened = { ...answering('127.0.0.1'), allowHosts };
  expect(await checkedAddresses(new URL('http://localhost:3000/'), opened)).toHaveLength(1);
  const other = checkedAddresses(new URL('http://localhost:3001/'), opened);
  expect((await failureOf(other)).code).toBe('address_refused');
});
