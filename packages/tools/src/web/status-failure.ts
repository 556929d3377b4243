import type { Failure } from '@countersign/protocol';

/** What a status means that is no success. In the words of the standard: those of the server are untrusted. */
export async function statusFailure(status: number, url: URL): Promise<Failure> {
  const { STATUS_CODES } = await import('node:http');
  const meaning = STATUS_CODES[status] ?? 'Unknown';
  return { code: PASSING.has(status) ? 'server_busy' : 'http_status', url: url.href, status, meaning };
}

const PASSING = new Set([408, 425, 429, 502, 503, 504]);
