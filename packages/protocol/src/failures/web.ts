import type { Entries } from './entry.js';

/** What can go wrong with what is fetched. */
export type WebFailure =
  | { readonly code: 'address_refused'; readonly url: string; readonly why: string }
  | { readonly code: 'fetch_failed'; readonly url: string; readonly problem: string }
  | { readonly code: 'http_status'; readonly url: string; readonly status: number; readonly meaning: string }
  | { readonly code: 'server_busy'; readonly url: string; readonly status: number; readonly meaning: string }
  | { readonly code: 'unsupported_content'; readonly url: string; readonly mimeType: string }
  | { readonly code: 'redirected_elsewhere'; readonly url: string; readonly to: string };

export const WEB_FAILURES: Entries<WebFailure> = {
  address_refused: {
    audience: 'model',
    when: 'A URL points to this machine, a private network or another address that is not public.',
    message: ({ url, why }) => `${url} is not fetched: ${why}.`,
    hint: () =>
      'Nothing was sent to it. Do not try it another way; the user can allow its host and port in COUNTERSIGN_FETCH_HOSTS.',
  },
  fetch_failed: {
    audience: 'model',
    when: 'A URL returned no usable response.',
    message: ({ url, problem }) => `${url} could not be fetched: ${problem}.`,
    hint: () => 'Check the URL, or use another source.',
  },
  http_status: {
    audience: 'model',
    when: 'A web server refused the request.',
    message: ({ url, status, meaning }) => `${url} answered ${status} ${meaning}.`,
    hint: () => 'Check the URL, or use another source. The body of the response is in the output.',
  },
  server_busy: {
    audience: 'model',
    transient: true,
    when: 'A web server is temporarily unavailable.',
    message: ({ url, status, meaning }) =>
      `${url} responded with ${status} ${meaning}, which may be temporary.`,
    hint: () => 'Try again later, or use another source.',
  },
  unsupported_content: {
    audience: 'model',
    when: 'The content of a URL is not text.',
    message: ({ url, mimeType }) => `${url} is not text but ${mimeType}, which cannot be read.`,
    hint: () => 'Look for a page with the same content as text.',
  },
  redirected_elsewhere: {
    audience: 'model',
    when: 'A URL redirected to a host that was not allowed.',
    message: ({ url, to }) => `${url} redirects to ${to}, on a host that was not approved for this call.`,
    hint: () => 'Nothing was read there. To read it, call web_fetch with that URL.',
  },
};
