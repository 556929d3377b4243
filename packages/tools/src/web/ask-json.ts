import { ToolFailure } from '@countersign/protocol';
import { connectionFailure, fetchFailed } from './connection-failure.js';
import { hostAndPort, systemLookup } from './reachable.js';
import { readBody } from './read-body.js';
import { RequestTimeout } from './request-timeout.js';
import { sendRequest } from './send-request.js';
import { statusFailure } from './status-failure.js';
import { wayTo } from './way-to.js';
import { DEFAULT_WEB_LIMITS, type WebLimits } from './web-limits.js';

export type JsonQuestion = {
  /** Chosen by the user; the service may run on this machine. */
  readonly url: URL;
  readonly headers?: { readonly [name: string]: string };
  /** Sent with POST; omitted, it is a GET. */
  readonly body?: unknown;
  readonly limits?: Partial<WebLimits>;
};

/** The response of a configured service. Redirects are not followed: the settings name the address. */
export async function askJson(question: JsonQuestion, signal: AbortSignal): Promise<unknown> {
  const { url, headers = {}, body } = question;
  const limits = { ...DEFAULT_WEB_LIMITS, ...question.limits };
  const shown = withoutSecrets(url);
  const timeout = new RequestTimeout(shown, limits, signal);
  try {
    timeout.connecting();
    const opened = { allowHosts: [hostAndPort(url)], lookup: systemLookup };
    const response = await sendRequest(
      {
        url,
        way: await timeout.orStopped(() => wayTo(url, opened)),
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
      timeout,
    );
    const { statusCode: status = 0 } = response;
    if (status !== 200) {
      response.destroy();
      throw new ToolFailure(await statusFailure(status, shown));
    }
    const { bytes, whole } = await readBody(response, shown, limits.bodyBytesMax, timeout);
    return parsed(bytes, whole, shown);
  } catch (error) {
    throw timeout.failure ?? connectionFailure(error, shown);
  } finally {
    timeout.over();
  }
}

function parsed(bytes: Uint8Array, whole: boolean, shown: URL): unknown {
  try {
    if (whole) return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // Reported below.
  }
  throw fetchFailed(shown, 'its response is not JSON');
}

/** What is asked, and with which password, is nothing for a message. */
const withoutSecrets = ({ origin, pathname }: URL): URL => new URL(pathname, origin);
