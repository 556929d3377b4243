import { describe, expect, test } from 'vitest';
import { whyNotPublic } from './public-address.js';

describe('an address that is none of the public internet is refused [T3]', () => {
  test.each([
    ['0.0.0.0', 'means this machine itself'],
    ['127.0.0.1', 'is this machine itself'],
    ['127.255.255.254', 'is this machine itself'],
    ['10.0.0.1', 'is in a private network'],
    ['172.16.0.1', 'is in a private network'],
    ['172.31.255.255', 'is in a private network'],
    ['192.168.1.1', 'is in a private network'],
    ['100.64.0.1', "is in a provider's own network"],
    ['100.100.100.200', "is in a provider's own network"],
    ['169.254.169.254', 'is a link-local address, where metadata services are'],
    ['168.63.129.16', 'serves credentials of this machine'],
    ['192.0.0.192', 'is not a public address'],
    ['198.18.0.1', 'is not a public address'],
    ['203.0.113.9', 'is not a public address'],
    ['240.0.0.1', 'is not a public address'],
    ['224.0.0.251', 'is a multicast or broadcast address'],
    ['255.255.255.255', 'is a multicast or broadcast address'],
    ['::', 'means this machine itself'],
    ['::1', 'is this machine itself'],
    ['fe80::1', 'is a link-local address, where metadata services are'],
    ['fe80::1%lo', 'is a link-local address, where metadata services are'],
    ['fec0::1', 'is not a public address'],
    ['fd00:ec2::254', 'is in a private network'],
    ['ff02::1', 'is a multicast or broadcast address'],
    ['2001:db8::1', 'is not a public address'],
    ['::ffff:127.0.0.1', 'is an IPv6 form of an IPv4 address'],
    ['::ffff:7f00:1', 'is an IPv6 form of an IPv4 address'],
    ['::127.0.0.1', 'is an IPv6 form of an IPv4 address'],
    ['::7f00:1', 'is not a public address'],
    ['4000::1', 'is not a public address'],
    ['::ffff:0:7f00:1', 'is an IPv6 form of an IPv4 address'],
    ['64:ff9b::7f00:1', 'is an IPv6 form of an IPv4 address'],
    ['64:ff9b:1::7f00:1', 'is an IPv6 form of an IPv4 address'],
    ['2002:7f00:1::1', 'is an IPv6 form of an IPv4 address'],
    ['2001:0:53aa:64c::1', 'is an IPv6 form of an IPv4 address'],
    ['no address', 'is not an IP address'],
  ])('%s', async (address, why) => {
    expect(await whyNotPublic(address)).toBe(why);
  });
});

test.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111'])(
  'the public address %s is not refused [T3]',
  async (address) => {
    expect(await whyNotPublic(address)).toBeNull();
  },
);
