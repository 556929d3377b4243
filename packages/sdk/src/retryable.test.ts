import { createServer } from 'node:net';
import { ToolFailure } from '@countersign/protocol';
import { expect, test } from 'vitest';
import { isRetryableError } from './retryable.js';
import { ToolCallError } from './wires/function-response.js';

const withMembers = (members: object, message = 'it failed') => Object.assign(new Error(message), members);

test.each([...['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EAI_AGAIN', 'EPIPE', 'UND_ERR_CONNECT_TIMEOUT']])(
  '%s may pass',
  (code) => {
    expect(isRetryableError(withMembers({ code }))).toBe(true);
  },
);

test.each(['ENOENT', 'EACCES', 'ENOTFOUND', 'ERR_INVALID_ARG_TYPE'])('%s is not retryable', (code) => {
  expect(isRetryableError(withMembers({ code }, 'network timeout'))).toBe(false);
});

test('a real refused connection is retryable, by itself and as the cause of a fetch error', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await new Promise((resolve) => server.close(resolve));
  const refused: unknown = await fetch(`http://127.0.0.1:${port}/`).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Error);
  expect(isRetryableError(refused)).toBe(true);
});

test('a real timeout is retryable; a real abort is not', async () => {
  const timedOut = AbortSignal.timeout(1);
  await new Promise((resolve) => timedOut.addEventListener('abort', resolve));
  expect(isRetryableError(timedOut.reason)).toBe(true);
  expect(isRetryableError(AbortSignal.abort().reason)).toBe(false);
  expect(isRetryableError(withMembers({ name: 'AbortError', code: 'ETIMEDOUT' }))).toBe(false);
});

test.each([408, 425, 429, 500, 502, 503, 504, 529])('HTTP %d is retryable', (status) => {
  expect(isRetryableError(withMembers({ status }))).toBe(true);
  expect(isRetryableError(withMembers({ statusCode: status }))).toBe(true);
  expect(isRetryableError(withMembers({ response: { status } }))).toBe(true);
});

test.each([200, 400, 401, 404, 501, 505])('HTTP %d is not retryable', (status) => {
  expect(isRetryableError(withMembers({ status }, 'timeout'))).toBe(false);
});

test('our own failures are retryable if they are marked transient [S4]', () => {
  const timedOut = { code: 'timed_out', afterMs: 5, stopped: true } as const;
  expect(isRetryableError(timedOut)).toBe(true);
  expect(isRetryableError(new ToolFailure({ code: 'temporary', message: 'busy' }))).toBe(true);
  expect(isRetryableError(new ToolCallError({ code: 'network', message: 'gone' }))).toBe(true);
  expect(isRetryableError({ errorType: 'network' })).toBe(true);
  expect(isRetryableError(new ToolCallError({ code: 'execution_failed', message: 'network' }))).toBe(false);
});

test('the cause decides where the error has no code, also among several causes and in a cycle', () => {
  const reset = withMembers({ code: 'ECONNRESET' });
  expect(isRetryableError(new Error('outer', { cause: new Error('inner', { cause: reset }) }))).toBe(true);
  expect(isRetryableError(new AggregateError([withMembers({ code: 'ENOENT' }), reset]))).toBe(true);
  const circle = new Error('round');
  circle.cause = circle;
  expect(isRetryableError(circle)).toBe(false);
});

test('the message counts only where there is no code or status', () => {
  expect(isRetryableError(new Error('Request timeout'))).toBe(true);
  expect(isRetryableError(new Error('the operation timed out'))).toBe(true);
  expect(isRetryableError(new Error('network unreachable'))).toBe(true);
  expect(isRetryableError('temporary failure')).toBe(true);
  expect(isRetryableError(new Error('syntax error in networking.ts'))).toBe(false);
});

test('a value that is no error is not retryable', () => {
  for (const nothing of [undefined, null, 0, '', {}, [], new Error('bad input')]) {
    expect(isRetryableError(nothing)).toBe(false);
  }
});
