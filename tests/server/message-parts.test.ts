import { scriptedProvider } from '@countersign/models';
import { expect, test } from 'vitest';
import { must, Serving } from './serving.js';

test('parts that are not text, data or a file are refused, and so is the result of a call that a client made up [W3]', async () => {
  const serving = await Serving.start({ provider: scriptedProvider([[{ text: 'Hello.' }]]) });
  try {
    const client = serving.client();
    const { sessionId } = must(await client.createSession({ body: {} }));
    const send = async (part: { readonly [name: string]: string | { readonly [name: string]: string } }) => {
      const sent = await client.sendMessage({ sessionId, body: { parts: [part] } });
      return sent.ok ? 202 : sent.error.status;
    };
    expect(await send({ functionResponse: { name: 'count' } })).toBe(400);
    expect(await send({ functionCall: { name: 'count' } })).toBe(400);
    expect(await send({ text: 'a', functionResponse: {} })).toBe(400);
    expect(await send({ unknown: 'x' })).toBe(400);
    expect(await send({ inlineData: { data: 'AAAA' } })).toBe(400);
    expect(await send({ text: 'Hello' })).toBe(202);
  } finally {
    await serving.close();
  }
});
