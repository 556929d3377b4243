import { hash } from 'node:crypto';
import { type CommandIdentity, canonicalJson, type WantedCall } from '@countersign/protocol';
import type { OperationName } from '../contract/routes.js';

type Keyed = { readonly key?: string };

/** How a repeated request is recognised; null without a key, for then it is a new one. */
export function identityOf(
  operation: OperationName,
  { key, ...request }: Keyed,
  by: string,
): CommandIdentity | null {
  return key === undefined ? null : { by, key, digest: digestOf({ operation, request }) };
}

/** A batch of calls is also recognised by the ids that its sender gave to calls. */
export function identityOfCalls(
  body: Keyed & { readonly calls: readonly WantedCall[] },
  by: string,
): CommandIdentity | null {
  const calls = body.calls.map(({ callId = null, name = '', args = {} }) => ({
    callId,
    digest: digestOf({ name, args }),
  }));
  if (calls.every(({ callId }) => callId === null)) return identityOf('issueCalls', body, by);
  const { key = null, ...request } = body;
  return { by, key, digest: digestOf({ operation: 'issueCalls', request }), calls };
}

/** As a member of a command, where there is one. */
export const withIdentity = (identity: CommandIdentity | null): { readonly identity?: CommandIdentity } =>
  identity ? { identity } : {};

/** What a keyed request makes has an id that follows from the key: the request finds it if it is sent again. */
export const idFor = ({ by, key }: CommandIdentity, within: string): string =>
  digestOf({ within, by, key }).slice(0, ID_CHARS);

const ID_CHARS = 16;

const digestOf = (value: object): string => hash('sha256', canonicalJson(value));
