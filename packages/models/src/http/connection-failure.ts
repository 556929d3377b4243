import { ProxyError } from '@countersign/host';
import type { Failure } from '@countersign/protocol';
import type { HttpCall } from './call.js';
import { oneLine } from './one-line.js';

/** What an error of the network means, by how far the exchange had come. */
export function connectionFailure(call: HttpCall, reached: boolean, error: unknown): Failure {
  const { provider, credential } = call;
  if (error instanceof ProxyError) {
    const { message: problem, variable: proxy, mayPass } = error;
    return { code: 'model_unreachable', provider, problem, proxy, ...(!mayPass && { refused: true }) };
  }
  const code = codeOf(error);
  if (code === 'ERR_INVALID_URL' || code === 'ERR_INVALID_PROTOCOL') {
    const problem = `The base URL of ${provider} is not an http or https address.`;
    return { code: 'model_not_configured', problem, fix: 'Correct the base URL.' };
  }
  if (code === 'ERR_INVALID_CHAR') {
    const from = credential?.from ?? 'a header';
    const problem = `The key in ${from} contains a character that cannot be sent.`;
    return { code: 'model_not_configured', problem, fix: `Set ${from} again, without line breaks.` };
  }
  if (code.startsWith('HPE_')) {
    return { code: 'model_nonsense', provider, problem: 'the response is not HTTP', excerpt: '' };
  }
  if (reached) {
    return { code: 'model_cut_off', provider, problem: 'the connection was closed before the end' };
  }
  const { host, origin } = new URL(call.url);
  const problem = PROBLEMS[code]?.(host, origin) ?? oneLine(`${host}: ${messageOf(error)}`, credential);
  const refused = code === 'ECONNREFUSED' && { refused: true as const };
  return { code: 'model_unreachable', provider, problem, ...refused };
}

const noAddress = (host: string) => `no address is known for ${host}`;
const PROBLEMS: { readonly [code: string]: (host: string, origin: string) => string } = {
  ECONNREFUSED: (_, origin) => `nothing listens at ${origin}`,
  ENOTFOUND: noAddress,
  EAI_AGAIN: noAddress,
  ETIMEDOUT: (_, origin) => `${origin} did not respond`,
  ECONNRESET: (_, origin) => `${origin} closed the connection`,
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
