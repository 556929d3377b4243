import type { IncomingMessage } from 'node:http';
import { ToolFailure } from '@countersign/protocol';
import { connectionFailure, fetchFailed } from './connection-failure.js';
import { beginning } from './html/beginning.js';
import { type Reachable, refuseByName } from './reachable.js';
import { type PageText, readText } from './read-text.js';
import { RequestTimeout } from './request-timeout.js';
import { sendRequest } from './send-request.js';
import { statusFailure } from './status-failure.js';
import { untrusted } from './untrusted.js';
import { wantedUrl } from './wanted-url.js';
import { wayTo } from './way-to.js';
import type { WebLimits } from './web-limits.js';

/** `url` is where it was in the end. */
export type Page = PageText & { readonly url: string; readonly status: number };

export type Fetching = Reachable & {
  readonly limits: WebLimits;
  /** Whether a redirect may be followed to this address. */
  readonly mayLeadTo: (url: URL) => boolean;
  readonly signal: AbortSignal;
};

const ERROR_BYTES_MAX = 64_000; // an error page begins with the reason
const ERROR_CHARS_MAX = 4_000;

/** What is at an address, as text. Throws a failure that says what is there instead. */
export async function fetchPage(asked: URL, fetching: Fetching): Promise<Page> {
  const timeout = new RequestTimeout(asked, fetching.limits, fetching.signal);
  try {
    const { response, url } = await follow(asked, fetching, timeout);
    const { statusCode: status = 0 } = response;
    if (status < 200 || status > 299) throw await refusal(response, url, timeout);
    const text = await readText(response, url, fetching.limits.bodyBytesMax, timeout);
    return { url: url.href, status, ...text };
  } catch (error) {
    throw timeout.failure ?? connectionFailure(error, asked);
  } finally {
    timeout.over();
  }
}

type Answer = { readonly response: IncomingMessage; readonly url: URL };

/** The first answer that leads nowhere else. Every address on the way is checked like the first. */
async function follow(asked: URL, fetching: Fetching, timeout: RequestTimeout): Promise<Answer> {
  const visited = new Set<string>();
  const { redirectsMax } = fetching.limits;
  let url = asked;
  for (;;) {
    visited.add(url.href);
    timeout.connecting();
    const way = await timeout.orStopped(() => wayTo(url, fetching));
    const response = await sendRequest({ url, way, headers: { accept: ACCEPTED } }, timeout);
    const { location } = response.headers;
    if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) return { response, url };
    response.destroy();
    const next = wantedUrl(location, url);
    if (!next.ok) throw fetchFailed(asked, `it redirects to a URL that is not followed: ${next.problem}`);
    url = next.url;
    if (visited.has(url.href)) throw fetchFailed(asked, 'its redirects form a loop');
    if (visited.size > redirectsMax) throw fetchFailed(asked, `it redirects more than ${redirectsMax} times`);
    // First, so that no private address is offered for another call.
    await refuseByName(url, fetching.allowHosts);
    if (!fetching.mayLeadTo(url))
      throw new ToolFailure({ code: 'redirected_elsewhere', url: asked.href, to: url.href });
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Many sites of documentation serve Markdown to clients that accept it. */
const ACCEPTED = 'text/markdown, text/html;q=0.9, text/plain;q=0.9, application/json;q=0.9, */*;q=0.5';

/** The failure for an error status, with the beginning of the error page. */
async function refusal(response: IncomingMessage, url: URL, timeout: RequestTimeout): Promise<ToolFailure> {
  const failure = await statusFailure(response.statusCode ?? 0, url);
  try {
    const { text } = await readText(response, url, ERROR_BYTES_MAX, timeout);
    return new ToolFailure(failure, text === '' ? null : untrusted(beginning(text, ERROR_CHARS_MAX)));
  } catch {
    return new ToolFailure(failure);
  }
}
