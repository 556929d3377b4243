import { networkInterfaces } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Served } from './served.js';

let served: Served;
beforeEach(() => {
  served = new Served();
});
afterEach(() => served.close());

const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
const reachable = own.flatMap(({ internal, family, address }) =>
  !internal && family === 'IPv4' ? [address] : [],
);
/** Without a network nothing else could reach it. */
const expected = reachable.length > 0 ? reachable : ['127.0.0.1'];
const hasIpv6 = own.some(({ family }) => family === 'IPv6');

test.for(hasIpv6 ? ['0.0.0.0', '::'] : ['0.0.0.0'])(
  'open to others at %s without TLS, it prints a link that works for them, and a warning [W3]',
  async (address) => {
    await served.start('--port', '0', '--address', address, '--expose-without-tls');
    const link = new URL(served.stdout.trim());
    expect(expected).toContain(link.hostname);
    expect(served.stderr).toContain(`at ${link.origin}\n`);
    expect(served.stderr).toMatch(/^Warning: without TLS, others on this network can read/m);
    const answer = await fetch(`${link.origin}/api/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: link.origin },
      body: JSON.stringify({ code: link.hash.replace('#pair=', '') }),
    });
    expect(answer.status).toBe(200);
  },
);

test('on this machine alone it prints no such warning [W3]', async () => {
  await served.start('--port', '0');
  expect(new URL(served.stdout.trim()).hostname).toBe('127.0.0.1');
  expect(served.stderr).not.toContain('Warning');
});
