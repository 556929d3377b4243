import type { SessionClient } from '@countersign/client';
import type { CallHooks, Journal, Tool } from '@countersign/engine';
import type { Consent } from './consents.js';

/** Ways to break a run on purpose, for tests that show that the simulator notices. */
export type Sabotage = {
  /** Stands between the engine and the store. */
  readonly journal: (inner: Journal) => Journal;
  readonly tool: (tool: Tool) => Tool;
  readonly hooks: (hooks: CallHooks) => CallHooks;
  /** What the simulator believes that people said; null for nothing. */
  readonly consent: (consent: Consent) => Consent | null;
  /** What subscribers are given. */
  readonly client: (client: SessionClient) => SessionClient;
};

export const NO_SABOTAGE: Sabotage = {
  journal: (inner) => inner,
  tool: (tool) => tool,
  hooks: (hooks) => hooks,
  consent: (consent) => consent,
  client: (client) => client,
};
