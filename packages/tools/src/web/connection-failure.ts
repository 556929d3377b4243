import { errnoOf, ProxyError } from '@countersign/host';
import { ToolFailure } from '@countersign/protocol';

/**
 * What to throw after a request to a server failed: a failure as data, or the error itself if it is a bug of ours.
 * The words are our own: those of the system quote certificates and headers, which are untrusted.
 */
export function connectionFailure(error: unknown, url: URL): Error {
  if (error instanceof ToolFailure) return error;
  if (error instanceof ProxyError)
    return error.mayPass
      ? new ToolFailure({ code: 'network', message: `${url.href}: ${error.message}` })
      : fetchFailed(url, error.message);
  const code = errnoOf(error);
  if (code === null) return error instanceof Error ? error : new Error(String(error));
  const passing = PASSING[code];
  if (passing !== undefined)
    return new ToolFailure({ code: 'network', message: `${url.href}: ${passing} (${code})` });
  const problem = `${LASTING[code] ?? guessed(code)} (${code})`;
  return fetchFailed(url, problem);
}

export const fetchFailed = ({ href: url }: Pick<URL, 'href'>, problem: string): ToolFailure =>
  new ToolFailure({ code: 'fetch_failed', url, problem });

const PASSING: { readonly [code: string]: string } = {
  EAI_AGAIN: 'the name server did not respond',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  ECONNABORTED: 'the connection was cut',
  EPIPE: 'the connection was cut',
  ETIMEDOUT: 'it does not respond',
  EHOSTUNREACH: 'it is not reachable',
  ENETUNREACH: 'it is not reachable',
};

const LASTING: { readonly [code: string]: string } = {
  ENOTFOUND: 'there is no host of that name',
  ENODATA: 'there is no host of that name',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate has an unknown issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate has an unknown issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate has an unknown issuer',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

function guessed(code: string): string {
  if (code.startsWith('HPE_')) return 'its response is not HTTP';
  if (/SSL|TLS|CERT|EPROTO/.test(code)) return 'no secure connection could be made';
  return 'the connection failed';
}
