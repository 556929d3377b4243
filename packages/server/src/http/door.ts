import type { IncomingMessage } from 'node:http';
import type { Problem } from '../contract/problems.js';
import type { Scheme } from './addresses.js';

/** Headers that the server reads: a request that has one of them twice is ambiguous. */
const SINGLE_HEADERS: readonly string[] = [
  'host',
  'origin',
  'authorization',
  'cookie',
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'x-countersign',
  'last-event-id',
];

/** Several times as many as any browser sends. */
const HEADERS_MAX = 100;

/** What is wrong with a request, independent of its sender; null if nothing is. Checked for every address, the page's files included. */
export function problemAtDoor(
  request: IncomingMessage,
  hosts: ReadonlySet<string>,
  scheme: Scheme,
): Problem | null {
  if (request.httpVersionMajor !== 1) return { code: 'malformed_request', problem: 'it is not HTTP/1' };
  // Names and values by turns.
  if (request.rawHeaders.length > 2 * HEADERS_MAX)
    return { code: 'malformed_request', problem: `it has more than ${HEADERS_MAX} headers` };
  const twice = repeatedHeader(request.rawHeaders);
  if (twice !== null) return { code: 'malformed_request', problem: `the header ${twice} occurs twice` };
  if (!request.url?.startsWith('/'))
    return { code: 'malformed_request', problem: 'the target must be a path' };
  const host = request.headers.host?.toLowerCase();
  if (host === undefined || !hosts.has(host)) return { code: 'wrong_host' };
  const { origin } = request.headers;
  if (origin !== undefined && origin !== `${scheme}://${host}`) return { code: 'foreign_origin' };
  return null;
}

function repeatedHeader(rawHeaders: readonly string[]): string | null {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (!SINGLE_HEADERS.includes(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return null;
}

/** Browsers send this header; programs do not. */
export const isFromElsewhere = ({ headers }: IncomingMessage): boolean =>
  headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site';
