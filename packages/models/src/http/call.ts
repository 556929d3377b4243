import type { JsonObject } from '@countersign/protocol';

/** One request to a provider, and what its failure messages need. */
export type HttpCall = {
  /** The name a person knows the provider by. */
  readonly provider: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The key that goes along, which no message may hold, and where it came from: `GEMINI_API_KEY`. */
  readonly credential: Credential | null;
  /** What is posted; null for a GET. */
  readonly body: JsonObject | null;
  readonly limits?: Partial<HttpLimits>;
};

/** The provider that sent a text, and the key that must not be repeated from it. */
export type Source = Pick<HttpCall, 'provider' | 'credential'>;

export type Credential = { readonly value: string; readonly from: string };

export type HttpLimits = {
  /** From the first packet to a connection, TLS included. */
  readonly connectMs: number;
  /** From the connection to the head of the answer: a local model may have to be loaded first. */
  readonly headersMs: number;
  /** Between two pieces of the answer. Time that the reader takes does not count. */
  readonly idleMs: number;
};

export const HTTP_LIMITS: HttpLimits = {
  // A server that needs longer is down; the user is waiting.
  connectMs: 20_000,
  // Models think for minutes before the first word; five without a byte is beyond all that is usual.
  headersMs: 300_000,
  idleMs: 300_000,
};
