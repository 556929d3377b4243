import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newToken } from '@countersign/server';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { test } from '../cli/program.js';
import { timeUntil } from '../server/open-answer.js';
import { connected, listening, waitingIn } from './served.js';

test('over HTTP a removed token ends its streams and waiting calls within a second, and its session [M4] [W3]', async ({
  place,
}) => {
  const { url, token } = await listening(place);
  const bearer = { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: bearer } });
  const client = await connected(transport);
  const session = { ...bearer, 'mcp-session-id': transport.sessionId ?? '' };
  const call = { name: 'write_file', arguments: { file_path: 'a.txt', content: 'x' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: call });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const answering = await fetch(url, { method: 'POST', headers: { ...headers, ...session }, body });
  const waitingId = await waitingIn(place);
  const ended = answering.text().then(
    () => undefined,
    () => undefined,
  );
  const fresh = newToken();
  const tokens = [{ name: 'tester', token: fresh }];
  writeFileSync(join(place.home, 'server-tokens.json'), JSON.stringify({ tokens }));
  expect(await timeUntil(ended)).toBeLessThan(1_000);
  await expect(client.listTools()).rejects.toThrow();
  // Under the new token the old session is not there; what waited still waits for a person.
  const list = JSON.stringify({ jsonrpc: '2.0', id: 8, method: 'tools/list' });
  const again = { ...headers, ...session, authorization: `Bearer ${fresh}` };
  await expect
    .poll(async () => (await fetch(url, { method: 'POST', headers: again, body: list })).status)
    .toBe(404);
  expect(await waitingIn(place)).toBe(waitingId);
});
