import type { HostEnvironment } from '../processes/environment.js';
import { isExempt } from './no-proxy.js';

/** The HTTP proxy that the environment names for a request. */
export type ForwardProxy = {
  /** The variable that names it, e.g. `HTTPS_PROXY`. */
  readonly variable: string;
  readonly isSecure: boolean;
  readonly hostname: string;
  readonly port: number;
  /** Value of Proxy-Authorization; null if the URL has no credentials. For requests only, never for a message. */
  readonly authorization: string | null;
};

/** Why a request could not be sent through a proxy. Its message has no credentials in it. */
export class ProxyError extends Error {
  readonly variable: string;
  /** Whether the same request may succeed later without a change of settings. */
  readonly mayPass: boolean;

  constructor(variable: string, message: string, { mayPass }: { readonly mayPass: boolean }) {
    super(message);
    this.name = 'ProxyError';
    this.variable = variable;
    this.mayPass = mayPass;
  }
}

/**
 * The proxy for this URL, by `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; null if the request is sent directly. The lower-case
 * spelling takes precedence, as in curl. Requests to this machine are always direct. Throws `ProxyError` if the value is unusable.
 */
export function proxyFor(url: URL, env: HostEnvironment = process.env): ForwardProxy | null {
  const named = variableFor(url, env);
  if (named === null || isLoopback(url.hostname)) return null;
  if (isExempt(url, env['no_proxy'] || env['NO_PROXY'] || '')) return null;
  return readProxy(named.variable, named.value);
}

/** For messages: `the proxy proxy.example:3128 (HTTPS_PROXY)`. */
export const shownProxy = ({ hostname, port, variable }: ForwardProxy): string =>
  `the proxy ${hostname}:${port} (${variable})`;

function variableFor(url: URL, env: HostEnvironment): { variable: string; value: string } | null {
  const upper = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  for (const variable of [upper.toLowerCase(), upper]) {
    const value = env[variable]?.trim();
    // In a CGI program, HTTP_PROXY is a header that the client sent (CVE-2016-5385).
    const isHeader = variable === 'HTTP_PROXY' && env['REQUEST_METHOD'] !== undefined;
    if (value !== undefined && value !== '' && !isHeader) return { variable, value };
  }
  return null;
}

function readProxy(variable: string, value: string): ForwardProxy {
  const text = value.includes('://') ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.hostname === '' || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    const example = 'http://proxy.example:3128';
    const message = `the value of ${variable} is not the URL of an HTTP proxy, such as ${example}`;
    throw new ProxyError(variable, message, { mayPass: false });
  }
  const isSecure = url.protocol === 'https:';
  const { username, password } = url;
  const credentials = `${decoded(username)}:${decoded(password)}`;
  return {
    variable,
    isSecure,
    hostname: url.hostname,
    port: Number(url.port || (isSecure ? 443 : 80)),
    authorization:
      username === '' && password === '' ? null : `Basic ${Buffer.from(credentials).toString('base64')}`,
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A proxy would look for these on its own machine. `URL` has brought every spelling of an address into one form. */
function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/\.+$/, '');
  if (host === 'localhost' || host.endsWith('.localhost') || host === '[::1]') return true;
  return /^127(?:\.\d+){3}$/.test(host) || /^\[::ffff:7f[\da-f]{2}:/.test(host);
}
