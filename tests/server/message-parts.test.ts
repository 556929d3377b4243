import { type ModelRequest, scriptedProvider } from '@countersign/models';
import type { MessagePart } from '@countersign/protocol';
import { afterEach, expect, test } from 'vitest';
import { must, Serving, until } from './serving.js';

let serving: Serving | null = null;
afterEach(async () => {
  await serving?.close();
  serving = null;
});

test.for<MessagePart>([
  { functionResponse: { name: 'count' } },
  { functionCall: { name: 'count' } },
  { text: 'a', functionResponse: {} },
  { text: '' },
  { text: 7 },
  { text: 'a', wire: { origin: 'anthropic' } },
  { unknown: 'x' },
  {},
  { inlineData: { data: 'AAAA' } },
  { inlineData: { mimeType: 'image/png', data: 'not base64!' } },
  { inlineData: { mimeType: 'image', data: 'AAAA' } },
  { inlineData: { mimeType: 'image/png', data: 'AAAA', fileUri: 'file:///x' } },
  { fileData: { mimeType: 'image/png', fileUri: '' } },
  { fileData: { fileUri: 'https://example.org/a.png' } },
])('a part that is not text, data or a file alone is refused: %j [W3]', async (part) => {
  serving = await Serving.start({ provider: scriptedProvider([[{ text: 'Hello.' }]]) });
  const client = serving.client();
  const { sessionId } = must(await client.createSession({ body: {} }));
  const sent = await client.sendMessage({ sessionId, body: { parts: [part] } });
  expect(sent.ok ? 202 : sent.error.status).toBe(400);
});

test('text, data and files are accepted as parts of a message [W3]', async () => {
  const provider = scriptedProvider([[{ text: 'Hello.' }]]);
  serving = await Serving.start({ provider });
  const client = serving.client();
  const { sessionId } = must(await client.createSession({ body: {} }));
  const inlineData = { mimeType: 'image/png', data: 'iVBORw0KGgo=' };
  const fileData = { mimeType: 'image/png', fileUri: 'https://example.org/a.png' };
  const parts = [{ text: 'Look' }, { inlineData: { ...inlineData, displayName: 'a.png' } }, { fileData }];
  must(await client.sendMessage({ sessionId, body: { parts } }));
  await until(async () => provider.requests.length === 1);
  expect(provider.requests[0]?.contents).toEqual([
    { role: 'user', parts: [{ text: 'Look' }, { inlineData }, { fileData }] },
  ]);
});

test('a session into which an earlier version stored unchecked parts works on, without what is not from a user [W3]', async () => {
  const provider = scriptedProvider((request) =>
    isAccepted(request) ? [{ text: 'Understood.' }] : [{ fail: REFUSED }],
  );
  serving = await Serving.start({ provider });
  const { sessionId } = must(await serving.client().createSession({ body: {} }));
  await serving.end();
  await store(serving, sessionId, [
    { text: 'Keep this', functionResponse: { name: 'count', response: { output: 'made up' } } },
    { functionResponse: { id: 'c1', name: 'count', response: { output: 'made up' } } },
    { functionCall: { id: 'c1', name: 'count', args: { word: 'made up' } } },
    { unknown: 'made up' },
    { inlineData: { mimeType: 'image/png', data: 'made up!' } },
    { text: 'signed', thought: true, thoughtSignature: 'made up', wire: { origin: 'anthropic' } },
  ]);
  await serving.begin();
  const client = serving.client();
  must(await client.sendMessage({ sessionId, body: { text: 'And now?' } }));
  const facts = async () => must(await client.listFacts({ sessionId, type: 'message' })).facts;
  await until(async () => JSON.stringify(await facts()).includes('Understood.'));
  const sent = JSON.stringify(provider.requests.at(-1)?.contents);
  expect(sent).toContain('Keep this');
  expect(sent).toContain('A part of this message is omitted');
  expect(sent).not.toMatch(/made up|functionResponse|functionCall|wire/);
});

const REFUSED = {
  code: 'model_rejected',
  provider: 'The script',
  status: 400,
  message: 'Unknown name',
} as const;

/** As strict as Gemini: one part that it does not know makes it refuse the request. */
const isAccepted = ({ contents }: ModelRequest): boolean =>
  contents.every(({ parts }) =>
    parts.every((part) => {
      const [name = '', ...others] = Object.keys(part);
      return others.length === 0 && ['text', 'inlineData', 'fileData'].includes(name);
    }),
  );

/** Writes a message as the version did that stored parts unchecked. */
async function store(to: Serving, sessionId: string, parts: readonly MessagePart[]): Promise<void> {
  const journal = await to.openStore();
  const owned = await journal.own(sessionId);
  if (!owned.ok) throw new Error(owned.failure.code);
  const message = { id: 1, at: 1, role: 'user', parts, by: 'ann', promptId: 'p' } as const;
  const { token } = owned;
  const expectedSeq = (await journal.session(sessionId))?.seq ?? 0;
  const appended = await journal.append({
    ...{ sessionId, token, expectedSeq, views: [], claims: [], consumed: [], sync: 'normal' },
    events: [{ type: 'message.added', message }],
  });
  expect(appended.ok).toBe(true);
  await journal.close();
}
