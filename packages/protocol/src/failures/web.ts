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
    transient: false,
    when: 'A web address leads to this machine, a private network or another place that is not public.',
    message: ({ url, why }) => `${url} is not fetched: ${why}.`,
    hint: () =>
      'Nothing was sent to it. Do not try it another way; a person can open it by naming its host and port in COUNTERSIGN_FETCH_HOSTS.',
  },
  fetch_failed: {
    audience: 'model',
    transient: false,
    when: 'A web address gave no answer that could be used.',
    message: ({ url, problem }) => `${url} could not be fetched: ${problem}.`,
    hint: () => 'Check the address, or use another source.',
  },
  http_status: {
    audience: 'model',
    transient: false,
    when: 'A web server answered that it does not give what was asked for.',
    message: ({ url, status, meaning }) => `${url} answered ${status} ${meaning}.`,
    hint: () =>
      'Check the address, or use another source. What the server said beside that is in the output.',
  },
  server_busy: {
    audience: 'model',
    transient: true,
    when: 'A web server answered that it can not serve just now.',
    message: ({ url, status, meaning }) => `${url} answered ${status} ${meaning}, which may pass.`,
    hint: () => 'Try again later, or use another source.',
  },
  unsupported_content: {
    audience: 'model',
    transient: false,
    when: 'What a web address gave is no text.',
    message: ({ url, mimeType }) => `${url} is no text but ${mimeType}, which is not read.`,
    hint: () => 'Look for a page that says the same in text.',
  },
  redirected_elsewhere: {
    audience: 'model',
    transient: false,
    when: 'A web address led to another host than the ones that were allowed.',
    message: ({ url, to }) => `${url} leads on to ${to}, on a host that this call was not allowed for.`,
    hint: () => 'Nothing was read there. If it is wanted, call web_fetch with that address.',
  },
};
