/** A server decides what it sends and when; these limits decide how long to wait for it. */
export type WebLimits = {
  /** Until there is a connection, the name looked up and the certificate checked. */
  readonly connectMs: number;
  /** Without a byte from the other side. */
  readonly idleMs: number;
  /** For one address with all its redirects: a drip of bytes is never idle. */
  readonly totalMs: number;
  /** Of one body, both as it comes and unpacked. The rest is not read. */
  readonly bodyBytesMax: number;
  readonly redirectsMax: number;
};

export const DEFAULT_WEB_LIMITS: WebLimits = {
  connectMs: 10_000,
  idleMs: 15_000,
  totalMs: 45_000,
  bodyBytesMax: 2_000_000, // of up to twenty pages at once, each some thirty times what a model is shown of it
  redirectsMax: 5,
};
