import type { HostEnvironment } from '@countersign/host';
import { type Reachable, systemLookup } from '../web/reachable.js';
import { DEFAULT_WEB_LIMITS, type WebLimits } from '../web/web-limits.js';

/** Options of the program for fetching. */
export type WebFetchOptions = Reachable & { readonly limits: WebLimits };

export function webFetchOptions(environment: HostEnvironment): WebFetchOptions {
  const hosts = environment['COUNTERSIGN_FETCH_HOSTS']?.split(/[\s,]+/) ?? [];
  return {
    allowHosts: hosts.filter((host) => host !== '').map((host) => host.toLowerCase()),
    lookup: systemLookup,
    limits: DEFAULT_WEB_LIMITS,
  };
}
