import { afterEach, expect, test } from 'vitest';
import { must, Serving, TOKENS } from './serving.js';

let serving: Serving;
afterEach(() => serving.close());

const codeIn = (url: string): string => url.split('#pair=')[1] ?? '';
const exchange = (code: unknown): Promise<Response> =>
  fetch(`${serving.server.url}/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: serving.server.url },
    body: JSON.stringify({ code }),
  });

test('of many browsers that open one link at once exactly one is signed in [W3]', async () => {
  serving = await Serving.start();
  const code = codeIn(serving.server.pair('ann').url);
  const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(code)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(7).fill(401)]);
  expect(answers.filter(({ headers }) => headers.get('set-cookie') !== null)).toHaveLength(1);
});

test('a link expires [W3]', async () => {
  serving = await Serving.start({ limits: { pairingMs: 1 } });
  const { url, expiresAt } = must(await serving.client().makePairing({ body: {} }));
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(expiresAt).toBeLessThan(Date.now());
  expect((await exchange(codeIn(url))).status).toBe(401);
});

test('an unopened link is removed by seventeen later ones, and by the end of the server [W3]', async () => {
  serving = await Serving.start();
  const first = codeIn(serving.server.pair('ann').url);
  const later = Array.from({ length: 16 }, () => codeIn(serving.server.pair('ann').url));
  expect((await exchange(first)).status).toBe(401);
  expect((await exchange(later[0])).status).toBe(200);
  await serving.end();
  await serving.begin();
  expect((await exchange(later[1])).status).toBe(401);
});

test.each(['', ' ', null, 1, ['a'], 'x'.repeat(600), '__proto__', TOKENS[0]?.token])(
  'no code: %j',
  async (code) => {
    serving = await Serving.start();
    expect([400, 401]).toContain((await exchange(code)).status);
  },
);

test('a link signs in under the name of the user that made it, and under no other [W3]', async () => {
  serving = await Serving.start();
  const { url } = must(await serving.client('bob').makePairing({ body: {} }));
  expect(await (await exchange(codeIn(url))).json()).toMatchObject({ name: 'bob' });
});
