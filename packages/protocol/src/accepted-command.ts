import type { Failure } from './failures/failure.js';

/** The result of a command. */
export type Ack =
  | {
      readonly ok: true;
      readonly seq: number;
      readonly turn?: number;
      readonly callIds?: readonly string[];
      readonly repeated?: true;
    }
  | { readonly ok: false; readonly failure: Failure };

/** How a command is recognised if its sender sends it again, because the reply was lost. */
export type CommandIdentity = {
  readonly by: string;
  /** Chosen by the sender, for this session; null if only the ids of calls identify it. */
  readonly key: string | null;
  /** Hash of what was requested, without the key. */
  readonly digest: string;
  /** The calls of a batch in which at least one call has an id from its sender. */
  readonly calls?: readonly CallIdentity[];
};

export type CallIdentity = {
  readonly callId: string | null;
  /** Hash of name and arguments, as they were sent. */
  readonly digest: string;
};
