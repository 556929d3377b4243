import { ProxyError, proxyFor, shownProxy } from '@countersign/host';
import { type Check, ok, problem } from './check.js';

/** Somewhere else: not this machine, and under a name that NO_PROXY can list only by `*`. */
const ELSEWHERE = ['https://elsewhere.invalid', 'http://elsewhere.invalid'];

/** The proxy for https and for http requests, without its credentials. Nothing if the environment names none. */
export const checkProxies = (env: NodeJS.ProcessEnv): readonly Check[] =>
  ELSEWHERE.flatMap((address) => {
    const url = new URL(address);
    try {
      const proxy = proxyFor(url, env);
      const scheme = url.protocol.slice(0, -1);
      return proxy === null ? [] : [ok('proxy', `Requests to ${scheme} URLs use ${shownProxy(proxy)}.`)];
    } catch (thrown) {
      if (!(thrown instanceof ProxyError)) throw thrown;
      const text = `${thrown.message[0]?.toUpperCase() ?? ''}${thrown.message.slice(1)}.`;
      return [problem('proxy', text, `Correct or unset ${thrown.variable}.`)];
    }
  });
