/**
 * Why an IP address is none of the public internet, as the end of a sentence; null if it is one. Forms that carry
 * another address in them (mapped, NAT64, 6to4, Teredo) count as not public whatever they carry: a request for those
 * is an attempt to get around this check.
 */
export async function whyNotPublic(address: string): Promise<string | null> {
  // Most sessions fetch nothing.
  const { default: ipaddr } = await import('ipaddr.js');
  if (!ipaddr.isValid(address)) return 'is not an IP address';
  if (METADATA.includes(address)) return 'serves credentials of this machine';
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (range !== 'unicast') return WORDS[range] ?? NOT_PUBLIC;
  // `::7f00:1` is how an URL spells `::127.0.0.1`.
  return parsed.kind() === 'ipv6' && !isGlobal(parsed.toByteArray()) ? NOT_PUBLIC : null;
}

const NOT_PUBLIC = 'is not a public address';

/** Of all IPv6 addresses, the public internet was given those of 2000::/3 alone. */
const isGlobal = ([first = 0]: readonly number[]): boolean => first >> 5 === 1;

/** Azure's, which alone of its kind lies among the public addresses. The others are link-local, private or reserved. */
const METADATA: readonly string[] = ['168.63.129.16'];

const WORDS: { readonly [range: string]: string } = {
  unspecified: 'means this machine itself',
  loopback: 'is this machine itself',
  private: 'is in a private network',
  uniqueLocal: 'is in a private network',
  carrierGradeNat: "is in a provider's own network",
  linkLocal: 'is a link-local address, where metadata services are',
  multicast: 'is a multicast or broadcast address',
  broadcast: 'is a multicast or broadcast address',
  ipv4Mapped: 'is an IPv6 form of an IPv4 address',
  rfc6145: 'is an IPv6 form of an IPv4 address',
  rfc6052: 'is an IPv6 form of an IPv4 address',
  '6to4': 'is an IPv6 form of an IPv4 address',
  teredo: 'is an IPv6 form of an IPv4 address',
};
