import { EventEmitter, once } from 'node:events';
import { request as ask, createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { Refusal } from '../contract/problems.js';
import { answerByFetch, type FetchHandler } from './fetch-handler.js';

async function serve(handle: FetchHandler): Promise<string> {
  const server = createServer((request, response) => {
    answerByFetch(request, response, handle).catch((thrown: unknown) =>
      response.writeHead(thrown instanceof Refusal ? 400 : 500).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

test('a request arrives with its method, path, headers and body, and its response as it was given [M4]', async () => {
  const url = await serve(async (request) => {
    const { method, url, headers } = request;
    const echo = `${method} ${new URL(url).pathname} ${headers.get('x-name')} ${await request.text()}`;
    return new Response(echo, { status: 203, headers: { 'x-seen': 'yes' } });
  });
  const response = await fetch(`${url}//a/b?c=d`, {
    method: 'POST',
    headers: { 'x-name': 'Ada' },
    body: 'words',
  });
  expect([response.status, response.headers.get('x-seen')]).toEqual([203, 'yes']);
  expect(await response.text()).toBe('POST //a/b Ada words');
});

test('a client that leaves in the middle of a stream aborts the request and cancels the stream [M4]', async () => {
  const seen = new EventEmitter();
  const both = Promise.all([once(seen, 'aborted'), once(seen, 'cancelled')]);
  const url = await serve(async ({ signal }) => {
    signal.addEventListener('abort', () => seen.emit('aborted'));
    // Nothing is written to it: the client still has its headers.
    return new Response(new ReadableStream({ cancel: () => void seen.emit('cancelled') }));
  });
  const leaving = new AbortController();
  const response = await fetch(url, { signal: leaving.signal });
  expect(response.status).toBe(200);
  leaving.abort();
  await both;
});

test('a stream that breaks is cut off, and a method that no Request can have is refused [M4]', async () => {
  const breaking = new ReadableStream({ pull: (to) => to.error(new Error('broken')) });
  const url = await serve(async () => new Response(breaking));
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
  const traced = ask(url, { method: 'TRACE' }).end();
  const [answer] = await once(traced, 'response');
  expect([answer.statusCode, await text(answer)]).toEqual([400, '']);
});
