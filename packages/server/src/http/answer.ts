import type { ServerResponse } from 'node:http';
import { type Problem, problemBody, statusOf } from '../contract/problems.js';
import type { Scheme } from './addresses.js';
import type { PersonBuffers, Room } from './buffers.js';
import { type Reserved, TooLarge } from './large-answers.js';

/** On every answer, whatever it is. */
export function setSafetyHeaders(response: ServerResponse, scheme: Scheme): void {
  for (const [name, value] of SAFETY_HEADERS) response.setHeader(name, value);
  if (scheme === 'https') response.setHeader('strict-transport-security', 'max-age=31536000');
}

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SAFETY_HEADERS: readonly (readonly [string, string])[] = [
  ['content-security-policy', CONTENT_SECURITY_POLICY],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['permissions-policy', 'camera=(), geolocation=(), microphone=()'],
  ['cache-control', 'no-store'],
];

/** Shorter responses are not counted: the number of connections is limited. */
const SMALL_BYTES = 16 * 1024;

/** Returns the bytes that it holds until they are read. Throws a `TooLarge` if too much waits to be read already. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  buffers?: PersonBuffers,
  reserved: Reserved | null = null,
): number {
  const body = Buffer.from(JSON.stringify(value));
  const bytes = body.length > SMALL_BYTES ? body.length : 0;
  const isReserved = reserved !== null && bytes > 0 && bytes <= reserved.bytes;
  if (!isReserved) reserved?.room.release();
  const room = isReserved ? reserved.room : bytes > 0 ? buffers?.tryTake(bytes) : undefined;
  if (room === null) throw new TooLarge(bytes);
  if (room) holdUntilClosed(response, room);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
  return bytes;
}

function holdUntilClosed(response: ServerResponse, room: Room): void {
  if (response.destroyed) room.release();
  else response.on('close', room.release);
}

export function sendProblem(response: ServerResponse, problem: Problem): void {
  // A response that was sent in part is cut off, so that the client does not take it for complete.
  if (response.headersSent) return void response.destroy();
  if (problem.code === 'too_many_requests')
    response.setHeader('retry-after', Math.ceil(problem.retryAfterMs / 1_000));
  if (problem.code === 'wrong_method') response.setHeader('allow', problem.allowed.join(', '));
  if (problem.code === 'not_signed_in') response.setHeader('www-authenticate', 'Bearer');
  // The rest of a refused body is not read.
  if (problem.code === 'body_too_large') response.setHeader('connection', 'close');
  sendJson(response, statusOf(problem), problemBody(problem));
}
