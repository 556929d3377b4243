import type { LookupAddress } from 'node:dns';
import { type ProxyRoute, proxyRoute } from '@countersign/host';
import { checkedAddresses, type Reachable, refuseByName } from './reachable.js';

/** How a server is reached: at these addresses and no others, or through a proxy. */
export type Way =
  | { readonly type: 'direct'; readonly addresses: readonly LookupAddress[] }
  | { readonly type: 'proxy'; readonly route: ProxyRoute };

/**
 * Checks that the host may be reached. A proxy looks up the name itself, perhaps in another network, so what a name resolves
 * to can be checked only for direct connections; private addresses and local names in the URL are refused in both cases.
 */
export async function wayTo(url: URL, reachable: Reachable): Promise<Way> {
  const route = await proxyRoute(url, 'single');
  if (route === null) return { type: 'direct', addresses: await checkedAddresses(url, reachable) };
  await refuseByName(url, reachable.allowHosts);
  return { type: 'proxy', route };
}
